import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyAssistantToken } from '../../src/core/authentication/verify-assistant-token.ts'
import {
  assistantFind,
  assistantUpsert,
  deleteExpiredAssistants,
  documentId,
} from '../../src/core/tokens/registered-assistants.ts'
import { DAY } from '../../src/infra/time/time-units.ts'
import { assistant } from '../interfaces/assistant/talk.ts'
import { restProof, testKey, testPlatform } from '../support/platform.ts'
import {
  allow,
  askUrl,
  assistantServer,
  CALLBACK,
  clients,
  ENDPOINT,
  exchangeAt,
  fetchFrom,
  freshCode,
  memory,
  register,
  signedIn,
} from './assistant.ts'
import {
  accountWith,
  BACK,
  browser,
  claimsOf,
  hostsOf,
  linked,
  linkingBusiness,
  linkingShop,
  newEmail,
  PASSWORD,
  pkce,
} from './browser.ts'
import { bindings, origin, TOKEN_ENDPOINT } from './support.ts'

const server = await assistantServer()
const shown = (token: string) => ({ token, as: 'Bearer' as const, headers: {} })
const verify = (token: string) => verifyAssistantToken(shown(token), server.runtime, server.time.now)

test.each([
  ['another verifier', { code_verifier: pkce().verifier }],
  ['no verifier', { code_verifier: '' }],
  ['another redirect URI', { redirect_uri: 'http://127.0.0.1:1/callback' }],
  ['another resource', { resource: origin }, 'invalid_target'],
  ['the protocol’s tools as a resource', { resource: `${origin}/usp/mcp` }, 'invalid_target'],
])('[assistants] with %s there is no token', async (_, wrong, error = 'invalid_grant') => {
  const { status, body } = await exchangeAt(server, { ...(await freshCode(server)), ...wrong })
  expect([status, body.error]).toEqual([400, error])
})

test('[assistants] a code is nothing to another', async () => {
  const [stolen, thief] = [await freshCode(server), await register(server, { redirect_uris: [CALLBACK] })]
  const { body } = await exchangeAt(server, { ...stolen, client_id: thief.body.client_id })
  expect(body.error).toBe('invalid_grant')
})

test('[assistants] a code works once, and its second use ends what came of the first', async () => {
  const once = await freshCode(server)
  const { body } = await exchangeAt(server, once)
  expect(await verify(body.access_token)).toBeDefined()
  expect((await exchangeAt(server, once)).body.error).toBe('invalid_grant')
  expect(await verify(body.access_token)).toBeUndefined()
})

test('[mix-up] an assistant that is sent back in the name of another issuer redeems nothing', async () => {
  const { kept, provider } = memory()
  const step = (more = {}) =>
    clients.newer(provider, { serverUrl: ENDPOINT, fetchFn: fetchFrom(server) as typeof fetch, ...more })
  await step()
  const back = await allow(browser(server), String(kept.sentTo))
  const authorizationCode = back.searchParams.get('code') ?? ''
  for (const iss of ['https://evil.example', `${origin}/`, undefined])
    await expect(step({ authorizationCode, ...(iss && { iss }) })).rejects.toThrow(/iss/i)
  expect(kept.tokens).toBeUndefined()
  expect(await step({ authorizationCode, iss: back.searchParams.get('iss') })).toBe('AUTHORIZED')
})

test('[assistants] a refresh token works once, and its second use ends what came of the first', async () => {
  const { client_id, ...code } = await freshCode(server)
  const first = await exchangeAt(server, { client_id, ...code })
  const refresh = () =>
    exchangeAt(server, { grant_type: 'refresh_token', client_id, refresh_token: first.body.refresh_token })
  const { body } = await refresh()
  expect(await verify(body.access_token)).toBeDefined()
  expect((await refresh()).body.error).toBe('invalid_grant')
  expect(await verify(body.access_token)).toBeUndefined()
})

test.each([
  ['the protocol', { resource: origin }, 'invalid_target'],
  ['the protocol’s tools', { resource: `${origin}/usp/mcp` }, 'invalid_target'],
  ['more', { scope: 'usp:booking usp:history' }, 'invalid_scope'],
])('[assistants] a refresh token is good for no token for %s', async (_, more, error) => {
  const { client_id, ...code } = await freshCode(server)
  const { body } = await exchangeAt(server, { client_id, ...code })
  const asked = { grant_type: 'refresh_token', client_id, refresh_token: body.refresh_token, ...more }
  expect((await exchangeAt(server, asked)).body.error).toBe(error)
})

test('[assistants] a code is in no referrer, and the page that gives it in no frame, wherever the booking pages are', async () => {
  const framed = await assistantServer({ website: { origins: ['https://salon.example'] } })
  const { body } = await register(framed, { redirect_uris: ['https://app.example/back'] })
  const person = browser(framed)
  const asked = askUrl(body.client_id, pkce().challenge, { redirect_uri: 'https://app.example/back' })
  const signIn = await person.open(asked)
  const email = newEmail()
  await accountWith(framed, email)
  const consent = await person.send(signIn.at, { do: 'sign_in', email, password: PASSWORD })
  for (const { headers } of [signIn, consent])
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const { headers } = await person.send(consent.at, { do: 'allow', scope: 'usp:booking' })
  expect(headers.location).toMatch(/^https:\/\/app\.example\/back\?code=/)
  expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
})

describe('[assistants] a request', async () => {
  const { body } = await register(server, { redirect_uris: [CALLBACK, 'https://app.example/back'] })
  const ask = (more: Record<string, string>) => browser(server).open(askUrl(body.client_id, pkce().challenge, more))

  test.each([
    ['without a challenge', { code_challenge: '' }, 'invalid_request'],
    ['with a plain one', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for the protocol’s tools', { resource: `${origin}/usp/mcp` }, 'invalid_target'],
    ['for another server', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['for a token at once', { response_type: 'token' }, 'invalid_request'],
    ['for no page', { prompt: 'none' }, 'login_required'],
    ['in an object of its own', { request: 'e30.e30.' }, 'request_not_supported'],
    ['at an address', { request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
  ])('%s is refused, and says whose refusal it is', async (_, wrong, error) => {
    const url = new URL(askUrl(body.client_id, pkce().challenge, wrong))
    for (const [name, value] of Object.entries(wrong)) if (value === '') url.searchParams.delete(name)
    const { headers } = await browser(server).open(url.href)
    const back = new URL((headers.location ?? '').replace('#', '?'))
    expect(back.origin + back.pathname).toBe(CALLBACK)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, iss: origin, state: 'state' })
  })

  test.each([
    { prompt: 'none' },
    { resource: `${origin}/usp/mcp` },
    { code_challenge_method: 'plain' },
    { response_type: 'token' },
  ])('with %j sends nobody away by itself: they are told, and go if they choose to', async (wrong) => {
    const { status, headers, body } = await ask({ redirect_uri: 'https://app.example/back', ...wrong })
    expect([status, headers.location]).toEqual([400, undefined])
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(body).toContain('href="https://app.example/back')
    expect(body).toContain('app.example</a>')
  })

  test.each([{}, { prompt: 'none' }, { scope: 'none' }])(
    'with %j is answered by no page that sends itself on',
    async (more) => {
      const { status, body } = await ask({ response_mode: 'form_post', ...more })
      expect([status, body]).toEqual([400, expect.not.stringMatching(/<form|127\.0\.0\.1:33418/)])
    },
  )

  test('for two resources is refused', async () => {
    const url = new URL(askUrl(body.client_id, pkce().challenge))
    url.searchParams.append('resource', `${origin}/usp/mcp`)
    const { headers } = await browser(server).open(url.href)
    expect(new URL(headers.location ?? '').searchParams.get('error')).toBe('invalid_target')
  })

  test.each([
    'https://evil.example/',
    'https://app.example/back/',
    'https://app.example/back?x=1',
    'https://app.example:8443/back',
    'https://app.example@evil.example/back',
    'http://app.example/back',
    'http://127.0.0.1:33418/other',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1:1@evil.example/callback',
    'http://localhost:33418/callback',
    'javascript:alert(1)',
    '',
  ])('that wants the person back at %s leads nowhere', async (redirect_uri) => {
    const { status, headers, body } = await ask({ redirect_uri })
    expect(status).toBe(400)
    expect(headers).not.toHaveProperty('location')
    expect(hostsOf(body)).not.toContainEqual(expect.stringContaining('evil.example'))
  })

  test('may name any port of the machine it runs on', async () => {
    const { status, headers } = await ask({ redirect_uri: 'http://127.0.0.1:50123/callback' })
    expect([status, headers.location]).toEqual([200, undefined])
  })

  test.each([{ scope: '' }, { scope: 'openid profile' }])('that knows of no scope %o asks to book', async (more) => {
    const back = await allow(browser(server), askUrl(body.client_id, pkce().challenge, more))
    expect(back.searchParams.has('code')).toBe(true)
  })
})

describe('[assistants] a token', async () => {
  const { shop, client } = await linkingShop(linkingBusiness({}, { website: {} }))
  const calls = bindings(shop, await testPlatform())
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  test('of one is nothing to the protocol, on either binding', async () => {
    const { access } = await signedIn(shop)
    expect((await calls.rest(bearer(access))).code).toBe('authentication_required')
    expect((await calls.mcp(bearer(access))).code).toBe('authentication_required')
    const inBody = { authorization: { mechanism: 'oauth2_bearer', credential: access } }
    expect((await calls.mcp(inBody)).code).toBe('authentication_required')
  })

  test('of a platform is nothing to the endpoint of assistants, nor is a refresh token', async () => {
    const { access, refresh } = await linked(shop, client)
    expect(claimsOf(access).aud).toBe(origin)
    const { runtime, time } = shop
    for (const token of [access, refresh, '', 'a.b.c'])
      expect(await verifyAssistantToken(shown(token), runtime, time.now)).toBeUndefined()
  })

  test('for the endpoint of assistants is not given to a platform', async () => {
    const url = askUrl(client.id, pkce().challenge, { redirect_uri: BACK })
    const { headers } = await browser(shop).open(url)
    expect(new URL(headers.location ?? '').searchParams.get('error')).toBe('invalid_target')
  })

  test('of one without anybody’s leave is not given at all', async () => {
    const { body } = await register(shop, { redirect_uris: [CALLBACK] })
    const { client_id } = body
    const answer = await exchangeAt(shop, { grant_type: 'client_credentials', client_id })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
  })

  test('that is bound to a key is taken with a proof of the call by that key, once, and not without', async () => {
    const key = testKey()
    const atTokens = restProof(key, 'POST', TOKEN_ENDPOINT, new Date())
    const { body } = await exchangeAt(server, await freshCode(server), { dpop: atTokens })
    expect(body.token_type).toBe('DPoP')
    const token: string = body.access_token
    expect(await verify(token)).toBeUndefined()
    const ath = hash('sha256', token, 'base64url')
    const proofBy = (one = key, url = ENDPOINT) => restProof(one, 'POST', url, server.time.now, { ath })
    const call = async (dpop: string, scheme = 'DPoP') =>
      (await assistant(server, { headers: { authorization: `${scheme} ${token}`, dpop } }).send('tools/list')).status
    const proof = proofBy()
    expect(await call(proof)).toBe(200)
    const refused = [proof, proofBy(testKey()), proofBy(key, TOKEN_ENDPOINT), '']
    expect(await Promise.all(refused.map((one) => call(one)))).toEqual([401, 401, 401, 401])
    expect(await call(proofBy(), 'Bearer')).toBe(401)
    const { access } = await signedIn(server)
    const free = assistant(server, { headers: { authorization: `DPoP ${access}`, dpop: proofBy() } })
    expect((await free.send('tools/list')).status).toBe(401)
  })

  test('ends with its time', async () => {
    const { access } = await signedIn(server)
    const later = new Date(server.time.now.getTime() + 700_000)
    expect(await verifyAssistantToken(shown(access), server.runtime, later)).toBeUndefined()
  })
})

describe('[assistants] a registration', () => {
  test.each([
    ['that is no JSON', '{', 'invalid_client_metadata'],
    ['that nests deep', '['.repeat(50), 'invalid_client_metadata'],
    ['without addresses', {}, 'invalid_redirect_uri'],
    ['with none', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['with ever so many', { redirect_uris: Array(21).fill(CALLBACK) }, 'invalid_redirect_uri'],
    [
      'with one that is too long',
      { redirect_uris: [`https://app.example/${'x'.repeat(500)}`] },
      'invalid_redirect_uri',
    ],
    ['with a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['without TLS', { redirect_uris: ['http://app.example/back'] }, 'invalid_redirect_uri'],
    ['with a fragment', { redirect_uris: ['https://app.example/back#x'] }, 'invalid_redirect_uri'],
    ['with a password', { redirect_uris: ['https://a:b@app.example/back'] }, 'invalid_redirect_uri'],
    ['with TLS on this machine', { redirect_uris: ['https://localhost/back'] }, 'invalid_redirect_uri'],
    ['with another scheme alone', { redirect_uris: ['cursor://callback'] }, 'invalid_redirect_uri'],
    ['with a space', { redirect_uris: ['https://app.example/a b'] }, 'invalid_redirect_uri'],
    ['with a line break', { redirect_uris: ['https://app.example/back\n'] }, 'invalid_redirect_uri'],
    ['with a letter beyond ASCII', { redirect_uris: ['https://\u0430pp.example/back'] }, 'invalid_redirect_uri'],
    ['with what is no address', { redirect_uris: [null, 7, {}, 'https://'] }, 'invalid_redirect_uri'],
  ])('%s is refused', async (_, metadata, error) => {
    const { status, body } = await register(server, metadata)
    expect([status, body.error]).toEqual([400, error])
    expect(body.error_description).toMatch(/\.$/)
  })

  test('that is larger than any honest one is refused', async () => {
    const { status } = await register(server, { redirect_uris: [CALLBACK], client_name: 'x'.repeat(17_000) })
    expect(status).toBe(413)
  })

  test('without a name goes by its address, and a long name is cut', async () => {
    const nameless = await register(server, { redirect_uris: [CALLBACK], client_name: ' \u0000\n' })
    expect(nameless.body.client_name).toBe('127.0.0.1:33418')
    const long = await register(server, { redirect_uris: [CALLBACK], client_name: 'x'.repeat(1_000) })
    expect(long.body.client_name).toHaveLength(60)
  })

  test('cannot go on in our words after its name', async () => {
    const client_name = 'Claude”, whom we know well, or “«another»'
    const { body } = await register(server, { redirect_uris: [CALLBACK], client_name })
    expect(body.client_name).toBe("Claude', whom we know well, or ''another'")
    const { body: page } = await browser(server).open(askUrl(body.client_id, pkce().challenge))
    expect(page).not.toContain('Claude”')
  })

  test('[flood] of one network fills only its own share, those in use do not count, and the rest are gone after a day', async () => {
    const flooded = await assistantServer({}, { TRUST_PROXY: '127.0.0.1' })
    const from = (address: string) => register(flooded, { redirect_uris: [CALLBACK] }, { 'x-forwarded-for': address })
    const { db } = flooded.runtime
    const kept = () => db.selectFrom('assistants').select(['id', 'network']).execute()
    const inUse = (await freshCode(flooded)).client_id
    for (let number = 0; number < 100; number++) expect((await from(`2001:db8::${number}`)).status).toBe(201)
    const refused = await from('2001:db8:0:ff::1')
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect((await from('198.51.100.7')).status).toBe(201)
    expect(await kept()).toHaveLength(102)
    await deleteExpiredAssistants(db, new Date(flooded.time.now.getTime() + DAY + 1_000))
    expect(await kept()).toEqual([{ id: inUse, network: null }])
    await deleteExpiredAssistants(db, new Date(flooded.time.now.getTime() + 365 * DAY))
    expect(await kept()).toHaveLength(1)
    await deleteExpiredAssistants(db, new Date(flooded.time.now.getTime() + 367 * DAY))
    expect(await kept()).toEqual([])
  })

  test('[flood] of many networks makes the oldest go that nobody let act', async () => {
    const { runtime, time } = await assistantServer()
    const enter = (number: number, network: string) =>
      assistantUpsert(
        runtime.db,
        { id: `app_${number}`, name: 'x', redirect_uris: [CALLBACK], network },
        new Date(time.now.getTime() + number),
      )
    await enter(0, 'first')
    await runtime.db
      .insertInto('assistants')
      .values(
        Array.from({ length: 9_999 }, (_, index) => ({
          id: `app_n${index}`,
          name: 'x',
          redirect_uris: [CALLBACK],
          network: String(index),
          kept_until: new Date(time.now.getTime() + DAY + 1_000 + index),
        })),
      )
      .execute()
    expect(await assistantFind(runtime.db, 'app_0')).toBeDefined()
    await enter(5_000_000, 'last')
    expect(await assistantFind(runtime.db, 'app_0')).toBeUndefined()
    expect(await assistantFind(runtime.db, 'app_5000000')).toBeDefined()
  })
})

describe('[assistants] a document', async () => {
  const host = await testPlatform()
  const site = new URL(host.url).origin
  const open = (clientId: string, on = server) => browser(on).open(askUrl(clientId, pkce().challenge))
  let documents = 0
  /** One that nobody has read yet. */
  const publish = (change: (metadata: Record<string, unknown>) => unknown = (metadata) => metadata) => {
    const url = `${site}/client-${documents++}.json`
    const metadata = { client_id: url, client_name: 'Claude', redirect_uris: [CALLBACK] }
    host.answer = (_, response) => response.end(JSON.stringify(change(metadata)))
    return url
  }
  const refused = async (clientId: string, why: string, on = server) => {
    const { status, headers, body } = await open(clientId, on)
    expect([status, headers.location]).toEqual([400, undefined])
    expect(body).toContain(why)
  }

  test.each([
    [{ client_name: undefined }, 'has no client_name'],
    [{ client_name: ' ' }, 'has no client_name'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'another token_endpoint_auth_method than none'],
  ])('with %j is refused in a sentence', async (more, why) => {
    await refused(
      publish((metadata) => ({ ...metadata, ...more })),
      why,
    )
  })

  test('lets its assistant ask', async () => {
    const { status, body } = await open(publish())
    expect([status, String(body).includes('“Claude”')]).toEqual([200, true])
  })

  test.each([
    ['https://10.0.0.1/client.json', 'not on the public internet'],
    ['https://169.254.169.254/client.json', 'not on the public internet'],
    ['https://[::ffff:10.0.0.1]/client.json', 'address itself'],
    ['https://localhost./', ''],
    [`${'https://app.example'}/`, 'with a path'],
    ['https://app.example', 'with a path'],
    ['https://app.example/a/../client.json', 'with a path'],
    ['https://app.example/client.json#x', 'with a path'],
    ['https://APP.example/client.json', 'with a path'],
    ['https://user:secret@app.example/client.json', 'user name or password'],
    [`https://app.example/${'x'.repeat(2_000)}`, 'longer than 2000 bytes'],
  ])('at %s is not read', async (url, why) => {
    const before = host.fetched
    const { status, headers, body } = await open(url)
    expect([status, headers.location, host.fetched]).toEqual([400, undefined, before])
    expect(body).toContain(why === 'address itself' ? 'Details for the app' : why)
  })

  test('inside is not read in production, by whatever name', async () => {
    const out = await assistantServer(
      {},
      {
        USP_MODE: 'production',
        DATABASE_URL: 'postgres://u@h/d',
        BASE_URL: 'https://book.example',
        USP_SECRET_KEY: 'x'.repeat(32),
        TRUST_PROXY: '127.0.0.1',
      },
    )
    const before = host.fetched
    for (const url of [`${site}/client.json`, `${site.replace('127.0.0.1', 'localhost')}/client.json`]) {
      const { pathname, search } = new URL(askUrl(url, pkce().challenge))
      const headers = { 'x-forwarded-proto': 'https' }
      const { status, body } = await out.raw({ method: 'GET', url: pathname + search, headers })
      expect([status, String(body).includes('not on the public internet')]).toEqual([400, true])
    }
    expect(host.fetched).toBe(before)
  })

  test('is read without following anywhere', async () => {
    const url = publish()
    host.answer = (_, response) => response.writeHead(302, { location: `${site}/elsewhere` }).end()
    await refused(url, 'status 302')
  })

  test('that is huge is given up', async () => {
    await refused(
      publish((metadata) => ({ ...metadata, padding: 'x'.repeat(20_000) })),
      'more than 16384 bytes',
    )
  })

  test('that never comes is given up', async () => {
    const url = publish()
    host.answer = () => {}
    const began = performance.now()
    await refused(url, 'did not answer')
    expect(performance.now() - began).toBeLessThan(7_000)
  }, 15_000)

  test.each([
    ['is not JSON', () => 'nonsense', 'client_id'],
    [
      'holds another client id',
      (it: object) => ({ ...it, client_id: 'https://other.example/client.json' }),
      'client_id',
    ],
    ['holds none', ({ client_id: _, ...it }: Record<string, unknown>) => it, 'client_id'],
    ['has nowhere to go back to', (it: object) => ({ ...it, redirect_uris: ['ftp://x'] }), 'redirect_uris'],
  ])('that %s is no good', async (_, change, why) => {
    await refused(publish(change), why)
  })

  test('lets nobody go to where it does not say', async () => {
    const url = publish((metadata) => ({ ...metadata, redirect_uris: ['https://app.example/back'] }))
    const { status, headers } = await open(url)
    expect([status, headers.location]).toEqual([400, undefined])
  })

  test('is the only name of its assistant: by the id it has here nobody asks', async () => {
    const url = publish()
    await open(url)
    await refused(documentId(url), 'must be the address')
  })

  test('is read again when it is old, and goes by what it says then', async () => {
    const other = await assistantServer()
    const url = publish()
    await open(url, other)
    const before = host.fetched
    await open(url, other)
    expect(host.fetched).toBe(before)
    other.time.now = new Date(other.time.now.getTime() + 6 * 60_000)
    host.answer = (_, response) =>
      response.end(JSON.stringify({ client_id: url, client_name: 'Renamed', redirect_uris: [CALLBACK] }))
    expect((await open(url, other)).body).toContain('“Renamed”')
    expect(host.fetched).toBe(before + 1)
  })

  test('counts for whoever sends somebody with it', async () => {
    const few = await assistantServer({ limits: { profiles: 2 } })
    const statuses = []
    for (let number = 0; number < 4; number++) statuses.push((await open(publish(), few)).status)
    expect(statuses).toEqual([200, 200, 429, 429])
  })
})
