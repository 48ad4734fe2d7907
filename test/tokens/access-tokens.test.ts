import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportJWK, importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { addClient, revokeClient } from '../../src/core/authentication/api-keys.ts'
import { privateKeys } from '../../src/core/tokens/token-signing-keys.ts'
import { type Operation, restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import {
  basic,
  bindings,
  business,
  oauthServer,
  obtain,
  origin,
  post,
  proofForRest,
  proofForTool,
  type Said,
  type Shown,
} from '../oauth/support.ts'
import { freshDatabase } from '../support/database.ts'
import { testKey } from '../support/platform.ts'

const { server, client, platform } = await oauthServer(
  business({ accepted_mechanisms: ['http_message_signature', 'platform_key_pop', 'oauth2_bearer', 'api_key'] }),
)
const calls = bindings(server, platform)
const principal = `client:${client.id}`
const bearer = (token: string): Shown => ({ headers: { authorization: `Bearer ${token}` } })
const inMeta = (credential?: string, proof?: string): Shown => ({
  authorization: { mechanism: 'oauth2_bearer', ...(credential && { credential }), ...(proof && { proof }) },
})

const refused = { code: 'authentication_required', principal: undefined }
function expectRefused(said: Said) {
  expect(said).toMatchObject(refused)
  expect([401, -32006]).toContain(said.status)
}

async function expectRefusedEverywhere(token: string) {
  const said = await calls.rest(bearer(token))
  expectRefused(said)
  expect(said.challenge).toBe('Bearer error="invalid_token"')
  expectRefused(await calls.mcp(bearer(token)))
  expectRefused(await calls.mcp(inMeta(token)))
}

/** A token as this server would sign it, but for what the test changes. */
async function forged(claims: JWTPayload = {}, header: Partial<JWTHeaderParameters> = {}) {
  const { runtime, time } = server
  const [jwk] = (await privateKeys(runtime.db, runtime.oauthKey, time.now)).keys
  if (!jwk?.kid) throw new Error('The server has no key')
  const now = Math.floor(Date.now() / 1000)
  const usual = { iss: origin, aud: origin, sub: client.id, client_id: client.id, jti: randomUUID(), iat: now }
  return new SignJWT({ ...usual, exp: now + 600, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid, ...header })
    .sign(await importJWK(jwk, 'ES256'))
}

describe('a good token', () => {
  test('[AUT-059] [AUT-037] opens a privileged call over REST', async () => {
    expect(await calls.rest(bearer(await obtain(server, client)))).toMatchObject({ status: 201, principal })
  })

  test('[AUT-063] [AUT-037] [MCP-037] opens a tool call from the Authorization header', async () => {
    expect(await calls.mcp(bearer(await obtain(server, client)))).toMatchObject({ status: 200, principal })
  })

  test('[AUT-063] [AUT-037] opens a tool call from `_meta.usp.authorization`', async () => {
    const token = await obtain(server, client)
    expect(await calls.mcp(inMeta(token))).toMatchObject({ status: 200, principal })
    expect(await calls.mcp({ ...inMeta(), ...bearer(token) })).toMatchObject({ status: 200, principal })
  })

  test.each(operations.filter(({ access }) => access === 'privileged_platform').map(({ tool }) => tool))(
    '[AUT-037] opens %s on both bindings',
    async (tool) => {
      const { headers } = bearer(await obtain(server, client))
      const operation = operations.find((one) => one.tool === tool)
      const { method, path } = restRouteOf(operation as Operation)
      const agent = { 'usp-agent': `profile="${platform.url}"`, 'content-type': 'application/json' }
      const codes = async (shown?: Record<string, string>) => {
        const url = `/usp/v1${path.replace(/\{\w+\}/g, 'unknown')}`
        const over = await server.raw({
          method,
          url,
          headers: { ...agent, ...shown },
          ...(method === 'POST' && { payload: '{}' }),
        })
        const params = { name: tool, arguments: { _meta: { usp: { profile: platform.url } } } }
        const payload = { jsonrpc: '2.0', id: 7, method: 'tools/call', params }
        const called = await server.raw({ method: 'POST', url: '/usp/mcp', headers: { ...agent, ...shown }, payload })
        return [over.body.code, called.body.error?.data.code]
      }
      expect(await codes()).toEqual(['authentication_required', 'authentication_required'])
      for (const code of await codes(headers)) expect(code).not.toBe('authentication_required')
    },
  )

  test('[AUT-059] and the API key of the same client are one principal', async () => {
    expect(await calls.rest(bearer(client.key))).toMatchObject({ status: 201, principal })
    expect(await calls.rest(bearer(await forged()))).toMatchObject({ status: 201, principal })
  })
})

describe('[AUT-061] [AUT-062] refused with invalid_token is', () => {
  const outsider = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const now = Math.floor(Date.now() / 1000)

  test.each([
    ['nonsense', async () => 'nonsense'],
    ['a token cut short', async () => (await obtain(server, client)).slice(0, -8)],
    ['a token of another audience', () => forged({ aud: 'https://elsewhere.example' })],
    ['a token of another issuer', () => forged({ iss: 'https://elsewhere.example' })],
    ['a token that has expired', () => forged({ exp: now - 1 })],
    ['a token that never expires', () => forged({ exp: undefined as never })],
    ['a token for later', () => forged({ nbf: now + 300 })],
    ['a token of a client that never was', () => forged({ client_id: 'cli_unknown' })],
    ['a token of no client', () => forged({ client_id: undefined })],
    ['a token without an id', () => forged({ jti: undefined as never })],
    ['a token that is no access token', () => forged({}, { typ: 'JWT' })],
    ['a token bound to a certificate', () => forged({ cnf: { 'x5t#S256': 'abc' } })],
    ['a token with an unknown key', () => forged({}, { kid: 'unknown' })],
    ['a token with a header that must be understood', () => crit()],
    ['a token signed by somebody else', () => signedBy(outsider)],
  ])('%s', async (_, make) => expectRefusedEverywhere(await make()))

  const crit = async () => {
    const [, payload, signature] = (await forged()).split('.')
    return `${part({ alg: 'ES256', typ: 'at+jwt', crit: ['x'], x: 1 })}.${payload}.${signature}`
  }
  const signedBy = async (key: typeof outsider) => {
    const { keys } = await jwks()
    return new SignJWT({ iss: origin, aud: origin, client_id: client.id, jti: 'x', exp: now + 600 })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: keys[0].kid })
      .sign(key)
  }
  const jwks = async () => (await server.raw({ method: 'GET', url: '/oauth/jwks' })).body

  test('a token without a signature, alg none', async () => {
    const [, payload] = (await forged()).split('.')
    for (const alg of ['none', 'None', 'NONE'])
      await expectRefusedEverywhere(`${part({ alg, typ: 'at+jwt' })}.${payload}.`)
  })

  test('a token whose HMAC was made with the public key', async () => {
    const { keys } = await jwks()
    const pem = createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    for (const secret of [pem.toString(), JSON.stringify(keys[0]), keys[0].x]) {
      const token = await new SignJWT({ iss: origin, aud: origin, client_id: client.id, jti: 'x', exp: now + 600 })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: keys[0].kid })
        .sign(new TextEncoder().encode(secret))
      await expectRefusedEverywhere(token)
    }
  })

  test('a token that brings its own key', async () => {
    const jwk = await exportJWK(createPublicKey(outsider))
    const token = await new SignJWT({ iss: origin, aud: origin, client_id: client.id, jti: 'x', exp: now + 600 })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', jwk })
      .sign(outsider)
    await expectRefusedEverywhere(token)
  })

  test('a token eleven minutes after it was issued', async () => {
    const token = await obtain(server, client)
    server.time.now = new Date(Date.now() + 11 * 60_000)
    await expectRefusedEverywhere(token)
    server.time.now = new Date()
  })
})

describe('a revoked token', () => {
  const revoke = (token: string, by = client) => post(server, '/oauth/revoke', { token }, basic(by))

  test('[AUT-061] [AUT-062] is refused, on another server of the same database too', async () => {
    const url = await freshDatabase()
    const [one, two] = [await oauthServer(business(), url), await oauthServer(business(), url)]
    const token = await obtain(one.server, one.client)
    const elsewhere = bindings(two.server, one.platform)
    expect(await elsewhere.rest(bearer(token))).toMatchObject({ principal: `client:${one.client.id}` })
    const { status, body } = await post(one.server, '/oauth/revoke', { token }, basic(one.client))
    expect([status, body]).toEqual([200, ''])
    for (const said of [
      await bindings(one.server, one.platform).rest(bearer(token)),
      await elsewhere.rest(bearer(token)),
      await elsewhere.mcp(bearer(token)),
    ])
      expectRefused(said)
    expect(await elsewhere.rest(bearer(await obtain(two.server, one.client)))).toMatchObject({ status: 201 })
  })

  test('[AUT-061] stays good when another client, a wrong secret or nobody wants it revoked', async () => {
    const token = await obtain(server, client)
    const other = await addClient(server.runtime.db, 'Other', new Date())
    expect((await revoke(token, other)).status).toBe(200)
    expect((await revoke(token, { ...client, secret: 'ucs_wrong' })).status).toBe(401)
    expect((await post(server, '/oauth/revoke', { token, client_id: client.id })).status).toBe(401)
    expect(await calls.rest(bearer(token))).toMatchObject({ status: 201 })
    expect((await revoke('nonsense')).status).toBe(200)
    expect((await revoke('a.b.c')).status).toBe(200)
  })

  test('[AUT-061] is every token of a client that was revoked', async () => {
    const other = await addClient(server.runtime.db, 'Other', new Date())
    const token = await obtain(server, other)
    expect(await calls.rest(bearer(token))).toMatchObject({ status: 201 })
    await revokeClient(server.runtime.db, other.id)
    await expectRefusedEverywhere(token)
    expect((await post(server, '/oauth/token', { grant_type: 'client_credentials' }, basic(other))).status).toBe(401)
  })
})

describe('a token bound to a key', () => {
  const key = testKey()
  const dpop = (token: string, proof?: string): Shown => ({
    headers: { authorization: `DPoP ${token}`, ...(proof && { dpop: proof }) },
  })

  test('[AUT-064] opens a call with a proof by its key', async () => {
    const token = await obtain(server, client, key)
    const said = await calls.rest(dpop(token, proofForRest(key, token)))
    expect(said).toMatchObject({ status: 201, principal })
    const proof = proofForTool(key, token, platform)
    expect(await calls.mcp(inMeta(token, proof))).toMatchObject({ status: 200, principal })
  })

  test('[AUT-064] [AUT-062] is no bearer token, with a proof or without', async () => {
    const token = await obtain(server, client, key)
    for (const proof of [undefined, proofForRest(key, token)]) {
      const said = await calls.rest({ headers: { authorization: `Bearer ${token}`, ...(proof && { dpop: proof }) } })
      expectRefused(said)
      expect(said.challenge).toBe('Bearer error="invalid_token"')
    }
    expectRefused(await calls.mcp(bearer(token)))
  })

  test('[AUT-062] what is refused is challenged as it was sent, a free token as well', async () => {
    for (const token of ['bad', await obtain(server, client)]) {
      const said = await calls.rest(dpop(token, proofForRest(key, token)))
      expectRefused(said)
      expect(said.challenge).toMatch(/^DPoP error="invalid_token", algs="[^"]*ES256[^"]*"$/)
    }
  })

  test.each([
    ['no proof', () => undefined, 'pop_proof_missing'],
    ['a proof by another key', (token: string) => proofForRest(testKey(), token), 'pop_key_mismatch'],
    ['a proof for another token', () => proofForRest(key, 'another'), 'pop_proof_invalid'],
    [
      'a proof of another call',
      (token: string) => proofForRest(key, token, { htu: `${origin}/usp/v1/other` }),
      'pop_proof_invalid',
    ],
  ])('[AUT-064] with %s is refused', async (_, proof, code) => {
    const token = await obtain(server, client, key)
    expect(await calls.rest(dpop(token, proof(token)))).toMatchObject({ status: 401, code, principal: undefined })
  })

  test('[AUT-064] with a proof that was used is refused', async () => {
    const token = await obtain(server, client, key)
    const shown = dpop(token, proofForRest(key, token))
    expect((await calls.rest(shown)).status).toBe(201)
    expect(await calls.rest(shown)).toMatchObject({ status: 401, code: 'pop_proof_replayed' })
  })

  test('[AUT-064] a tool call with it needs a proof too', async () => {
    const token = await obtain(server, client, key)
    expect(await calls.mcp(inMeta(token))).toMatchObject({ status: -32001, code: 'pop_proof_missing' })
  })

  test('[AUT-064] a free token does not pass for a bound one', async () => {
    const token = await obtain(server, client)
    expectRefused(await calls.rest(dpop(token, proofForRest(key, token))))
  })
})

describe('what is shown elsewhere', () => {
  test('[AUT-065] tokens, keys and secrets in the query or the body are not looked at', async () => {
    const token = await obtain(server, client)
    const agent = { 'usp-agent': `profile="${platform.url}"` }
    for (const value of [token, client.key, client.secret]) {
      for (const name of ['access_token', 'token', 'api_key', 'authorization']) {
        const query = new URLSearchParams({ [name]: value })
        const { status, body } = await server.rest(
          'GET',
          `/services/feed/subscriptions/sub_x?${query}`,
          undefined,
          agent,
        )
        expect([status, body.code]).toEqual([401, 'authentication_required'])
        const posted = await server.rest(
          'POST',
          '/services/feed/subscriptions',
          { callback_url: 'https://127.0.0.1:9443/', [name]: value },
          agent,
        )
        expect([posted.status, posted.body.code]).toEqual([401, 'authentication_required'])
        const called = await server.tool('usp_services_feed_subscription_get', {
          subscription_id: 'sub_x',
          [name]: value,
        })
        expect(called.body.error.code).toBe(-32006)
      }
    }
    const answer = await post(server, `/oauth/token?client_id=${client.id}&client_secret=${client.secret}`, {
      grant_type: 'client_credentials',
    })
    expect(answer.status).not.toBe(200)
  })

  test('[AUT-035] a bad token is not rescued by a proof, a key or a good token beside it', async () => {
    const key = testKey()
    const { proof, token } = { proof: proofForRest(key, '', { ath: undefined }), token: await obtain(server, client) }
    expectRefused(await calls.rest({ headers: { authorization: 'Bearer bad', dpop: proof } }))
    expectRefused(await calls.mcp({ ...inMeta('bad'), ...bearer(token) }))
    expectRefused(await calls.mcp({ ...inMeta('bad'), ...bearer(client.key) }))
  })

  test.each(['Basic', 'Negotiate', 'Digest'])('[AUT-036] %s is not known here', async (scheme) => {
    const token = await obtain(server, client)
    for (const value of [token, basic(client).authorization.slice(6)]) {
      const shown = { headers: { authorization: `${scheme} ${value}` } }
      expectRefused(await calls.rest(shown))
      expectRefused(await calls.mcp(shown))
    }
  })

  test('[MCP-039] `mechanism` oauth2_bearer without a token anywhere is refused', async () => {
    expectRefused(await calls.mcp(inMeta()))
  })

  test('[AUT-037] [PRO-035] a good token opens nothing where oauth2_bearer is not accepted', async () => {
    const other = await oauthServer(business({ accepted_mechanisms: ['http_message_signature', 'api_key'] }))
    const token = await obtain(server, client)
    const elsewhere = bindings(other.server, other.platform)
    for (const said of [
      await elsewhere.rest(bearer(token)),
      await elsewhere.mcp(bearer(token)),
      await elsewhere.mcp(inMeta(token)),
    ])
      expectRefused(said)
  })
})

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
