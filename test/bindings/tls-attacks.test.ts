import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net'
import { type ConnectionOptions, connect, createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { issuedBy, selfSigned } from '../support/certificates.ts'
import { businessWith, service } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { sendOverTls } from '../support/over-tls.ts'
import { serverWithAllInterfaces } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'
import { costlyChain, keyChanges, longGreeting } from '../support/tls-attacks.ts'

/** Milliseconds of processor time. */
const AT_MOST = 80

const authority = selfSigned('Authority')
const own = issuedBy(authority, 'server', 'serverAuth')
const files = { TLS_CERT_FILE: own.certFile, TLS_KEY_FILE: own.keyFile, TLS_CLIENT_CA_FILE: authority.certFile }
const { app } = await serverWithAllInterfaces(businessWith([service('svc_one')]), { env: files })
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

const ended = (socket: Socket) =>
  new Promise<void>((resolve) =>
    socket
      .on('error', () => {})
      .on('close', () => resolve())
      .resume(),
  )
const stillAnswers = async () => {
  const answer = await sendOverTls({ port, ca: authority.cert }, { method: 'GET', path: '/usp/v1/services/svc_one' })
  expect(answer.status).toBe(200)
}

/** Of a client under TLS 1.3 once its handshake is over, with what its next bytes are encrypted with. */
async function shakenHands(options: ConnectionOptions = {}) {
  const socket = connectPlain(port, '127.0.0.1')
  const ciphers = 'TLS_AES_128_GCM_SHA256'
  const secure = connect({
    socket,
    ca: authority.cert,
    servername: 'localhost',
    minVersion: 'TLSv1.3',
    ciphers,
    ...options,
  })
  let secret = Buffer.alloc(0)
  secure.on('keylog', (line) => {
    const [, hex] = /^CLIENT_TRAFFIC_SECRET_0 \S+ (\S+)/.exec(String(line)) ?? []
    if (hex) secret = Buffer.from(hex, 'hex')
  })
  // By then the other side has ended it as well.
  await once(secure, 'session')
  return { socket, secure, secret }
}

test('[no single request stalls the server] who shows seventy costly certificates is hung up on, and none is verified', async () => {
  const secureContext = createSecureContext({ ...costlyChain(70), ca: authority.cert })
  const longest = longestTurn()
  const socket = connect({ host: '127.0.0.1', port, secureContext })
  await ended(socket)
  expect(longest()).toBeLessThan(AT_MOST * slowness())
  await stillAnswers()
})

test('[no single request stalls the server] as many costly certificates as fit are verified soon enough', async () => {
  const secureContext = createSecureContext({ ...costlyChain(5), ca: authority.cert })
  const longest = longestTurn()
  // OpenSSL may take the wrong signatures for a fault of the connection: whether it answers is not asked.
  const socket = connect({ host: '127.0.0.1', port, secureContext })
  socket.end('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  await ended(socket)
  expect(longest()).toBeLessThan(AT_MOST * slowness())
  await stillAnswers()
})

test('[no single request stalls the server] two hundred clients who show as many in the same moment are verified by turns', async () => {
  const script = fileURLToPath(new URL('../support/tls-clients.ts', import.meta.url))
  const longest = longestTurn()
  await once(spawn(process.execPath, [script, String(port), '200', '5'], { stdio: 'ignore' }), 'exit')
  expect(longest()).toBeLessThan(AT_MOST * slowness())
  await stillAnswers()
})

test('[no single request stalls the server] twenty thousand changes of the key in one piece are not made in one turn', async () => {
  const { socket, secure, secret } = await shakenHands()

  const changes = keyChanges(20_000, secret)
  const longest = longestTurn()
  socket.end(changes)
  await ended(secure)
  expect(longest()).toBeLessThan(AT_MOST * slowness())
  await stillAnswers()
})

test('[no single request stalls the server] a greeting of sixty-four kilobytes is not read', async () => {
  const socket = connectPlain(port, '127.0.0.1')
  const longest = longestTurn()
  socket.write(longGreeting(16_000, 6_000))
  await ended(socket)
  expect(longest()).toBeLessThan(AT_MOST * slowness())
  await stillAnswers()
})
