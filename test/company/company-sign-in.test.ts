import { afterEach, describe, expect, test } from 'vitest'
import { staffOfId } from '../../src/core/authentication/staff-members.ts'
import { companySalon, START, settingsOf, TEST } from './company-salon.ts'
import { type Behavior, CLIENT, providerStandIn } from './stand-in.ts'

const provider = await providerStandIn()
const salon = await companySalon(provider)
const { shop, owner, call, person, enter, hire, nameOf, toProvider, setUp } = salon
const { db } = shop.runtime
afterEach(() => {
  provider.behavior = {}
})

let nth = 0
const newClaims = (more: Record<string, unknown> = {}) => {
  const name = `anna${++nth}`
  return { sub: `sub ${nth}`, email: `${name}@example.com`, email_verified: true, name: `Anna ${nth}`, ...more }
}
const invite = (email: string | null, role: 'staff' | 'manager' | 'owner' = 'staff') =>
  hire(role).then(async (who) => {
    await db.updateTable('staff').set({ email }).where('id', '=', who.id).execute()
    return who
  })
const REFUSED = 'That did not work. Try again, or ask an owner whether you may sign in this way.'
const expectRefused = ({ status, body }: { status: number; body: unknown }) =>
  expect([status, String(body).includes(REFUSED)]).toEqual([422, true])

describe('[company sign-in] the settings', () => {
  test('take effect only after a test, which connects the account of the test with nobody', async () => {
    expect((await call('set', settingsOf(provider))).data.company_sign_in).not.toHaveProperty('tested_at')
    expect((await person().open('/desk')).body).not.toContain('Example ID')
    expect((await person().open(START)).headers.location).toBe('/desk')
    const before = [await salon.staff(), await salon.sessions()]
    const { email } = newClaims()
    await db.updateTable('staff').set({ email }).where('id', '=', owner.who.id).execute()
    const claims = newClaims({ email })
    const tested = await owner.open(provider.comeBack(await toProvider(owner, TEST), claims))
    expect([tested.status, String(tested.body).includes(String(email))]).toEqual([200, true])
    expect(await salon.accounts()).toEqual([])
    expect((await salon.sessions()).length).toBe(before[1]?.length)
    expect((await person().open('/desk')).body).toContain('Sign in with Example ID')
    expect((await call('get')).data.company_sign_in.tested_at).toBeDefined()
    expect((await salon.changes()).at(-1)).toMatchObject({ action: 'test_company_sign_in' })
    // The company account of the test may belong to anybody: another one with the address still decides by itself.
    await db.updateTable('staff').set({ email: null }).where('id', '=', owner.who.id).execute()
  })

  test('stay tested without a new secret, and need a new test with a new one', async () => {
    await setUp()
    const { client_secret: _, ...same } = settingsOf(provider, { default_role: 'viewer' })
    expect((await call('set', same)).data.company_sign_in).toHaveProperty('tested_at')
    expect((await call('set', settingsOf(provider))).data.company_sign_in).not.toHaveProperty('tested_at')
    for (const more of [{ client_id: 'other' }, { issuer: `${provider.issuer}/` }])
      expect((await call('set', { ...same, ...more })).code).toBe('validation_error')
  })

  test('show and log the secret nowhere', async () => {
    await setUp()
    await enter(newClaims())
    const rows = [await db.selectFrom('company_sign_in').selectAll().execute(), await salon.changes()]
    const page = (await owner.open('/desk/setup/company-sign-in')).body
    expect(JSON.stringify([rows, shop.logged, (await call('get')).data, page])).not.toContain(CLIENT.client_secret)
    const { client_secret } = await db.selectFrom('company_sign_in').select('client_secret').executeTakeFirstOrThrow()
    expect(client_secret.toString()).not.toContain(CLIENT.client_secret)
  })

  test.each<[string, Record<string, unknown>, string, Behavior?]>([
    ['without https', { issuer: 'http://127.0.0.1:1' }, 'issuer'],
    ['with a private address', { issuer: 'https://10.0.0.1' }, 'issuer'],
    ['with a query', { issuer: 'https://a.example/?b' }, 'issuer'],
    ['of another issuer', {}, 'issuer', { metadata: { issuer: 'https://login.example/{tenantid}/v2.0' } }],
    ['that leads to a script', {}, 'issuer', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }],
    ['without keys', {}, 'issuer', { broken: { path: '/keys', with: 404 } }],
    ['that sends 10 MB', {}, 'issuer', { broken: { path: '/keys', with: '10 MB' } }],
    ['without domain and rule', { domains: [] }, 'domains'],
    [
      'that let everybody in',
      { domains: [], rules: [rule('a', 'b', 'staff')], default_role: 'viewer' },
      'default_role',
    ],
    ['without a visible name', { name: '\u200b' }, 'name'],
  ])('%s are refused', async (_, more, field, behavior = {}) => {
    provider.behavior = behavior
    const { code, data } = await call('set', settingsOf(provider, more))
    expect([code, data.errors?.[0]?.field]).toEqual(['validation_error', field])
  })

  test('give no role owner', async () => {
    for (const more of [{ default_role: 'owner' }, { rules: [rule('groups', 'x', 'owner')] }])
      expect((await call('set', settingsOf(provider, more))).code).toBe('validation_error')
  })

  test('are seen and tested by owners only', async () => {
    await setUp()
    const manager = await salon.signedIn('manager')
    for (const path of [TEST, '/desk/setup/company-sign-in']) expect((await manager.open(path)).status).toBe(403)
    // Of an owner who is no longer one before the end of the test.
    const other = await salon.signedIn('owner')
    const url = await toProvider(other, TEST)
    await call('set', settingsOf(provider))
    const again = await toProvider(other, TEST)
    await db.updateTable('staff').set({ role: 'manager' }).where('id', '=', other.who.id).execute()
    for (const one of [url, again]) await other.open(provider.comeBack(one, newClaims()))
    expect((await call('get')).data.company_sign_in).not.toHaveProperty('tested_at')
  })

  test.each<[Behavior, string]>([
    [{ alg: 'foreign key' }, 'its answer was not valid'],
    [{ broken: { path: '/token', with: 503 } }, 'did not answer in time'],
    [{ broken: { path: '/token', with: 'not JSON' } }, 'unusable data'],
  ])('do not take effect after a failed test: %j', async (behavior, text) => {
    await call('set', settingsOf(provider))
    const url = await toProvider(owner, TEST)
    provider.behavior = behavior
    expect((await owner.open(provider.comeBack(url, newClaims()))).body).toContain(text)
    expect((await call('get')).data.company_sign_in).not.toHaveProperty('tested_at')
  })

  test('with a wrong secret say so in the test', async () => {
    await call('set', settingsOf(provider, { client_secret: 'wrong' }))
    const { body } = await owner.open(provider.comeBack(await toProvider(owner, TEST), newClaims()))
    expect(body).toContain('did not accept the client ID or the client secret')
  })
})

describe('[company sign-in] who enters', () => {
  test('an invited member by a verified address in any case, and from then on by issuer and subject', async () => {
    await setUp()
    const claims = newClaims()
    const who = await invite(claims.email)
    const { one, status, headers } = await enter({ ...claims, email: claims.email.toUpperCase() })
    expect([status, headers.location, await nameOf(one)]).toEqual([303, '/desk', who.name])
    const { one: later } = await enter({ ...claims, email: 'changed@elsewhere.example', email_verified: false })
    expect(await nameOf(later)).toBe(who.name)
    expect((await salon.changes()).filter(({ subject }) => subject === `staff ${who.id}`)).toMatchObject([
      { action: 'connect_company_account', actor: `staff:${who.id}` },
    ])
  })

  test('an account with the secret in the header, and one with the secret in the body', async () => {
    await setUp()
    for (const methods of [['client_secret_basic'], ['client_secret_post'], undefined]) {
      provider.behavior = { metadata: { token_endpoint_auth_methods_supported: methods } }
      const claims = newClaims()
      const who = await invite(claims.email)
      expect(await nameOf((await enter(claims)).one)).toBe(who.name)
    }
  })

  test('a new person with the default role, as a member with the name and address of the account', async () => {
    await setUp({ default_role: 'viewer' })
    const claims = newClaims({ name: ' Anna\u202e\n  <b>Lee</b> ' })
    expect(await nameOf((await enter(claims)).one)).toContain('Anna')
    expect((await salon.staff()).at(-1)).toMatchObject({ email: claims.email, role: 'viewer' })
    const changes = (await salon.changes()).slice(-2).toSorted((a, b) => (a.action < b.action ? -1 : 1))
    expect(changes).toMatchObject([
      { action: 'add', actor: 'company sign-in', to_status: 'viewer' },
      { action: 'connect_company_account' },
    ])
  })

  test('nobody new without a role', async () => {
    await setUp()
    const before = await salon.staff()
    expectRefused(await enter(newClaims()))
    expect(await salon.staff()).toEqual(before)
  })

  test('[roles by claim] the highest role counts, at each sign-in; without one the door stays closed', async () => {
    await setUp({
      rules: [rule('groups', 'all', 'staff'), rule('groups', 'heads', 'manager'), rule('site', 'x', 'viewer')],
    })
    const claims = newClaims()
    await enter({ ...claims, groups: ['all', 'heads'] })
    const role = async () => (await salon.staff()).find(({ email }) => email === claims.email)?.role
    expect(await role()).toBe('manager')
    await enter({ ...claims, groups: ['all'] })
    expect(await role()).toBe('staff')
    await enter({ ...claims, site: 'x' })
    expect(await role()).toBe('viewer')
    for (const groups of [[], ['ALL'], 'all heads', { all: true }, undefined])
      expectRefused(await enter({ ...claims, groups }))
    expect(await role()).toBe('viewer')
  })

  test('[roles by claim] an owner is never degraded, and a role by hand stays without rules', async () => {
    await setUp({ rules: [rule('groups', 'all', 'viewer')] })
    const [boss, head] = [newClaims({ groups: ['all'] }), newClaims({ groups: ['all'] })]
    const who = await invite(boss.email, 'owner')
    await enter(boss)
    await enter({ ...boss, groups: [] })
    expect((await staffOfId(db, who.id))?.role).toBe('owner')
    const { client_secret: _, ...same } = settingsOf(provider, { default_role: 'viewer' })
    await call('set', same)
    const manager = await invite(head.email, 'manager')
    expect(await nameOf((await enter(head)).one)).toBe(manager.name)
    expect((await staffOfId(db, manager.id))?.role).toBe('manager')
  })

  test('by a rule alone, people enter without an address, and take the address of nobody', async () => {
    await setUp({ domains: [], rules: [rule('groups', 'all', 'staff')] })
    const claims = newClaims({ email_verified: undefined, groups: ['all'] })
    expect(await nameOf((await enter(claims)).one)).toBe(claims.name)
    const member = (await salon.staff()).at(-1)
    expect(member).toMatchObject({ email: null })
    const { id: staff = '', name = '' } = member ?? {}
    await owner.send('/desk/people', { do: 'change', staff, name, role: 'staff', email: claims.email })
    expect(await nameOf((await enter(claims)).one)).toBe(claims.name)
    const invited = newClaims({ email_verified: undefined, groups: ['all'] })
    await invite(invited.email)
    expectRefused(await enter(invited))
    expectRefused(await enter({ ...newClaims({ groups: ['all'] }), email: invited.email.toUpperCase() }))
  })

  test.each<[string, Record<string, unknown>]>([
    ['not verified', { email_verified: false }],
    ['verified as a text', { email_verified: 'true' }],
    ['without a word about it', { email_verified: undefined }],
    ['verified by a claim that only Entra has', { email_verified: undefined, xms_edov: true }],
    ['of another domain', { email: 'anna@elsewhere.example' }],
    ['of a domain that ends alike', { email: 'anna@notexample.com' }],
    ['of a subdomain', { email: 'anna@sub.example.com' }],
    ['with two domains', { email: 'anna@example.com@elsewhere.example' }],
    ['with a letter that only looks alike', { email: 'anna@example.com\u200b' }],
    ['with the Kelvin sign', { email: '\u212aim@example.com' }],
    ['no text', { email: ['anna@example.com'] }],
  ])('nobody by an address %s', async (_, more) => {
    await setUp({ default_role: 'viewer' })
    await invite(null)
    const before = await salon.staff()
    expectRefused(await enter(newClaims(more)))
    expect(await salon.staff()).toEqual(before)
  })

  test('no second account for one member, when the company gives the address to somebody else', async () => {
    await setUp()
    const claims = newClaims()
    await invite(claims.email)
    await enter(claims)
    expectRefused(await enter({ ...claims, sub: 'the next employee' }))
  })

  test('not the account of an address that the desk changed', async () => {
    await setUp()
    const claims = newClaims()
    const who = await invite(claims.email)
    await enter(claims)
    await owner.send('/desk/people', {
      do: 'change',
      staff: who.id,
      name: who.name,
      role: 'staff',
      email: 'new@example.com',
    })
    expectRefused(await enter(claims))
    expect(await nameOf((await enter({ ...claims, email: 'new@example.com' })).one)).toBe(who.name)
  })

  test('not a removed member, even as a new one; again when invited again', async () => {
    await setUp({ default_role: 'staff' })
    const [connected, never] = [newClaims(), newClaims()]
    const { one } = await enter(connected)
    const who = (await salon.staff()).find(({ email }) => email === connected.email)
    const other = await invite(never.email)
    for (const { id = '' } of [who ?? {}, other]) await owner.send('/desk/people', { do: 'remove', staff: id })
    expect(await nameOf(one)).toBeUndefined()
    for (const claims of [connected, never, { ...connected, sub: 'anew' }, { ...connected, email: 'x@example.com' }])
      expectRefused(await enter(claims))
    const again = await invite(connected.email)
    expect(await nameOf((await enter(connected)).one)).toBe(again.name)
  })

  test('the same subject of another issuer is somebody else', async () => {
    const second = await providerStandIn('/realms/two')
    await setUp({ default_role: 'staff' })
    const claims = newClaims()
    const { one } = await enter(claims)
    await call('set', settingsOf(second, { default_role: 'staff' }))
    expect(await nameOf(one)).toBeUndefined()
    await owner.open(second.comeBack(await toProvider(owner, TEST), newClaims()))
    const other = person()
    const answer = await other.open(second.comeBack(await toProvider(other), { ...newClaims(), sub: claims.sub }))
    expect(answer.headers.location).toBe('/desk')
    expect(await nameOf(other)).not.toBe(claims.name)
    expect(await salon.accounts()).toMatchObject([{ issuer: second.issuer, subject: claims.sub }])
  })

  test('eight first sign-ins of one account at once make one member', async () => {
    await setUp({ default_role: 'staff' })
    const claims = newClaims()
    const answers = await Promise.all(Array.from({ length: 8 }, () => enter(claims)))
    expect(answers.every(({ headers }) => headers.location === '/desk')).toBe(true)
    expect((await salon.staff()).filter(({ email }) => email === claims.email)).toHaveLength(1)
  })

  test('the removal ends the sessions that began with the company, and no others', async () => {
    await setUp({ default_role: 'staff' })
    const claims = newClaims()
    const { one } = await enter(claims)
    const here = person()
    const url = await toProvider(here)
    await owner.open('/desk/setup/company-sign-in')
    await owner.send('/desk/setup/company-sign-in', { do: 'remove' })
    expect(await nameOf(one)).toBeUndefined()
    expect(await nameOf(owner)).toBe(owner.who.name)
    expectRefused(await here.open(provider.comeBack(url, claims)))
    expect((await person().open('/desk')).body).not.toContain('Example ID')
    expect((await person().open('/desk')).body).toContain('staff link')
    expect((await call('get')).data.company_sign_in).toBeUndefined()
  })
})

test('[company sign-in] no session begins while an owner removes the settings', async () => {
  for (let time = 0; time < 5; time++) {
    await setUp({ default_role: 'staff' })
    const people = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const one = person()
        return { one, back: provider.comeBack(await toProvider(one), newClaims()) }
      }),
    )
    await Promise.all([...people.map(({ one, back }) => one.open(back)), call('remove')])
    expect((await salon.sessions()).filter(({ by_company }) => by_company)).toEqual([])
  }
})

describe('[company sign-in] is refused', () => {
  const invited = async (more: Record<string, unknown> = {}) => {
    await setUp()
    const claims = newClaims(more)
    await invite(claims.email)
    return claims
  }

  test.each<[string, Behavior]>([
    ['a wrong nonce', { claims: { nonce: 'other' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer', { claims: { iss: 'https://accounts.example' } }],
    ['another audience', { claims: { aud: 'other' } }],
    ['several audiences without a party', { claims: { aud: [CLIENT.client_id, 'other'] } }],
    ['another party', { claims: { azp: 'other' } }],
    ['an end in the past', { claims: { exp: 1_700_000_000 } }],
    ['no end', { claims: { exp: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['an empty subject', { claims: { sub: '' } }],
    ['a subject that cannot be stored', { claims: { sub: 'a\0b' } }],
    ['a long subject', { claims: { sub: 'a'.repeat(256) } }],
    ['no signature', { alg: 'none' }],
    ['a signature with the client secret', { alg: 'HS256' }],
    ['a signature with a foreign key', { alg: 'foreign key' }],
  ])('with an ID token with %s', async (_, behavior) => {
    const claims = await invited()
    provider.behavior = behavior
    expectRefused(await enter(claims))
  })

  test.each(['nothing', 'drip', '10 MB', 503] as const)(
    'in good time while the provider answers with %s, and says that it does not answer',
    async (how) => {
      const claims = await invited()
      for (const path of ['/.well-known/openid-configuration', '/keys', '/token']) {
        const one = person()
        const url = await toProvider(one)
        provider.behavior = { broken: { path, with: how } }
        const began = performance.now()
        const { status, body } = await one.open(provider.comeBack(url, claims))
        expect([status, String(body).includes('does not answer just now')]).toEqual([503, true])
        expect(performance.now() - began).toBeLessThan(11_000)
        provider.behavior = {}
      }
    },
    60_000,
  )

  test.each(['not JSON', 'deep JSON', 404] as const)('while the provider answers with %s', async (how) => {
    await invited()
    provider.behavior = { broken: { path: '/.well-known/openid-configuration', with: how } }
    expectRefused(await person().open(START, salon.from()))
  })

  test('a second time with the same state, and at the same moment', async () => {
    const claims = await invited()
    const one = person()
    const url = await toProvider(one)
    const backs = [1, 2, 3].map(() => provider.comeBack(url, claims))
    const answers = await Promise.all(backs.map((back) => one.open(back)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422, 422])
  })

  test('[login CSRF] in another browser, without the cookie, and after ten minutes', async () => {
    const claims = await invited()
    const [attacker, victim] = [person(), person()]
    await toProvider(victim)
    const back = provider.comeBack(await toProvider(attacker), claims)
    expectRefused(await victim.open(back))
    expectRefused(await person().open(back))
    const late = person()
    const url = await toProvider(late)
    shop.minutesLater(11)
    expectRefused(await late.open(provider.comeBack(url, claims)))
    expect(await nameOf(victim)).toBeUndefined()
  })

  test('[login CSRF] from a page of another site', async () => {
    await invited()
    const calls = provider.calls.length
    expect((await person().open(START, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect(provider.calls.length).toBe(calls)
  })

  test('[mix-up] with an answer of another issuer, or of none where the provider names itself', async () => {
    const claims = await invited()
    for (const iss of ['https://other.example', `${provider.issuer}/`]) {
      const one = person()
      expectRefused(await one.open(provider.comeBack(await toProvider(one), claims, { iss })))
    }
    const one = person()
    expectRefused(await one.open(provider.comeBack(await toProvider(one), claims).replace(/&iss=[^&]+/, '')))
  })

  test('with the state of a test, and a test with the state of a sign-in or of another owner', async () => {
    const claims = await invited()
    const other = await salon.signedIn('owner')
    const [mine, theirs] = [await toProvider(owner, TEST), await toProvider(other, TEST)]
    expectRefused(await owner.open(provider.comeBack(theirs, claims)))
    expect((await owner.open(provider.comeBack(mine, claims))).status).toBe(200)
    expect((await salon.accounts()).map(({ subject }) => subject)).not.toContain(claims.sub)
  })

  test('after the settings changed', async () => {
    const claims = await invited()
    const one = person()
    const url = await toProvider(one)
    await setUp()
    expectRefused(await one.open(provider.comeBack(url, claims)))
  })

  test.each(['access_denied', 'server_error<script>'])(
    'with the error %s, as if the person cancelled',
    async (error) => {
      await invited()
      const one = person()
      const state = new URL(await toProvider(one)).searchParams.get('state') ?? ''
      const calls = provider.calls.length
      const query = new URLSearchParams({ error, state, iss: provider.issuer })
      const answer = await one.open(`${START}/return?${query}`)
      expectRefused(answer)
      expect(answer.body).not.toContain('<script>')
      expect(provider.calls.length).toBe(calls)
    },
  )

  test('without a code, with a code that is too long, and without anything', async () => {
    await invited()
    for (const code of ['', 'x'.repeat(8_001)]) {
      const one = person()
      const state = new URL(await toProvider(one)).searchParams.get('state') ?? ''
      expectRefused(await one.open(`${START}/return?${new URLSearchParams({ state, code, iss: provider.issuer })}`))
    }
    for (const query of ['', '?state=a.b&code=c', `?state=${'x'.repeat(5_000)}`])
      expectRefused(await person().open(`${START}/return${query}`))
  })

  test('[limits] more than twenty times a minute from one network, before anything is fetched', async () => {
    const strict = await companySalon(provider, {}, { limits: { failed_authentications: 20 } })
    await strict.setUp()
    const here = strict.from()
    const calls = provider.calls.length
    const statuses = []
    for (let time = 0; time < 22; time++) statuses.push((await strict.person().open(START, here)).status)
    expect(statuses).toEqual([...Array(20).fill(303), 429, 429])
    expect(provider.calls.length - calls).toBe(20)
  })
})

test('[company sign-in] works in two tabs of one browser, and with rotated keys', async () => {
  await setUp()
  const claims = newClaims()
  const who = await invite(claims.email)
  const one = person()
  const [first, second] = [await toProvider(one), await toProvider(one)]
  await provider.rotateKey()
  expect((await one.open(provider.comeBack(second, claims))).headers.location).toBe('/desk')
  expect((await one.open(provider.comeBack(first, claims))).headers.location).toBe('/desk')
  expect(await nameOf(one)).toBe(who.name)
  expect((await salon.sessions()).filter(({ staff_id }) => staff_id === who.id)).toHaveLength(1)
})

test('[company sign-in] sends the browser to the provider with PKCE, a nonce, and the own address whatever the host is', async () => {
  await setUp()
  const one = person()
  const url = new URL(await toProvider(one, START, { host: 'evil.example', 'x-forwarded-host': 'evil.example' }))
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: CLIENT.client_id,
    redirect_uri: 'http://127.0.0.1:8080/desk/company-sign-in/return',
    scope: 'openid email profile',
    state: expect.stringMatching(/^.{40,}$/),
    nonce: expect.stringMatching(/^.{32}$/),
    code_challenge: expect.stringMatching(/^.{43}$/),
    code_challenge_method: 'S256',
  })
})

test('[open redirect] a sign-in ends at the desk, wherever its address asks to go', async () => {
  await setUp()
  const claims = newClaims()
  await invite(claims.email)
  const one = person()
  const url = await toProvider(one, `${START}?to=https://evil.example&next=//evil.example`)
  const back = provider.comeBack(url, claims, { to: 'https://evil.example', redirect: '//evil.example' })
  expect((await one.open(back)).headers.location).toBe('/desk')
})

function rule(claim: string, value: string, role: string) {
  return { claim, value, role }
}
