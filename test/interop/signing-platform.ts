import { generateKeyPairSync } from 'node:crypto'
import { salon } from '../booking-flow/visitor.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort } from '../support/process.ts'
import { testReceiver } from '../support/receiver.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

/** The demo business, which signs its answers, and a platform that publishes its key and its webhook address. */
export async function signingPlatform() {
  const port = await freePort()
  const server = await serverWithAllInterfaces(salon({ sign_answers: true }), { env: { PORT: String(port) } })
  await server.app.listen({ host: '127.0.0.1', port })
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { keyid: 'k1', pem: String(privateKey.export({ format: 'pem', type: 'pkcs8' })) }
  const receiver = await testReceiver('/hook')
  const platform = await testPlatform({
    webhook_url: receiver.url,
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: key.keyid }],
  })
  return { server, origin: `http://127.0.0.1:${port}`, key, receiver, platform }
}
