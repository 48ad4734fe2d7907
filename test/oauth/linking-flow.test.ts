import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { definitionFaults } from '../../src/domain/definition/check-definition.ts'
import { testServer } from '../support/server.ts'
import {
  accountWith,
  authorizeUrl,
  BACK,
  browser,
  claimsOf,
  comeBack,
  exchange,
  linked,
  linkingBusiness,
  linkingShop,
  newEmail,
  PASSWORD,
  pkce,
} from './browser.ts'
import { business, grant, oauthServer, origin, post, TOKEN_ENDPOINT } from './support.ts'

const { shop, client } = await linkingShop()
const METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']

test.each(METADATA)('[AUT-066] [AUT-067] %s tells where and how a buyer is asked, by the very issuer', async (url) => {
  const { status, body } = await shop.raw({ method: 'GET', url, headers: { host: 'attacker.example' } })
  expect(status).toBe(200)
  expect(body).toEqual({
    issuer: shop.runtime.config.baseUrl,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: TOKEN_ENDPOINT,
    revocation_endpoint: `${origin}/oauth/revoke`,
    jwks_uri: `${origin}/oauth/jwks`,
    scopes_supported: ['usp:booking', 'usp:history', 'usp:preferences', 'usp:loyalty'],
    grant_types_supported: expect.arrayContaining(['client_credentials', 'authorization_code', 'refresh_token']),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    dpop_signing_alg_values_supported: ['EdDSA', 'ES256', 'Ed25519'],
  })
})

describe('where it is not offered', async () => {
  const { server, client } = await oauthServer(business())

  test.each(['/oauth/authorize', '/oauth/authorize/x', METADATA[1], '/link/x', '/account'])(
    '[AUT-066] there is no %s',
    async (url) => {
      expect((await server.raw({ method: 'GET', url: String(url) })).status).toBe(404)
    },
  )

  test('[AUT-066] and the metadata do not speak of it', async () => {
    const { body } = await server.raw({ method: 'GET', url: String(METADATA[0]) })
    expect(body.grant_types_supported).toEqual(['client_credentials'])
    expect(body).not.toHaveProperty('authorization_endpoint')
    expect(body).not.toHaveProperty('scopes_supported')
  })

  test('a code opens nothing', async () => {
    const { status, body } = await exchange(server, client, { code: 'x', code_verifier: 'y' })
    expect([status, body.error]).toEqual([400, 'unsupported_grant_type'])
  })
})

test('the business definition switches it on and off while the server runs', async () => {
  const other = await testServer(linkingBusiness())
  const status = async () => (await other.raw({ method: 'GET', url: '/account' })).status
  expect(await status()).toBe(200)
  await other.apply(linkingBusiness({ identity_linking: false }))
  await expect.poll(status).toBe(404)
})

test('[AUT-068] who has an account signs in to it on the way, each time to the same, however the address is written', async () => {
  const email = newEmail()
  const first = await linked(shop, client, { email })
  const again = await linked(shop, client, { email: ` ${email.toUpperCase()} ` })
  expect(claimsOf(first.access).sub).toMatch(/^buy_/)
  expect(claimsOf(again.access).sub).toBe(claimsOf(first.access).sub)
  expect(claimsOf((await linked(shop, client)).access).sub).not.toBe(claimsOf(first.access).sub)
})

test('[AUT-068] who signed in by a password is for half an hour, is asked for each link, and can sign out there', async () => {
  const person = browser(shop)
  const email = newEmail()
  await comeBack(person, client, pkce().challenge, { email })
  const consent = await person.open(authorizeUrl(client, pkce().challenge))
  expect(consent.headers).not.toHaveProperty('location')
  expect(consent.body).toContain('<h1>Allow Concierge &lt;App&gt; access to your account?</h1>')
  expect(consent.body).toContain(`You are signed in as ${email}.`)
  const before = shop.time.now
  shop.time.now = new Date(before.getTime() + 30 * 60_000)
  expect((await person.open(authorizeUrl(client, pkce().challenge))).body).toContain('<h1>Sign in</h1>')
  shop.time.now = before
  const unknown = await person.send(consent.at, { do: 'other' })
  expect(unknown.body).toContain(`You are signed in as ${email}.`)
  const out = await person.send(consent.at, { do: 'leave' })
  expect(out.at).toBe(consent.at)
  expect(out.body).toContain('<h1>Sign in</h1>')
  const other = await comeBack(person, client, pkce().challenge)
  expect(other.searchParams.has('code')).toBe(true)
})

test('[a request that cannot be answered] is explained in the language that is chosen there, or was before', async () => {
  const person = browser(shop)
  const asked = authorizeUrl({ id: 'none' }, pkce().challenge)
  const { status, body } = await person.open(asked)
  expect([status, body.includes('<h1>This link does not work</h1>')]).toEqual([400, true])
  const link = /<a href="([^"]*lang=de)" lang="de"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const there = new URL(link, asked)
  expect([there.pathname, there.searchParams.get('state')]).toEqual(['/oauth/authorize', 'st&te'])
  for (const said of [
    await person.open(there.href),
    await person.visit('GET', asked, undefined, { cookie: 'lang=de' }),
  ])
    expect([said.headers['content-language'], said.body]).toEqual(['de', expect.stringContaining('<html lang="de"')])
})

test('[AUT-071] the buyer comes back to the platform with the code, the state and the issuer', async () => {
  const back = await comeBack(browser(shop), client, pkce().challenge)
  expect(back.origin + back.pathname).toBe(BACK)
  expect(Object.fromEntries(back.searchParams)).toEqual({ code: expect.any(String), state: 'st&te', iss: origin })
})

test('[AUT-071] [AUT-074] a buyer who says no comes back with that, the state and the issuer', async () => {
  const person = browser(shop)
  const signIn = await person.open(authorizeUrl(client, pkce().challenge))
  const { headers } = await person.send(signIn.at, { do: 'deny' })
  const said = Object.fromEntries(new URL(headers.location ?? '').searchParams)
  expect(said).toMatchObject({ error: 'access_denied', state: 'st&te', iss: origin })
})

test('[AUT-072] the code is exchanged with the secret of the client, for both tokens', async () => {
  const { verifier: code_verifier, challenge } = pkce()
  const code = (await comeBack(browser(shop), client, challenge)).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, code_verifier, redirect_uri: BACK }
  const open = await post(shop, '/oauth/token', { ...form, client_id: client.id })
  expect([open.status, open.body.error]).toEqual([401, 'invalid_client'])
  const wrong = await exchange(shop, { ...client, secret: 'ucs_wrong' }, { code, code_verifier })
  expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client'])
  const { status, body, headers } = await exchange(shop, client, { code, code_verifier })
  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_in: 600,
    token_type: 'Bearer',
    scope: 'usp:booking usp:history',
  })
  const { body: jwks } = await shop.raw({ method: 'GET', url: '/oauth/jwks' })
  const { payload, protectedHeader } = await jwtVerify(body.access_token, createLocalJWKSet(jwks))
  expect(protectedHeader.typ).toBe('at+jwt')
  expect(payload).toMatchObject({ iss: origin, aud: origin, client_id: client.id, sub: expect.stringMatching(/^buy_/) })
})

test.each([
  ['all that was asked for', ['usp:booking', 'usp:history'], ['usp:booking', 'usp:history']],
  ['a part of it', ['usp:booking', 'usp:history'], ['usp:history']],
  ['every scope there is', ['usp:booking', 'usp:history', 'usp:preferences', 'usp:loyalty'], ['usp:loyalty']],
  ['more than was asked for', ['usp:history'], ['usp:booking', 'usp:history']],
  ['what is known of it', ['openid', 'usp:history', 'com.example.other'], ['openid', 'usp:history']],
])('[AUT-074] the token carries what the buyer granted: %s', async (_, asked, ticked) => {
  const { scope, access } = await linked(shop, client, { asked: asked.join(' '), granted: ticked })
  const expected = ticked.filter((one) => asked.includes(one) && one.startsWith('usp:')).join(' ')
  expect(scope).toBe(expected)
  expect(claimsOf(access).scope).toBe(expected)
})

test('[AUT-074] who ticks nothing grants nothing', async () => {
  const back = await comeBack(browser(shop), client, pkce().challenge, { granted: [] })
  expect(back.searchParams.get('error')).toBe('access_denied')
  expect(back.searchParams.has('code')).toBe(false)
})

test('[AUT-074] each scope is told in words, and the names of both sides are text', async () => {
  const person = browser(shop)
  const signIn = await person.open(authorizeUrl(client, pkce().challenge, { scope: 'usp:booking usp:loyalty' }))
  const email = '<b>&@example.com'
  await accountWith(shop, email)
  const { body, headers } = await person.send(signIn.at, { do: 'sign_in', email, password: PASSWORD })
  for (const text of [
    'Concierge &lt;App&gt;',
    '&lt;b&gt;&amp;@example.com',
    'Book for you here',
    'See your loyalty rewards',
    'platform.example',
  ])
    expect(body).toContain(text)
  expect(body).not.toContain('past bookings')
  expect(headers['content-security-policy']).toContain("form-action 'self' https: https://platform.example")
  expect(headers['content-security-policy']).toContain("default-src 'none'")
})

test('[AUT-074] a platform by itself has no scope, however it asks', async () => {
  const { body } = await post(
    shop,
    '/oauth/token',
    { ...grant, scope: 'usp:booking' },
    {
      authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
    },
  )
  expect(claimsOf(body.access_token)).not.toHaveProperty('scope')
})

test.each([
  ['takes the tokens of another issuer', { oauth_issuer: 'https://login.example' }, 1],
  ['takes no tokens', { accepted_mechanisms: ['api_key' as const] }, 1],
  ['takes its own among others', { accepted_mechanisms: ['api_key' as const, 'oauth2_bearer' as const] }, 0],
  ['says nothing of it', {}, 0],
])('a business that %s can offer it or is told that it cannot', (_, authorization, faults) => {
  const found = definitionFaults(linkingBusiness(authorization))
  expect(found.filter(({ field }) => field === 'authorization.identity_linking')).toHaveLength(faults)
})
