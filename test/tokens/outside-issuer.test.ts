import type { ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import { basic, bindings, business, grant, oauthServer, origin, post, type Said, type Shown } from '../oauth/support.ts'
import { testPlatform } from '../support/platform.ts'

const host = await testPlatform()
const issuer = host.url.replace('/profile.json', '/tenant')
const { server, client, platform } = await oauthServer(business({ oauth_issuer: issuer }))
const calls = bindings(server, platform)
const first = await signer('first')

/** What the issuer has at its addresses, and how often each was read. */
let published: Record<string, unknown> = {}
let reads: string[] = []
host.answer = ({ url = '' }, response) => {
  reads.push(url)
  response.writeHead(url in published ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(published[url] ?? {}))
}
const METADATA = '/.well-known/oauth-authorization-server/tenant'
const metadata = { issuer, jwks_uri: `${new URL(issuer).origin}/keys`, token_endpoint: `${issuer}/token` }

beforeEach(() => {
  published = { [METADATA]: metadata, '/keys': { keys: [first.jwk] } }
  reads = []
  // An hour later whatever was read before is old.
  server.time.now = new Date(server.time.now.getTime() + 2 * 3_600_000)
})

async function signer(kid: string, alg = 'RS256') {
  const { publicKey, privateKey } = await generateKeyPair(alg)
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, use: 'sig', alg }
  const sign = (claims: JWTPayload = {}) =>
    new SignJWT({ iss: issuer, aud: [origin, 'urn:other'], client_id: 'partner', exp: seconds() + 600, ...claims })
      .setProtectedHeader({ alg, kid })
      .sign(privateKey)
  return { jwk, sign }
}
const seconds = () => Math.floor(server.time.now.getTime() / 1000)
const bearer = (token: string): Shown => ({ headers: { authorization: `Bearer ${token}` } })
const expectRefused = (said: Said) => expect(said).toMatchObject({ code: 'authentication_required' })

test('[AUT-059] [AUT-063] its tokens open calls on both bindings, for a principal that names it', async () => {
  const principal = `client:partner@${issuer}`
  const token = await first.sign()
  expect(await calls.rest(bearer(token))).toMatchObject({ status: 201, principal })
  expect(await calls.mcp(bearer(token))).toMatchObject({ status: 200, principal })
  expect(await calls.mcp({ authorization: { mechanism: 'oauth2_bearer', credential: token } })).toMatchObject({
    principal,
  })
  expect(reads).toEqual([METADATA, '/keys'])
})

test('[AUT-059] metadata at the place of OpenID Connect will do', async () => {
  published = { ...published, [METADATA]: undefined, '/tenant/.well-known/openid-configuration': metadata }
  delete published[METADATA]
  expect(await calls.rest(bearer(await first.sign({ client_id: undefined, azp: 'partner' })))).toMatchObject({
    status: 201,
  })
})

test('[AUT-061] of a client here that has the same id it inherits nothing', async () => {
  const said = await calls.rest(bearer(await first.sign({ client_id: client.id })))
  expect(said.principal).toBe(`client:${client.id}@${issuer}`)
})

test('[AUT-061] what it did not issue, or not for this server, is refused', async () => {
  const stranger = await signer('first')
  for (const token of [
    await stranger.sign(),
    await first.sign({ aud: 'https://elsewhere.example' }),
    await first.sign({ iss: origin }),
    await first.sign({ iss: `${issuer}/` }),
    await first.sign({ exp: seconds() - 1 }),
    await first.sign({ client_id: undefined }),
  ]) {
    expectRefused(await calls.rest(bearer(token)))
    expectRefused(await calls.mcp(bearer(token)))
  }
})

test('[AUT-061] a token of a new key is good after one more read; unknown keys cause no more than one a minute', async () => {
  expect((await calls.rest(bearer(await first.sign()))).status).toBe(201)
  const next = await signer('next', 'ES256')
  published['/keys'] = { keys: [first.jwk, next.jwk] }
  expectRefused(await calls.rest(bearer(await next.sign())))
  server.time.now = new Date(server.time.now.getTime() + 61_000)
  expect((await calls.rest(bearer(await next.sign()))).status).toBe(201)
  const before = reads.length
  const unknown = await signer('unknown')
  for (let call = 0; call < 5; call++) expectRefused(await calls.rest(bearer(await unknown.sign())))
  expect(reads.length).toBe(before)
})

test('[AUT-061] keys that were read serve on while the issuer is away', async () => {
  published = {}
  expect((await calls.rest(bearer(await first.sign()))).status).toBe(201)
})

test.each(['http://issuer.example', 'https://issuer.example/?a', 'issuer.example'])(
  '[AUT-061] %s is no issuer that a definition may name',
  (oauth_issuer) => {
    const text = JSON.stringify(business({ oauth_issuer }))
    expect(() => readDefinition(text, 'business.json')).toThrow('oauth_issuer')
  },
)

test('[PRO-037] the profile names its token endpoint, and this server issues nothing', async () => {
  const named = async () => (await server.rest('GET', '/.well-known/usp')).body.authorization.token_endpoint
  await expect.poll(named).toBe(`${issuer}/token`)
  const own = await addClient(server.runtime.db, 'Own', new Date())
  expect((await post(server, '/oauth/token', grant, basic(own))).status).toBe(404)
})

test.each([
  ['does not answer', () => ({})],
  ['names itself otherwise', () => ({ [METADATA]: { ...metadata, issuer: `${issuer}/` } })],
  ['keeps its keys on a private address', () => ({ [METADATA]: { ...metadata, jwks_uri: 'https://10.0.0.1/keys' } })],
  ['keeps its keys in plaintext', () => ({ [METADATA]: { ...metadata, jwks_uri: 'http://127.0.0.1/keys' } })],
])('[AUT-061] [PRO-037] an issuer that %s lets nobody in, and the profile names no token endpoint', async (_, has) => {
  const other = await oauthServer(business({ oauth_issuer: issuer }))
  published = { '/keys': { keys: [first.jwk] }, ...has() }
  const said = await bindings(other.server, other.platform).rest(bearer(await first.sign()))
  expect(said).toMatchObject({ status: 503, code: 'service_unavailable' })
  const { status, body } = await other.server.rest('GET', '/.well-known/usp')
  expect(status).toBe(200)
  expect(body.authorization).not.toHaveProperty('token_endpoint')
})

const short = (bytes: number) => Buffer.alloc(bytes, 0xff).toString('base64url')
test.each<[string, JWK]>([
  ['no point of its curve', { kty: 'EC', crv: 'P-256', alg: 'ES256', x: short(32), y: short(32) }],
  ['half a point', { kty: 'EC', crv: 'P-256', alg: 'ES256' }],
  ['too short for RSA', { kty: 'RSA', alg: 'RS256', n: short(64), e: 'AQAB' }],
  ['without a modulus', { kty: 'RSA', alg: 'RS256', e: 'AQAB' }],
  ['with a modulus that is no text', { kty: 'RSA', alg: 'RS256', n: 5 as unknown as string, e: 'AQAB' }],
  ['half private', { ...first.jwk, d: 'AA' }],
  ['for signing, too', { ...first.jwk, key_ops: ['verify', 'sign'] }],
  ['too short for Ed25519', { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', x: 'AA' }],
])('[AUT-061] nothing is signed with a key that is %s', async (_, key) => {
  published = { ...published, '/keys': { keys: [{ ...key, kid: 'odd' }] } }
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = { iss: issuer, aud: origin, client_id: 'partner', exp: seconds() + 600 }
  const token = `${encoded({ alg: key.alg, kid: 'odd' })}.${encoded(claims)}.${short(256)}`
  expectRefused(await calls.rest(bearer(token)))
  expectRefused(await calls.mcp(bearer(token)))
})

test('[AUT-061] a key that the issuer took back lets nobody in a few minutes later', async () => {
  const token = await first.sign({ exp: seconds() + 3_600 })
  expect((await calls.rest(bearer(token))).status).toBe(201)
  published['/keys'] = { keys: [(await signer('next')).jwk] }
  server.time.now = new Date(server.time.now.getTime() + 5 * 60_000 + 1)
  expectRefused(await calls.rest(bearer(token)))
  expectRefused(await calls.mcp(bearer(token)))
})

test('[PRO-037] the profile never waits for an issuer that hangs, and names its endpoint when it comes to itself', async () => {
  const hanging = await testPlatform()
  const waiting: (() => void)[] = []
  hanging.answer = ({ url = '' }, response) => void waiting.push(() => tell(url, response))
  const name = new URL(hanging.url).origin
  const tell = (url: string, response: ServerResponse) =>
    response.end(
      JSON.stringify(
        url === '/keys' ? { keys: [first.jwk] } : { issuer: name, jwks_uri: `${name}/keys`, token_endpoint: name },
      ),
    )
  const other = await oauthServer(business({ oauth_issuer: name }))
  const read = async () => {
    const { status, headers, body } = await other.server.rest('GET', '/.well-known/usp')
    return [status, headers['cache-control'], body.authorization.token_endpoint]
  }
  for (let time = 0; time < 3; time++) expect(await read()).toEqual([200, 'public, max-age=60', undefined])
  await expect.poll(() => waiting.length).toBe(1)
  // It was read three times while not one answer had been given.
  hanging.answer = ({ url = '' }, response) => tell(url, response)
  for (const answer of waiting) answer()
  await expect.poll(read).toEqual([200, 'public, max-age=300', name])
})
