import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rotateCredentials } from '../../src/core/authentication/api-keys.ts'
import { restProof, testKey } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import { basic, business, grant, oauthServer, origin, post, TOKEN_ENDPOINT } from './support.ts'

const said = (['log', 'info', 'warn', 'error'] as const).map((method) => vi.spyOn(console, method))
const { server, client } = await oauthServer()

let token = ''
beforeAll(async () => {
  token = (await post(server, '/oauth/token', grant, basic(client))).body.access_token
})

test('[AUT-059] the token is signed for this server, short-lived, and verifies with the published key', async () => {
  const { status, body, headers } = await post(server, '/oauth/token', grant, basic(client))
  expect(status).toBe(200)
  expect(body).toEqual({ access_token: expect.any(String), expires_in: 600, token_type: 'Bearer' })
  expect(headers['cache-control']).toBe('no-store')
  const { body: jwks } = await server.raw({ method: 'GET', url: '/oauth/jwks' })
  expect(Object.keys(jwks.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  const { payload, protectedHeader } = await jwtVerify(body.access_token, createLocalJWKSet(jwks))
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: jwks.keys[0].kid })
  expect(payload).toMatchObject({ iss: origin, aud: origin, sub: client.id, client_id: client.id })
  expect(Number(payload.exp) - Number(payload.iat)).toBe(600)
})

test('[AUT-059] a client may send its id and secret in the body as well', async () => {
  const form = { ...grant, client_id: client.id, client_secret: client.secret }
  expect((await post(server, '/oauth/token', form)).status).toBe(200)
})

test.each([
  ['a wrong secret', { id: client.id, secret: 'ucs_wrong' }],
  ['an API key as secret', { id: client.id, secret: client.key }],
  ['an unknown client', { id: 'cli_unknown', secret: client.secret }],
])('[AUT-060] %s is invalid_client', async (_, credentials) => {
  const { status, body } = await post(server, '/oauth/token', grant, basic(credentials))
  expect([status, body.error]).toEqual([401, 'invalid_client'])
  const { id: client_id, secret: client_secret } = credentials
  const inBody = await post(server, '/oauth/token', { ...grant, client_id, client_secret })
  expect([inBody.status, inBody.body.error]).toEqual([401, 'invalid_client'])
})

test('[AUT-060] a refusal is JSON, also for who would take a page', async () => {
  const headers = { ...basic({ ...client, secret: 'ucs_wrong' }), accept: 'text/html' }
  const answer = await post(server, '/oauth/token', grant, headers)
  expect([answer.body.error, answer.headers['content-type']]).toEqual([
    'invalid_client',
    'application/json; charset=utf-8',
  ])
  expect(answer.headers['www-authenticate']).toMatch(/^Basic /)
})

test('[AUT-060] no secret at all is no authentication', async () => {
  const { status, body } = await post(server, '/oauth/token', { ...grant, client_id: client.id })
  expect([status, body.error]).toEqual([401, 'invalid_client'])
})

test('[AUT-060] a NUL in what a caller sends is no fault of the server', async () => {
  const form = { ...grant, client_id: 'cli_\0', client_secret: 'ucs_\0' }
  expect((await post(server, '/oauth/token', form)).status).toBe(401)
  expect((await post(server, '/oauth/token', { ...grant, client_id: client.id, client_secret: '\0' })).status).toBe(401)
  expect((await post(server, '/oauth/revoke', { token: '\0' }, basic(client))).status).toBe(200)
})

test.each(['password', 'authorization_code', 'refresh_token', 'implicit', 'urn:example'])(
  '[AUT-060] the grant %s is unsupported_grant_type',
  async (grant_type) => {
    const { status, body } = await post(server, '/oauth/token', { grant_type }, basic(client))
    expect([status, body.error]).toEqual([400, 'unsupported_grant_type'])
  },
)

test.each([
  ['a missing grant', {}, {}],
  ['JSON', grant, { 'content-type': 'application/json' }],
  ['another resource', { ...grant, resource: 'https://elsewhere.example' }, {}],
])('[AUT-060] %s is refused', async (_, form, headers) => {
  const { status, body } = await post(server, '/oauth/token', form as Record<string, string>, {
    ...basic(client),
    ...(headers as Record<string, string>),
  })
  expect([status, typeof body.error]).toEqual([400, 'string'])
})

test('[AUT-060] of rotated secrets both work for a while, then the new one alone', async () => {
  const { server, client } = await oauthServer()
  const next = await rotateCredentials(server.runtime.db, client.id, new Date(Date.now() + 60_000), new Date())
  const statuses = async () => [
    (await post(server, '/oauth/token', grant, basic(client))).status,
    (await post(server, '/oauth/token', grant, basic({ ...client, ...next }))).status,
  ]
  expect(await statuses()).toEqual([200, 200])
  server.time.now = new Date(Date.now() + 61_000)
  expect(await statuses()).toEqual([401, 200])
})

test('[AUT-064] a proof at the token endpoint binds the token to its key, and counts once', async () => {
  const key = testKey()
  const dpop = restProof(key, 'POST', TOKEN_ENDPOINT, new Date())
  const { body } = await post(server, '/oauth/token', grant, { ...basic(client), dpop })
  expect(body.token_type).toBe('DPoP')
  const [, payload = ''] = body.access_token.split('.')
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).cnf).toEqual({ jkt: key.thumbprint })
  const again = await post(server, '/oauth/token', grant, { ...basic(client), dpop })
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
  const elsewhere = restProof(key, 'POST', `${origin}/oauth/revoke`, new Date())
  const { status } = await post(server, '/oauth/token', grant, { ...basic(client), dpop: elsewhere })
  expect(status).toBe(400)
})

test('[PRO-037] the profile names a token endpoint that works, and metadata whose issuer is the base URL', async () => {
  const { body: profile } = await server.rest('GET', '/.well-known/usp')
  expect(profile.authorization).toMatchObject({
    accepted_mechanisms: ['http_message_signature', 'oauth2_bearer', 'api_key'],
    token_endpoint: TOKEN_ENDPOINT,
  })
  const { pathname } = new URL(profile.authorization.token_endpoint)
  expect((await post(server, pathname, grant, basic(client))).status).toBe(200)
  const { body: metadata } = await server.raw({
    method: 'GET',
    url: '/.well-known/oauth-authorization-server',
    headers: { host: 'attacker.example' },
  })
  expect(metadata).toEqual({
    issuer: origin,
    token_endpoint: TOKEN_ENDPOINT,
    revocation_endpoint: `${origin}/oauth/revoke`,
    jwks_uri: `${origin}/oauth/jwks`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    dpop_signing_alg_values_supported: ['EdDSA', 'ES256', 'Ed25519'],
  })
})

test.each([
  ['left out', {}],
  ['others', { authorization: { accepted_mechanisms: ['api_key' as const] } }],
])('[PRO-037] where the accepted mechanisms are %s there is no token endpoint', async (_, settings) => {
  const { authorization: _ignored, ...rest } = business()
  const other = await testServer({ ...rest, ...settings })
  const { body } = await other.rest('GET', '/.well-known/usp')
  expect(body.authorization).not.toHaveProperty('token_endpoint')
  expect(body.authorization.accepted_mechanisms).not.toContain('oauth2_bearer')
  expect((await post(other, '/oauth/token', grant, basic(client))).status).toBe(404)
  expect((await other.raw({ method: 'GET', url: '/.well-known/oauth-authorization-server' })).status).toBe(404)
})

test('[LIM-017] guessing at the token endpoint is limited for each address', async () => {
  const { server, client } = await oauthServer(business({}, { limits: { other: 3 } }))
  for (let guess = 0; guess < 3; guess++)
    expect((await post(server, '/oauth/token', grant, basic({ ...client, secret: `ucs_${guess}` }))).status).toBe(401)
  const { status, headers } = await post(server, '/oauth/token', grant, basic(client))
  expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true])
})

test('what is not served of the authorization server does not answer, and nothing sets a cookie', async () => {
  for (const url of ['/auth', '/oauth/auth', '/me', '/token', '/reg', '/session/end', '/oauth/introspect'])
    expect((await server.raw({ method: 'GET', url })).status).toBe(404)
  const { status, headers } = await server.raw({ method: 'GET', url: '/oauth/token' })
  expect([status, headers.allow]).toEqual([405, 'POST'])
  const answer = await post(server, '/oauth/token', grant, basic(client))
  expect(answer.headers).not.toHaveProperty('set-cookie')
  expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-request-id': expect.any(String) })
})

test('neither a secret nor a token reaches the log, and the authorization server says nothing at the terminal', () => {
  expect(token).not.toBe('')
  expect(server.logged.join('\n')).toContain('"operation":"oauth_token","route":"/oauth/token","status":401')
  for (const secret of [client.secret, client.key, token, basic(client).authorization])
    expect(server.logged.join('\n')).not.toContain(secret)
  expect(said.flatMap(({ mock }) => mock.calls)).toEqual([])
})

afterAll(() => vi.restoreAllMocks())
