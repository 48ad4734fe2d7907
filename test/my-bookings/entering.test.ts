import { beforeEach, describe, expect, test } from 'vitest'
import { deleteExpiredSignInLinks } from '../../src/domain/accounts/sign-in-links.ts'
import { myShop, sameBut, studio } from './visitor.ts'

const { shop, person, book, enter, linkTo } = await myShop()
const { db } = shop.runtime
const EMAIL = 'alice@example.com'
await book(EMAIL)
beforeEach(() => shop.minutesLater(16))

const asked = async (one = person()) => {
  await one.ask(EMAIL)
  return linkTo(EMAIL)
}
const isIn = async (one: ReturnType<typeof person>) =>
  String((await one.open('/my')).body).includes(`You are signed in as ${EMAIL}.`)

test('[a link] shows a page with one button, however often it is opened, and only the button lets in', async () => {
  const one = person()
  const link = await asked(one)
  for (let time = 0; time < 3; time++) {
    const page = await person().open(link)
    expect(page.status).toBe(200)
    expect(page.body.match(/<button/g)).toHaveLength(1)
    expect(page.body).toContain(`sign in on this device as ${EMAIL}`)
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(page.headers).not.toHaveProperty('set-cookie')
  }
  expect(await isIn(one)).toBe(false)
  const entered = await one.send(link)
  expect([entered.status, entered.headers.location]).toEqual([303, '/my'])
  expect(await isIn(one)).toBe(true)
})

test('[a link] works once: of two browsers that race one gets in', async () => {
  const link = await asked()
  const people = Array.from({ length: 6 }, () => person())
  const answers = await Promise.all(people.map((one) => one.send(link)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404, 404, 404, 404, 404])
  const inside = await Promise.all(people.map(isIn))
  expect(inside.filter(Boolean)).toHaveLength(1)
})

test('[a link] works for fifteen minutes', async () => {
  const [early, late] = [await asked(), await asked()]
  shop.time.now = new Date(shop.time.now.getTime() + 15 * 60_000 - 1)
  expect((await person().send(early)).status).toBe(303)
  shop.time.now = new Date(shop.time.now.getTime() + 1)
  expect((await person().open(late)).status).toBe(404)
  expect((await person().send(late)).status).toBe(404)
  await deleteExpiredSignInLinks(db, new Date(shop.time.now.getTime() + 1))
  expect(await db.selectFrom('sign_in_links').select('digest').execute()).toEqual([])
})

test('[a link] that was used, is too old or never was shows the same, and how to get another', async () => {
  const used = await asked()
  await person().send(used)
  const old = await asked()
  shop.minutesLater(15)
  const none = '/my/enter/none'
  const shown = await Promise.all([used, old, none].map(async (link) => (await person().open(link)).body))
  const pressed = await Promise.all([used, old, none].map((link) => person().send(link)))
  const addressless = (body: string) =>
    sameBut({ status: 404, headers: {}, body }).body.replace(/\/my\/enter\/[^?"]*/g, '')
  expect(new Set([...shown, ...pressed.map(({ body }) => body)].map(addressless)).size).toBe(1)
  for (const { status, headers } of pressed) {
    expect(status).toBe(404)
    expect(headers).not.toHaveProperty('set-cookie')
  }
  expect(shown[0]).toContain('name="email"')
  expect(shown[0]).not.toContain(EMAIL)
})

test.each([
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'null', 'sec-fetch-site': 'same-site' },
])('[other sites] press no button: %j', async (headers) => {
  const link = await asked()
  const one = person()
  expect((await one.send(link, {}, headers)).status).toBe(403)
  expect((await one.send(link)).status).toBe(303)
  expect((await one.send('/my', { do: 'leave' }, headers)).status).toBe(403)
  expect(await isIn(one)).toBe(true)
})

describe('[the session]', () => {
  test('is a cookie that no script reads, and no other site sends with a form', async () => {
    const one = person()
    const { headers } = await one.send(await asked(one))
    expect([headers['set-cookie']].flat()).toEqual([
      expect.stringMatching(/^usp_my=visit_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/),
    ])
    const stored = await db.selectFrom('oauth_state').select(['id', 'payload']).execute()
    expect(JSON.stringify(stored)).not.toContain(String(headers['set-cookie']).slice(7, 56))
  })

  test('is of this very host, over https alone where that is spoken', async () => {
    const secure = await myShop(studio(), { BASE_URL: 'https://salon.example' })
    await secure.book(EMAIL)
    const one = secure.person()
    await one.ask(EMAIL)
    const { headers } = await one.send(await secure.linkTo(EMAIL))
    expect([headers['set-cookie']].flat()[0]).toMatch(/^__Host-usp_my=\S+; Path=\/; .*; Secure$/)
    expect((await one.open('/my')).body).toContain(EMAIL)
    // What a neighbour under the same domain could set opens nothing.
    const [, value = ''] = /^__Host-usp_my=([^;]*)/.exec(String([headers['set-cookie']].flat()[0])) ?? []
    const other = secure.person()
    other.jar.set('usp_my /', { value, path: '/' })
    expect((await other.open('/my')).body).not.toContain(EMAIL)
  })

  test('is a new one: what was in the browser before is worth nothing afterwards', async () => {
    const attacker = await enter('mallory@example.com')
    expect(await isIn(attacker)).toBe(false)
    await book('mallory@example.com')
    await enter('mallory@example.com', attacker)
    const planted = attacker.jar.get('usp_my /')?.value ?? ''
    expect(planted).not.toBe('')
    for (const value of [planted, 'visit_chosen']) {
      const one = person()
      one.jar.set('usp_my /', { value, path: '/' })
      await one.send(await asked())
      expect(one.jar.get('usp_my /')?.value).not.toBe(value)
      expect(await isIn(one)).toBe(true)
    }
    expect((await attacker.open('/my')).body).not.toContain('signed in')
  })

  test('ends thirty days after the mail, however often it is used', async () => {
    const one = await enter(EMAIL)
    for (const days of [10, 10, 9]) {
      shop.minutesLater(days * 24 * 60)
      expect(await isIn(one)).toBe(true)
    }
    shop.minutesLater(24 * 60)
    expect(await isIn(one)).toBe(false)
  })

  test('ends when its owner signs out, here or everywhere', async () => {
    const [here, there, elsewhere] = [await enter(EMAIL), await enter(EMAIL), await enter(EMAIL)]
    const kept = here.jar.get('usp_my /')?.value ?? ''
    expect((await here.send('/my', { do: 'leave' })).headers.location).toBe('/my')
    expect([await isIn(here), await isIn(there)]).toEqual([false, true])
    here.jar.set('usp_my /', { value: kept, path: '/' })
    expect(await isIn(here)).toBe(false)
    await there.send('/my', { do: 'leave_everywhere' })
    expect([await isIn(there), await isIn(elsewhere)]).toEqual([false, false])
  })

  test('of nobody ends none', async () => {
    const one = await enter(EMAIL)
    await person().send('/my', { do: 'leave_everywhere' })
    expect(await isIn(one)).toBe(true)
  })
})

test('[the log] has no secret', async () => {
  const one = person()
  const link = await asked(one)
  await one.open(link)
  await one.send(link)
  const secrets = [link.split('/').at(-1) ?? '', one.jar.get('usp_my /')?.value ?? '']
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20)
    expect(shop.logged.join('')).not.toContain(secret)
  }
})

test('[a link] offers no new password to an account that has none', async () => {
  await person().send(await asked())
  const { body } = await person().open(await asked())
  expect(body.match(/<button/g)).toHaveLength(1)
})
