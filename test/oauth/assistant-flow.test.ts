import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { platformOf } from '../../src/core/authentication/principals.ts'
import { verifyAssistantToken } from '../../src/core/authentication/verify-assistant-token.ts'
import { bearerChallenge } from '../../src/core/authentication/www-authenticate-header.ts'
import { linksOf } from '../../src/core/tokens/linked-platforms.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import {
  allow,
  askUrl,
  assistantServer,
  CALLBACK,
  ENDPOINT,
  exchangeAt,
  freshCode,
  type Generation,
  memory,
  register,
  signedIn,
} from './assistant.ts'
import { accountOfPassword, accountWith, browser, claimsOf, newEmail, PASSWORD, pkce } from './browser.ts'
import { origin } from './support.ts'

const server = await assistantServer()
const shown = (token: string) => ({ token, as: 'Bearer' as const, headers: {} })
const verify = (token: string) => verifyAssistantToken(shown(token), server.runtime, server.time.now)

describe('[assistants] what they are told', () => {
  test.each([
    ['/.well-known/oauth-protected-resource', origin],
    ['/.well-known/oauth-protected-resource/mcp', ENDPOINT],
  ])('[RFC 9728 §3.3] %s describes the resource whose address it was made of: %s', async (url, resource) => {
    const { status, body, headers } = await server.raw({ method: 'GET', url, headers: { host: 'attacker.example' } })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
    expect(body).toEqual({
      dpop_signing_alg_values_supported: ['EdDSA', 'ES256', 'Ed25519'],
      resource,
      authorization_servers: [origin],
      scopes_supported: ['usp:booking'],
      bearer_methods_supported: ['header'],
    })
  })

  test('under the other name of this machine the resource has that name too', async () => {
    const url = '/.well-known/oauth-protected-resource/mcp'
    const { body } = await server.raw({ method: 'GET', url, headers: { host: 'localhost:8080' } })
    expect(body).toMatchObject({ resource: 'http://localhost:8080/mcp', authorization_servers: [origin] })
  })

  test('the authorization server takes clients that nobody let in, and no secrets of them', async () => {
    const { body } = await server.raw({ method: 'GET', url: '/.well-known/oauth-authorization-server' })
    expect(body).toEqual({
      issuer: origin,
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      registration_endpoint: `${origin}/oauth/register`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      jwks_uri: `${origin}/oauth/jwks`,
      client_id_metadata_document_supported: true,
      scopes_supported: ['usp:booking', 'usp:history', 'usp:preferences', 'usp:loyalty'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      dpop_signing_alg_values_supported: ['EdDSA', 'ES256', 'Ed25519'],
    })
  })

  test('where platforms alone have tokens, the root describes the server for them', async () => {
    const linking = await assistantServer({ authorization: { identity_linking: true }, website: { assistants: false } })
    const { body } = await linking.raw({ method: 'GET', url: '/.well-known/oauth-protected-resource' })
    expect(body).toMatchObject({ resource: origin, authorization_servers: [origin] })
    expect(body).not.toHaveProperty('dpop_signing_alg_values_supported')
  })

  test('a client that knows the root only gets a token for the endpoint of assistants', async () => {
    const resource = `${origin}/`
    const code = await freshCode(server, { redirect_uris: [CALLBACK] }, { resource })
    const { status, body } = await exchangeAt(server, { ...code, resource })
    expect(status).toBe(200)
    expect(claimsOf(body.access_token)).toMatchObject({ aud: ENDPOINT })
  })

  test('the protocol’s tools are described where platforms may have tokens', async () => {
    const url = '/.well-known/oauth-protected-resource/usp/mcp'
    expect((await server.raw({ method: 'GET', url })).status).toBe(404)
    const linking = await assistantServer({ authorization: { identity_linking: true } })
    const { body } = await linking.raw({ method: 'GET', url })
    expect(body).toMatchObject({ resource: `${origin}/usp/mcp`, authorization_servers: [origin] })
    const refused = await linking.tool('usp_bookings_get', { booking_id: 'bkg_x', _meta: { usp: {} } })
    expect(refused.headers['www-authenticate']).toContain(`Bearer resource_metadata="${origin}${url}"`)
    expect(refused.headers['www-authenticate']).toContain('DPoP algs="EdDSA ES256 Ed25519"')
  })
})

describe.each(['newer', 'older'] as Generation[])('[assistants] the %s client of the SDK', (by) => {
  test('gets from the bare address to a token, and says who it is for', async () => {
    const { access, back, email, kept } = await signedIn(server, { by })
    expect(back.origin + back.pathname).toBe(CALLBACK)
    expect(Object.fromEntries(back.searchParams)).toEqual({ code: expect.any(String), state: 'a state', iss: origin })
    expect(kept.tokens).toMatchObject({ token_type: 'Bearer', scope: 'usp:booking', expires_in: 600 })
    expect(kept.client).not.toHaveProperty('client_secret')
    const { sub } = claimsOf(access)
    expect(claimsOf(access)).toMatchObject({ aud: ENDPOINT, iss: origin, client_id: kept.client.client_id })
    expect(sub).toBe(await accountWith(server, email))
    expect(await verify(access)).toEqual({
      isProven: true,
      client: kept.client.client_id,
      principal: `client:${kept.client.client_id}/${sub}`,
      buyer: sub,
      scopes: ['usp:booking'],
    })
  })

  test('refreshes, and the token that it had is good no more', async () => {
    const { kept, again, access } = await signedIn(server, { by })
    const spent = kept.tokens.refresh_token
    expect(await again()).toBe('AUTHORIZED')
    expect(kept.tokens.refresh_token).not.toBe(spent)
    const fresh = String(kept.tokens.access_token)
    expect((await verify(fresh))?.principal).toBe((await verify(access))?.principal)
  })

  test('goes by the address of a document that it publishes', async () => {
    const host = await testPlatform()
    const document = host.url.replace('profile.json', 'client.json')
    host.profile = { client_id: document, client_name: 'Claude', redirect_uris: ['http://127.0.0.1/callback'] }
    const one = await signedIn(server, { by, remembers: memory({ document }) })
    const two = await signedIn(server, { by, remembers: memory({ document }) })
    expect(one.kept.client.client_id).toBe(document)
    expect(host.fetched).toBe(1)
    const [first, second] = [await verify(one.access), await verify(two.access)]
    expect(first?.client).toMatch(/^doc_[\w-]{43}$/)
    expect(second?.client).toBe(first?.client)
    expect(platformOf(String(first?.principal))).toBe(`client:${first?.client}`)
    expect(await one.again()).toBe('AUTHORIZED')
  })
})

test('[assistants] a registration gives what is in force, whatever was asked for', async () => {
  const { status, body, headers } = await register(server, {
    client_name: '  Concierge\n\u202eApp ',
    redirect_uris: [CALLBACK, 'cursor://callback', 'https://app.example/back'],
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    logo_uri: 'https://app.example/logo.png',
    jwks_uri: 'https://app.example/jwks',
  })
  expect([status, headers['cache-control']]).toEqual([201, 'no-store'])
  expect(body).toEqual({
    client_id: expect.stringMatching(/^app_[\w-]{16}$/),
    client_id_issued_at: expect.any(Number),
    client_name: 'Concierge App',
    redirect_uris: [CALLBACK, 'https://app.example/back'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  })
})

test('[assistants] the page says what one says of itself, where access goes, and shows no picture of it', async () => {
  const registered = await register(server, { client_name: '<b>Bank</b>', redirect_uris: ['https://app.example/back'] })
  const person = browser(server)
  const url = askUrl(registered.body.client_id, 'x'.repeat(43), { redirect_uri: 'https://app.example/back' })
  const signIn = await person.open(url)
  expect(signIn.body).toContain(
    'An assistant that calls itself “&lt;b&gt;Bank&lt;/b&gt;” is asking for access to your account.',
  )
  const email = newEmail()
  await accountWith(server, email)
  const { body, headers } = await person.send(signIn.at, { do: 'sign_in', email, password: PASSWORD })
  expect(body).toContain('<h1>Allow an assistant access to your account?</h1>')
  expect(body).toContain('An assistant that calls itself “&lt;b&gt;Bank&lt;/b&gt;” is asking to:')
  expect(body).toContain('The access goes to app.example')
  expect(body).not.toContain('<img')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})

test('[assistants] at /account it is seen with the rest, and what it had ends there at once', async () => {
  const { access, email, kept, again } = await signedIn(server)
  const person = browser(server)
  await person.send('/account', { do: 'sign_in', email, password: PASSWORD })
  expect((await person.open('/account')).body).toMatch(/<h2>Claude Desktop<\/h2>\n<p class="soft">.*127\.0\.0\.1/)
  expect(await verify(access)).toBeDefined()
  await person.send('/account', { do: 'unlink', client: kept.client.client_id })
  expect((await person.open('/account')).body).not.toContain('Claude Desktop')
  expect(await verify(access)).toBeUndefined()
  expect(await again()).toBe('REDIRECT')
})

test('[assistants] one that needs more asks again, and has both from then on', async () => {
  const { email, kept } = await signedIn(server)
  const client_id: string = kept.client.client_id
  const { verifier, challenge } = pkce()
  const both = 'usp:booking usp:history'
  const back = await allow(browser(server), askUrl(client_id, challenge, { scope: both }), {
    email,
    granted: both.split(' '),
  })
  const code = back.searchParams.get('code') ?? ''
  const { body } = await exchangeAt(server, { client_id, code, code_verifier: verifier })
  expect(body.scope).toBe(both)
  expect((await verify(body.access_token))?.scopes).toEqual(both.split(' '))
  const person = browser(server)
  await person.send('/account', { do: 'sign_in', email, password: PASSWORD })
  expect(String((await person.open('/account')).body).match(/<h2>Claude Desktop/g)).toHaveLength(1)
})

test.each([
  [{ error: 'invalid_token', scope: 'usp:booking' }, 'Bearer error="invalid_token", scope="usp:booking", '],
  [{ error: 'insufficient_scope', scope: 'usp:history' }, 'Bearer error="insufficient_scope", scope="usp:history", '],
  [{ scope: 'usp:booking' }, 'Bearer scope="usp:booking", '],
] as const)('[assistants] what a refusal tells is read by the SDK: %o', (wanted, begins) => {
  const challenge = bearerChallenge({ path: '/mcp', host: undefined, ...wanted }, server.runtime.config)
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
  expect(challenge).toBe(`${begins}resource_metadata="${metadata}"`)
  const response = new Response(null, { status: 401, headers: { 'www-authenticate': challenge } })
  expect(extractWWWAuthenticateParams(response)).toMatchObject({ ...wanted, resourceMetadataUrl: new URL(metadata) })
})

test('[assistants] one that ends a token itself has it no more', async () => {
  const { access, kept } = await signedIn(server)
  const form = new URLSearchParams({ token: access, client_id: kept.client.client_id }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status } = await server.raw({ method: 'POST', url: '/oauth/revoke', headers, payload: form })
  expect([status, await verify(access)]).toEqual([200, undefined])
})

test('[assistants] a business that wants none says so, and none is let in or described', async () => {
  const other = await assistantServer()
  const { access } = await signedIn(other)
  await other.apply({ ...businessWith([service('svc_a')]), website: { assistants: false } })
  const gone = [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/oauth/authorize',
    '/account',
  ]
  for (const url of gone) await expect.poll(async () => (await other.raw({ method: 'GET', url })).status).toBe(404)
  expect((await register(other, { redirect_uris: [CALLBACK] })).status).toBe(404)
  expect(access).not.toBe('')
})

test('[assistants] of one account are thirty at most: what was not used for longest goes', async () => {
  const { db } = server.runtime
  const { email, kept } = await signedIn(server)
  const account = (await accountOfPassword(server, email, PASSWORD)) ?? ''
  const clients = async () => (await linksOf(db, account, new Date())).map(({ client }) => client)
  expect(await clients()).toEqual([kept.client.client_id])
  const hourAgo = Math.floor(Date.now() / 1000) - 3600
  const grant = (name: string, ago: number) => ({
    model: 'Grant',
    id: name,
    grant_id: name,
    account_id: account,
    expires_at: new Date(Date.now() + 1e9),
    payload: JSON.stringify({ iat: hourAgo - ago, clientId: kept.client.client_id, resources: {} }),
  })
  const names = Array.from({ length: 30 }, (_, index) => `grant ${index}`)
  await db
    .insertInto('oauth_state')
    .values(names.map((name, index) => grant(name, index)))
    .execute()
  // The oldest of them was used a moment ago.
  const used = { ...grant('token', -3600), model: 'RefreshToken', grant_id: 'grant 29' }
  await db.insertInto('oauth_state').values(used).execute()
  await signedIn(server, { email })
  const left = await db
    .selectFrom('oauth_state')
    .select('id')
    .where('model', '=', 'Grant')
    .where('account_id', '=', account)
    .execute()
  expect(left).toHaveLength(30)
  const ids = left.map(({ id }) => id)
  expect(ids).toContain('grant 29')
  expect(names.filter((name) => !ids.includes(name))).toEqual(['grant 27', 'grant 28'])
})
