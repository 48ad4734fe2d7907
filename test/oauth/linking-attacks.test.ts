import { beforeAll, describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { accountErase, accountInsert } from '../../src/domain/accounts/buyer-accounts.ts'
import { sameBut } from '../my-bookings/visitor.ts'
import {
  accountOfPassword,
  accountWith,
  authorizeUrl,
  BACK,
  browser,
  claimsOf,
  comeBack,
  exchange,
  hostsOf,
  linked,
  linkingBusiness,
  linkingShop,
  newEmail,
  PASSWORD,
  pkce,
  refresh,
  silentShop,
} from './browser.ts'
import { basic, grant, origin, post } from './support.ts'

const { shop, client } = await linkingShop()
const other = await addClient(shop.runtime.db, 'Other', new Date(), ['https://other.example/back'])

/** A code, fresh from the buyer, and what it takes. */
async function fresh() {
  const { verifier, challenge } = pkce()
  const code = (await comeBack(browser(shop), client, challenge)).searchParams.get('code') ?? ''
  return { code, code_verifier: verifier }
}

test.each([
  ['no verifier', { code_verifier: '' }],
  ['another verifier', { code_verifier: pkce().verifier }],
  ['another redirect URI', { redirect_uri: 'https://platform.example/back/' }],
])('[AUT-069] with %s there is no token', async (_, wrong) => {
  const { status, body } = await exchange(shop, client, { ...(await fresh()), ...wrong })
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
  expect(body).not.toHaveProperty('access_token')
})

test('[AUT-069] the challenge itself is no verifier', async () => {
  const { challenge } = pkce()
  const code = (await comeBack(browser(shop), client, challenge)).searchParams.get('code') ?? ''
  const { status, body } = await exchange(shop, client, { code, code_verifier: challenge })
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
})

test('[AUT-072] a code is nothing to another client', async () => {
  const stolen = await fresh()
  const { status, body } = await exchange(shop, other, stolen)
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
})

test.each([
  ['no challenge', { code_challenge: '', code_challenge_method: '' }],
  ['a plain challenge', { code_challenge_method: 'plain' }],
  ['a challenge of no method', { code_challenge_method: '' }],
])('[AUT-070] a request with %s is refused', async (_, wrong) => {
  const url = new URL(authorizeUrl(client, pkce().challenge, wrong))
  for (const [name, value] of Object.entries(wrong)) if (value === '') url.searchParams.delete(name)
  const { headers } = await browser(shop).open(url.href)
  const back = new URL(headers.location ?? '')
  expect(back.origin + back.pathname).toBe(BACK)
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'invalid_request', state: 'st&te', iss: origin })
})

test.each([
  ['scopes that are not known', { scope: 'openid com.example.other' }, 'invalid_scope'],
  ['no scope', { scope: '' }, 'invalid_scope'],
  ['no page for the buyer', { prompt: 'none' }, 'login_required'],
  ['a token at once', { response_type: 'token' }, 'invalid_request'],
  ['another resource', { resource: 'https://elsewhere.example' }, 'invalid_target'],
  ['the code where scripts read it', { response_mode: 'fragment' }, 'invalid_request'],
])('a platform that asks for %s is told so', async (_, wrong, error) => {
  const { headers } = await browser(shop).open(authorizeUrl(client, pkce().challenge, wrong))
  const back = new URL((headers.location ?? '').replace('#', '?'))
  expect([back.origin + back.pathname, back.searchParams.get('error')]).toEqual([BACK, error])
})

test.each([
  ['an unknown client', { client_id: 'cli_none' }],
  ['a client id with a NUL', { client_id: 'cli_\0' }],
  ['a redirect URI that is not registered', { redirect_uri: 'https://evil.example/' }],
  ['one that begins like one that is', { redirect_uri: `${BACK}.evil.example` }],
  ['the registered one with a query', { redirect_uri: `${BACK}?x=1` }],
  ['a redirect URI of another client', { redirect_uri: 'https://other.example/back' }],
  ['no redirect URI', { redirect_uri: '' }],
])('%s is sent nowhere', async (_, wrong) => {
  const { status, headers, body } = await browser(shop).open(authorizeUrl(client, pkce().challenge, wrong))
  expect(status).toBe(400)
  expect(headers).not.toHaveProperty('location')
  expect(hostsOf(String(body))).not.toContainEqual(expect.stringContaining('evil.example'))
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
})

test('a client without redirect URIs cannot ask a buyer', async () => {
  const plain = await addClient(shop.runtime.db, 'Plain', new Date())
  const { status, headers } = await browser(shop).open(authorizeUrl(plain, pkce().challenge))
  expect(status).toBe(400)
  expect(headers).not.toHaveProperty('location')
  // It still works for itself.
  const { body } = await post(shop, '/oauth/token', grant, basic(plain))
  expect(body).toMatchObject({ access_token: expect.any(String), token_type: 'Bearer' })
})

test('text that no database can hold is refused', async () => {
  const { status } = await browser(shop).open(authorizeUrl(client, pkce().challenge, { state: 'a\0b' }))
  expect(status).toBe(400)
})

test('[AUT-073] a code works once, and its second use ends what came of the first', async () => {
  const once = await fresh()
  const { body } = await exchange(shop, client, once)
  const again = await exchange(shop, client, once)
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
  expect((await refresh(shop, client, body.refresh_token)).body.error).toBe('invalid_grant')
  expect(await shop.runtime.accessTokens.verify(body.access_token, undefined, new Date())).toBeUndefined()
})

test('[AUT-073] of many who use one code at once not two get in', async () => {
  const once = await fresh()
  const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(shop, client, once)))
  const tokens = answers.filter(({ status }) => status === 200)
  expect(tokens.length).toBeLessThanOrEqual(1)
  for (const { body } of tokens)
    expect(await shop.runtime.accessTokens.verify(body.access_token, undefined, new Date())).toBeUndefined()
  expect((await exchange(shop, client, once)).body.error).toBe('invalid_grant')
})

test('[AUT-073] a code is good for a minute', async () => {
  const late = await fresh()
  const before = shop.time.now
  shop.time.now = new Date(Date.now() + 61_000)
  expect((await exchange(shop, client, late)).body.error).toBe('invalid_grant')
  shop.time.now = before
})

describe('the pages', () => {
  const open = async () => {
    const person = browser(shop)
    return { person, ...(await person.open(authorizeUrl(client, pkce().challenge))) }
  }
  const email = newEmail()
  const signIn = { do: 'sign_in', email, password: PASSWORD }
  beforeAll(() => accountWith(shop, email))

  test('are of the browser that was sent there', async () => {
    const { at } = await open()
    const stranger = browser(shop)
    expect((await stranger.open(at)).status).toBe(404)
    expect((await stranger.send(at, signIn)).status).toBe(404)
  })

  test('of one request do not answer another, in the same browser', async () => {
    const { person, at } = await open()
    const [cookie] = [...person.jar].find(([name]) => name.startsWith('usp_link /')) ?? ['']
    const uid = person.jar.get(cookie)?.value ?? ''
    const other = await shop.raw({ method: 'GET', url: '/link/other', headers: { cookie: `usp_link=${uid}` } })
    expect(other.status).toBe(404)
    expect((await person.open(at)).status).toBe(200)
  })

  test.each([{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site', origin: 'null' }])(
    'take no form of another site: %o',
    async (headers) => {
      const { person, at } = await open()
      expect((await person.send(at, signIn, headers)).status).toBe(403)
      const consent = await person.send(at, signIn)
      const allow = await person.send(consent.at, { do: 'allow', scope: 'usp:booking' }, headers)
      expect(allow.status).toBe(403)
    },
  )

  test('grant nothing before the buyer has signed in', async () => {
    const { person, at } = await open()
    const answer = await person.send(at, { do: 'allow', scope: 'usp:booking' })
    expect(answer.headers).not.toHaveProperty('location')
    expect(answer.body).toContain('<h1>Sign in</h1>')
    const ahead = await person.open(at.replace('/link/', '/oauth/authorize/'))
    expect(ahead.headers.location ?? '').not.toContain('code=')
  })

  test('give no code to who signs in and leaves out the question', async () => {
    const { person, at } = await open()
    await person.send(at, signIn)
    const ahead = await person.open(at.replace('/link/', '/oauth/authorize/'))
    expect(ahead.headers.location ?? '').not.toContain('code=')
  })

  test('are kept by nobody, framed by nobody and run our own script alone', async () => {
    const { headers, body } = await open()
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(body.match(/<script.*?>/g)).toEqual(['<script type="module" src="/assets/pages.js">'])
  })

  test('set cookies that no script reads and no other site sends along, over https alone where that is spoken', async () => {
    const secure = await linkingShop(linkingBusiness(), { BASE_URL: 'https://book.example' })
    for (const [server, asker] of [
      [shop, client],
      [secure.shop, secure.client],
    ] as const) {
      const { pathname, search } = new URL(authorizeUrl(asker, pkce().challenge))
      const { headers } = await server.raw({ method: 'GET', url: pathname + search })
      const cookies = [headers['set-cookie']].flat().map(String)
      expect(cookies).toHaveLength(2)
      for (const cookie of cookies) {
        expect(cookie).toMatch(/httponly/i)
        expect(cookie).toMatch(/samesite=lax/i)
        expect(/; secure/i.test(cookie)).toBe(server !== shop)
      }
    }
  })
})

describe('passwords', () => {
  const email = newEmail()
  const at = async () => {
    const person = browser(shop)
    const page = await person.open(authorizeUrl(client, pkce().challenge))
    return (form: Record<string, string>) => person.send(page.at, form)
  }

  test('[AUT-068] an unknown address and a wrong password are answered alike, and take as long', async () => {
    await linked(shop, client, { email })
    const send = await at()
    const timed = async (form: Record<string, string>) => {
      const began = performance.now()
      const { status, body } = await send({ do: 'sign_in', ...form })
      const text = sameBut({ status, headers: {}, body }).body.replaceAll(form.email ?? '', '')
      return { status, text, took: performance.now() - began }
    }
    const wrong = await timed({ email, password: 'wrong horse battery' })
    const unknown = await timed({ email: 'nobody@example.com', password: PASSWORD })
    expect(unknown.status).toBe(wrong.status)
    expect(unknown.text).toBe(wrong.text)
    expect(unknown.took).toBeGreaterThan(wrong.took / 5)
  })

  describe('where nothing can be mailed', async () => {
    const { shop: silent } = await silentShop()
    const { db } = silent.runtime
    const send = (form: Record<string, string>) =>
      browser(silent).send('/account', { do: 'create', ...form }, { 'x-forwarded-proto': 'https' })

    test.each([
      ['too short', { password: 'short' }, 'at least 10 characters'],
      ['with no address', { email: 'nobody' }, 'your email address'],
    ])('an account is not made %s', async (_, wrong, told) => {
      const { status, body } = await send({ email: newEmail(), password: PASSWORD, ...wrong })
      expect([status, body.includes(told)]).toEqual([422, true])
    })

    test('[sign-up tells nothing] an address that has an account gets another, and each password opens its own', async () => {
      const taken = newEmail()
      const join = async (email: string, password: string) => {
        const began = performance.now()
        const { status, headers, body } = await send({ email, password })
        const told = Object.keys(headers).filter((name) => name !== 'set-cookie')
        return { said: { status, told, body: body.replaceAll(email, '') }, took: performance.now() - began }
      }
      const fresh = await join(taken, PASSWORD)
      const again = await join(taken, 'another horse battery')
      const other = await join(newEmail(), 'another horse battery')
      expect(again.said).toEqual(other.said)
      expect(fresh.said).toEqual(other.said)
      expect(again.took).toBeGreaterThan(other.took / 5)
      expect(other.took).toBeGreaterThan(again.took / 5)

      const accounts = () => db.selectFrom('buyer_accounts').select('id').where('email', '=', taken).execute()
      expect(await accounts()).toHaveLength(2)
      await join(taken, PASSWORD)
      expect(await accounts()).toHaveLength(2)
      const opened = await Promise.all(
        [PASSWORD, 'another horse battery', 'neither of the two'].map((one) => accountOfPassword(silent, taken, one)),
      )
      expect(opened).toEqual([expect.any(String), expect.any(String), undefined])
      expect(opened[0]).not.toBe(opened[1])
      await accountErase(db, taken)
      expect(await accounts()).toEqual([])
    })

    test('[sign-up tells nothing] of many who sign up at once under one address each gets in again', async () => {
      const crowd = newEmail()
      const passwords = Array.from({ length: 5 }, (_, index) => `password number ${index}`)
      await Promise.all(passwords.map((one) => accountInsert(db, crowd, one, new Date())))
      const opened = await Promise.all(passwords.map((one) => accountOfPassword(silent, crowd, one)))
      expect(new Set(opened).size).toBe(5)
      expect(opened).not.toContain(undefined)
    })
  })

  const from = (address: string) => ({ 'x-forwarded-for': address })

  test('[AUT-068] who guesses has to wait, for each account and from each address, and then the right one is no good either', async () => {
    const { shop: proxied } = await linkingShop(linkingBusiness(), { TRUST_PROXY: '127.0.0.1' })
    const guessed = newEmail()
    const send = (form: Record<string, string>, address: string) =>
      browser(proxied).send('/account', form, from(address))
    await accountWith(proxied, guessed)
    const guess = (number: number) =>
      send({ do: 'sign_in', email: guessed, password: `wrong horse ${number}` }, `2001:db8::${number}`)
    const statuses: number[] = []
    for (let number = 0; number < 12; number++) statuses.push((await guess(number)).status)
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429])
    const right = await send({ do: 'sign_in', email: guessed, password: PASSWORD }, '2001:db8::ffff')
    expect([right.status, Number(right.headers['retry-after']) > 0]).toEqual([429, true])

    const few = await linkingShop(linkingBusiness({}, { limits: { failed_authentications: 2 } }))
    const other = browser(few.shop)
    const page = await other.open(authorizeUrl(few.client, pkce().challenge))
    const tries = []
    for (let guess = 0; guess < 4; guess++)
      tries.push((await other.send(page.at, { do: 'sign_in', email: newEmail(), password: PASSWORD })).status)
    expect(tries.at(-1)).toBe(429)
  })

  test('[lock-out] whoever guesses elsewhere slows the owner of an account down, and keeps nobody out', async () => {
    const { shop: proxied } = await linkingShop(linkingBusiness(), { TRUST_PROXY: '127.0.0.1' })
    const guessed = newEmail()
    const send = (form: Record<string, string>, address: string) =>
      browser(proxied).visit('POST', '/account', new URLSearchParams({ email: guessed, ...form }), from(address))
    await accountWith(proxied, guessed)
    for (let guess = 0; guess < 12; guess++)
      await send({ do: 'sign_in', password: `wrong horse ${guess}` }, `198.51.100.${guess % 4}`)
    const began = performance.now()
    const owner = await send({ do: 'sign_in', password: PASSWORD }, '192.0.2.1')
    expect(owner.status).toBe(303)
    expect(owner.headers['set-cookie']).toBeDefined()
    expect(performance.now() - began).toBeGreaterThan(700)
  })

  test('neither they nor tokens, codes and cookies stand in the database or in the log', async () => {
    const tokens = await linked(shop, client)
    const [person, email] = [browser(shop), newEmail()]
    await accountWith(shop, email)
    await person.send('/account', { do: 'sign_in', email, password: PASSWORD })
    const cookie = [...person.jar.values()][0]?.value ?? ''
    const { db } = shop.runtime
    const state = await db.selectFrom('oauth_state').selectAll().execute()
    const accounts = await db.selectFrom('buyer_accounts').selectAll().execute()
    const kept = JSON.stringify([state, accounts]) + shop.logged.join('\n')
    expect(cookie).not.toBe('')
    for (const secret of [PASSWORD, tokens.refresh, tokens.access, tokens.code, tokens.verifier, cookie])
      expect(kept).not.toContain(secret)
    expect(new Set(accounts.map(({ password }) => password)).size).toBe(accounts.length)
  })
})

test('a refresh token is nothing to another client, and no access token', async () => {
  const tokens = await linked(shop, client)
  expect((await refresh(shop, other, tokens.refresh)).body.error).toBe('invalid_grant')
  expect(await shop.runtime.accessTokens.verify(tokens.refresh, undefined, new Date())).toBeUndefined()
  const next = await refresh(shop, client, tokens.refresh)
  expect(claimsOf(next.body.access_token).sub).toBe(claimsOf(tokens.access).sub)
})

test('a refresh asks for no more than was granted', async () => {
  const tokens = await linked(shop, client, { granted: ['usp:history'] })
  const more = await exchange(shop, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh,
    scope: 'usp:booking',
  })
  expect(more.body.access_token === undefined || !('scope' in claimsOf(more.body.access_token))).toBe(true)
})
