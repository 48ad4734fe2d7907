import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { generateKeyPair, generateProof } from 'dpop'
import { signatureHeaders } from 'http-message-sig'
import { httpbis } from 'http-message-signatures'
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')]))
const url = 'http://127.0.0.1:8080/usp/v1/services/feed/subscriptions'
const body = JSON.stringify({ callback_url: 'https://127.0.0.1:9443/hook' })

const subscribe = (headers: Record<string, string>) =>
  server.rest('POST', '/services/feed/subscriptions', body, { host: '127.0.0.1:8080', ...headers })

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const signer = (data: string | Buffer) =>
  sign('sha256', Buffer.from(data), { key: privateKey, dsaEncoding: 'ieee-p1363' })
const platform = await testPlatform({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] })
const plain = {
  'content-type': 'application/json',
  'usp-agent': `profile="${platform.url}"`,
  'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
}
const components = ['@method', '@authority', '@path', 'usp-agent', 'content-digest', 'content-type']

test('[SIG-001] a request signed by http-message-sig is accepted unmodified', async () => {
  const signed = await signatureHeaders(
    { method: 'POST', url, headers: { host: '127.0.0.1:8080', ...plain } },
    { components, signer: { keyid: 'k1', alg: 'ecdsa-p256-sha256', sign: async (data) => signer(data) } },
  )
  const headers = { Signature: signed.Signature, 'Signature-Input': signed['Signature-Input'] }
  expect((await subscribe({ ...plain, ...headers })).status).toBe(201)
})

test('[SIG-001] a request signed by http-message-signatures is accepted unmodified', async () => {
  const { headers } = await httpbis.signMessage(
    { key: { id: 'k1', alg: 'ecdsa-p256-sha256', sign: async (data) => signer(data) }, fields: components },
    { method: 'POST', url, headers: plain },
  )
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  expect((await subscribe(sent)).status).toBe(201)
})

test.each(['Ed25519', 'ES256'] as const)(
  '[POP-021] [POP-041] a %s proof made by dpop is accepted unmodified',
  async (algorithm) => {
    // It stamps its proofs with the real time.
    server.time.now = new Date()
    const keys = await generateKeyPair(algorithm)
    const dpop = await generateProof(keys, url, 'POST')
    expect((await subscribe({ 'usp-agent': plain['usp-agent'], dpop })).status).toBe(201)
    server.time.now = START
  },
)

test('[POP-021] a proof made by jose is accepted unmodified, and its thumbprint is the principal', async () => {
  const keys = generateKeyPairSync('ed25519')
  const jwk = await exportJWK(keys.publicKey)
  const dpop = await new SignJWT({ htm: 'POST', htu: url, jti: randomUUID() })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'EdDSA', jwk })
    .setIssuedAt(START.getTime() / 1000)
    .sign(keys.privateKey)
  expect((await subscribe({ 'usp-agent': plain['usp-agent'], dpop })).status).toBe(201)
  expect(server.logged.join('')).toContain(`"principal":"key:${await calculateJwkThumbprint(jwk)}"`)
})
