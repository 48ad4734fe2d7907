import { expect, test } from 'vitest'
import { compose } from '../../../src/core/mails/notification-text.ts'
import { mailList } from '../../../src/core/mails/queries.ts'
import { tokenIn } from '../../my-bookings/visitor.ts'
import { deskSalon } from './receptionist.ts'

const { shop, hire, person } = await deskSalon({ TRUST_PROXY: '127.0.0.1' })
const { db } = shop.runtime
const PATH = '/desk/enter'

const staffed = async (email: string, role: 'staff' | 'owner' = 'staff') => {
  const one = await hire(role)
  await db.updateTable('staff').set({ email }).where('id', '=', one.id).execute()
  return one
}
let networks = 1
const from = () => ({ 'x-forwarded-for': `203.0.${networks++ % 250}.9` })
const ask = async (email: string, more: Record<string, string> = {}, headers: object = from()) => {
  const one = person()
  return one.send(PATH, { form: tokenIn(await one.open('/desk')), email, ...more }, headers)
}
const linksTo = async (email: string) => {
  const definition = await shop.runtime.business.get()
  if (!definition) throw new Error('there is no business')
  const rows = (await mailList(db, { limit: 500 })).filter(({ recipient }) => recipient === email)
  return rows.map(
    (row) => new URL(compose(row, shop.runtime.letters, definition)?.letter.actions?.[0]?.url ?? '').pathname,
  )
}
/** But for what says when a form was made. */
const bare = ({ status, body }: { status: number; body: string }) => [
  status,
  body.replaceAll(/name="form" value="[^"]*"/g, ''),
]

test('[one answer] is given whether or not somebody works here, who gets a link that lets in once', async () => {
  const jo = await staffed('jo@example.com')
  const answers = [await ask(' JO@example.com '), await ask('nobody@example.com'), await ask('x@nobody.invalid')]
  expect(new Set(answers.map((one) => JSON.stringify(bare(one)))).size).toBe(1)
  expect(answers[0]?.body).toContain('If this address belongs to a team member, a link is on its way.')
  expect(await linksTo('nobody@example.com')).toEqual([])
  const [link = '', ...others] = await linksTo('jo@example.com')
  expect(others).toEqual([])
  const one = person()
  expect((await one.send(link)).status).toBe(303)
  expect((await one.open('/desk')).body).toContain(`Sign out ${jo.name}`)
  expect((await one.open(PATH)).headers.location).toBe('/desk')
  expect((await person().send(link)).status).toBe(404)
})

test('[one answer] takes as long either way', async () => {
  await staffed('slow@example.com')
  const took = async (email: string) => {
    const form = tokenIn(await person().open('/desk'))
    const began = performance.now()
    await person().send(PATH, { form, email }, from())
    return performance.now() - began
  }
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let round = 0; round < 5; round++) {
    shop.minutesLater(20)
    times.known.push(await took('slow@example.com'))
    times.unknown.push(await took(`nobody-${round}@example.com`))
  }
  const median = (all: number[]) => all.toSorted((one, other) => one - other)[2] ?? 0
  expect(median(times.unknown)).toBeGreaterThan(250)
  expect(Math.abs(median(times.known) - median(times.unknown))).toBeLessThan(60)
})

test('[few mails] wait for one person, however many ask at once; they work for a quarter of an hour', async () => {
  await staffed('often@example.com')
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask('often@example.com')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const links = await linksTo('often@example.com')
  expect(links).toHaveLength(3)
  shop.minutesLater(15)
  expect((await person().send(links[0] ?? '')).status).toBe(404)
  await ask('often@example.com')
  expect(await linksTo('often@example.com')).toHaveLength(4)
})

test('[limits] one network asks ten times a minute for an address, known or not; others go on', async () => {
  await staffed('tired@example.com')
  shop.minutesLater(2)
  for (const email of ['tired@example.com', 'unknown@example.com']) {
    const here = from()
    const answers = await Promise.all(Array.from({ length: 11 }, () => ask(email, {}, here)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await ask(email)).status).toBe(200)
  }
})

test.each<[string, Record<string, string>, object, number]>([
  ['a form without a token', { form: '' }, {}, 422],
  ['one that was made up', { form: 'abc.def' }, {}, 422],
  ['who fills in what cannot be seen', { contact_via: 'https://spam.example' }, {}, 422],
  ['what is no address', { email: 'wanted@example.com, other@example.com' }, {}, 422],
  ['an address without end', { email: `${'a'.repeat(300)}@example.com` }, {}, 422],
  ['hostile text', { email: '"><script>alert(1)</script>{x}' }, {}, 422],
  ['another site', {}, { origin: 'https://evil.example' }, 403],
  ['another site, as new browsers say', {}, { 'sec-fetch-site': 'cross-site' }, 403],
])('[unwelcome] nothing is mailed for %s', async (_, form, headers, status) => {
  await db.updateTable('staff').set({ email: null }).where('email', '=', 'wanted@example.com').execute()
  await staffed('wanted@example.com')
  const answer = await ask('wanted@example.com', form, { ...from(), ...headers })
  expect(answer.status).toBe(status)
  expect(answer.body).not.toContain('<script>alert')
  expect(await linksTo('wanted@example.com')).toEqual([])
})

test('[an address that was theirs] gets no link, and one that was asked for there before lets nobody in', async () => {
  const jo = await staffed('before@example.com')
  await ask('before@example.com')
  const owner = person()
  await owner.send(await (await hire('owner')).link())
  await owner.send('/desk/people', {
    do: 'change',
    staff: jo.id,
    name: jo.name,
    role: 'staff',
    email: 'after@example.com',
  })
  const [link = ''] = await linksTo('before@example.com')
  expect((await person().send(link)).status).toBe(404)
  await ask('before@example.com')
  expect(await linksTo('before@example.com')).toHaveLength(1)
})

test('[where nothing can be mailed] there is no form, and whoever sends one is told how else', async () => {
  const silent = await deskSalon({
    USP_MODE: 'production',
    DATABASE_URL: 'postgres://u@h/d',
    BASE_URL: 'https://x.example',
    USP_SECRET_KEY: 'x'.repeat(32),
    TRUST_PROXY: '127.0.0.1',
  })
  const headers = { 'x-forwarded-proto': 'https', 'content-type': 'application/x-www-form-urlencoded' }
  for (const asked of [{ url: '/desk' }, { url: PATH, method: 'POST', payload: 'email=a%40example.com' } as const]) {
    const { status, body } = await silent.shop.raw({ headers, ...asked })
    expect(status).toBe(200)
    expect(body).toContain('usp staff link')
    expect(body).not.toContain('type="email"')
  }
})
