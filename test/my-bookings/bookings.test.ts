import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import { myShop, studio } from './visitor.ts'

const { shop, desk, person, book, enter, mailsTo } = await myShop()
const { db } = shop.runtime
const shown = async (email: string, query = '') => String((await (await enter(email)).open(`/my${query}`)).body)
const idsIn = (body: string) => [...body.matchAll(/\/booking\/(bkg_[\w-]+)\/manage\//g)].map(([, id]) => id)
const again = () => shop.minutesLater(16)
const staff = (what: string, input: object) => desk.call(`usp_business_${what}`, { ...input }, { as: shop.staff })
const buyerOf = (email: string) => ({ first_name: 'Alice', last_name: 'Williams', email })

/** Puts a booking at another time, in another state. */
const change = (id: string, set: { starts_at?: Date; ends_at?: Date; status?: string }) =>
  db.updateTable('bookings').set(set).where('id', '=', id).execute()
const hours = (count: number) => new Date(shop.time.now.getTime() + count * 3_600_000)

test('[what is shown] is each booking with what, when, where it is at, and its page', async () => {
  const email = 'one@example.com'
  const id = await book(email)
  const body = await shown(email)
  expect(body).toContain('<h1>My bookings</h1>')
  expect(body).toContain('<strong>Haircut</strong>')
  expect(body).toMatch(/Tuesday, November 24, 2026, \d.* EST/)
  expect(body).toContain('Confirmed')
  const [, url = ''] = /href="([^"]*\/manage\/[^"]*)"/.exec(body) ?? []
  expect(url).toContain(id)
  expect((await person().open(url)).status).toBe(200)
})

test('[an unpaid booking] says how much is open and until when', async () => {
  const { policies } = service('svc_a')
  const unpaid = service('svc_a', { policies: { ...policies, payment_timing: 'at_booking' } })
  const other = await myShop({ ...studio(), services: [unpaid] })
  await other.book('open@example.com')
  const { body } = await (await other.enter('open@example.com')).open('/my')
  expect(body).toMatch(/Not paid yet: \$75\.00 by [^<]*\d/)
})

test('[whose they are] all with the address, whoever made them and however it was written, and no other', async () => {
  const mine = 'rosa@example.com'
  const slots = await desk.slots('svc_a')
  const made = await staff('bookings_create', {
    service_id: 'svc_a',
    slot_id: slots.at(-1).id,
    buyer: buyerOf('ROSA@example.COM'),
  })
  const ours = [
    await book(mine),
    await book('Rosa@Example.com'),
    await book(mine, { recipient: buyerOf('guest@example.com') }),
    made.data.booking.id,
  ]
  const others = [
    'rosa+x@example.com',
    'rosa@example.com.evil',
    'xrosa@example.com',
    'rosa@example.co',
    'ros%@example.com',
    'r_sa@example.com',
  ]
  for (const email of others) await book(email)
  await book('giver@example.com', { recipient: buyerOf(mine) })
  expect(idsIn(await shown('rosa@EXAMPLE.com')).toSorted()).toEqual(ours.toSorted())
  for (const email of others.slice(0, 4)) expect(idsIn(await shown(email))).toHaveLength(1)
})

test('[nothing to show] a list without anything has no heading, and the page says once if no booking is ahead', async () => {
  const email = 'none@example.com'
  const id = await book(email)
  const one = await enter(email)
  const open = async (query = '') => {
    const [main = ''] = String((await one.open(`/my${query}`)).body).split('</main>')
    const headings = [...main.matchAll(/<h2>([^<]*)</g)].map(([, text]) => text)
    return [headings, main.match(/You have no upcoming bookings\./g)?.length ?? 0]
  }
  expect(await open()).toEqual([['Upcoming'], 0])
  await change(id, { status: 'canceled' })
  expect(await open()).toEqual([['Past and canceled'], 1])
  expect(await open('?list=past')).toEqual([['Past and canceled'], 0])
  expect(await open('?list=ahead')).toEqual([[], 1])
  expect(await open('?list=waiting')).toEqual([[], 0])
})

test('[the order] is what comes next first, then what was, the latest first', async () => {
  const email = 'order@example.com'
  const [soon, later, past, longPast, canceled, lapsed] = [
    await book(email),
    await book(email),
    await book(email),
    await book(email),
    await book(email),
    await book(email),
  ]
  await change(later, { starts_at: hours(300), ends_at: hours(301) })
  await change(soon, { starts_at: hours(-1), ends_at: hours(1) })
  await change(past, { starts_at: hours(-40), ends_at: hours(-39), status: 'completed' })
  await change(longPast, { starts_at: hours(-400), ends_at: hours(-399), status: 'no_show' })
  await change(canceled, { starts_at: hours(200), ends_at: hours(201), status: 'canceled' })
  await change(lapsed, { starts_at: hours(100), ends_at: hours(101), status: 'requires_action' })
  await db
    .updateTable('bookings')
    .set({ expires_at: hours(-1) })
    .where('id', '=', lapsed)
    .execute()
  const body = await shown(email)
  expect(idsIn(body)).toEqual([soon, later, canceled, lapsed, past, longPast])
  const [ahead = '', over = ''] = body.split('<h2>Past and canceled</h2>')
  expect(ahead).toContain('<h2>Upcoming</h2>')
  expect(over.match(/Canceled|Completed|No-show/g)).toEqual(['Canceled', 'Canceled', 'Completed', 'No-show'])
})

describe('[pages]', async () => {
  const email = 'regular@example.com'
  const id = await book(email)
  await sql`
    insert into bookings select (jsonb_populate_record(b, jsonb_build_object('id', 'bkg_' || lpad(i::text, 4, '0'),
      'hold_id', null, 'starts_at', ${shop.time.now}::timestamptz - i / 2 * interval '1 hour',
      'ends_at', ${shop.time.now}::timestamptz - i / 2 * interval '1 hour'))).*
    from bookings b, generate_series(1, 120) i where b.id = ${id}`.execute(db)

  test('have fifty each, every booking once, those of one time too', async () => {
    const one = await enter(email)
    const first = String((await one.open('/my')).body)
    // Below the content stands the same page in other languages.
    const next = (body: string) =>
      /href="(\/my\?list=past[^"]*)"/.exec(body.split('</main>')[0] ?? '')?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = String((await one.open(next(first))).body)
    const third = String((await one.open(next(second))).body)
    expect([first, second, third].map((body) => idsIn(body).length)).toEqual([51, 50, 20])
    const leadsToAll = (body: string) => body.includes('<a class="button plain" href="/my">')
    expect([first, second, third].map(leadsToAll)).toEqual([false, true, true])
    expect(next(third)).toBe('')
    expect(new Set([first, second, third].flatMap(idsIn)).size).toBe(121)
    expect(second).not.toContain('Upcoming')
    const other = await enter('rosa@example.com')
    expect(idsIn(String((await other.open(next(first))).body))).not.toContain('bkg_0060')
  })

  test('lead on for a day, and then from the start again', async () => {
    const before = shop.time.now
    try {
      const one = await enter(email)
      const [, next = ''] = /href="(\/my\?list=past[^"]*)"/.exec(String((await one.open('/my')).body)) ?? []
      const idsLater = async (hoursLater: number) => {
        shop.time.now = new Date(before.getTime() + hoursLater * 3_600_000)
        return idsIn(String((await one.open(next.replaceAll('&amp;', '&'))).body))
      }
      const start = idsIn(String((await one.open('/my?list=past')).body))
      expect(await idsLater(23)).not.toContain(start[0])
      expect(await idsLater(25)).toEqual(start)
    } finally {
      shop.time.now = before
    }
  })

  test.each([
    '?list=past&after=made.up',
    '?list=none&after=x',
    `?list=waiting&after=${'a'.repeat(2_000)}`,
    '?after=%00',
  ])('%s is as good as nothing', async (query) => {
    again()
    expect((await (await enter(email)).open(`/my${query}`)).status).toBe(200)
  })
})

test('[the waitlist] shows the place in line, and its page', async () => {
  const email = 'waits@example.com'
  const [slot] = await desk.slots('svc_class')
  await desk.book(slot, { buyer: buyerOf('first@example.com') })
  const joined = await desk.call('usp_waitlist_join', {
    service_id: 'svc_class',
    slot_id: slot.id,
    buyer: buyerOf(email),
  })
  const { id } = joined.data.entry
  const body = await shown(email)
  expect(body).toContain('<h2>On the waitlist</h2>')
  expect(body).toContain('<strong>Yoga</strong>')
  expect(body).toContain('First in line')
  expect(body).toMatch(new RegExp(`href="http://127.0.0.1:8080/waiting/${id}/`))
  expect(body).toContain('You have no upcoming bookings.')
  expect(await shown('first@example.com')).not.toContain(id)
})

test.each([
  ['at_business_location', 1, 'First in line · Here'],
  ['at_business_location', 2, 'First in line'],
  ['virtual', 2, 'First in line · Online'],
  ['phone', 2, 'First in line · By phone'],
] as const)('[the waitlist] shows a place where only one is possible: %s, of %i places', async (type, count, said) => {
  const [email, base] = ['waits@example.com', studio()]
  const locations = [
    { id: 'loc_here', name: 'Here' },
    { id: 'loc_there', name: 'There' },
  ].slice(0, count)
  const here = type === 'at_business_location' ? { locations: ['loc_here'] } : {}
  const services = base.services.map((one) => ({ ...one, ...here, channel: { type } }))
  const other = await myShop({ ...base, locations, services })
  const [slot] = await other.desk.slots('svc_class')
  await other.desk.book(slot)
  const wish = { service_id: 'svc_class', slot_id: slot.id, buyer: buyerOf(email) }
  await other.desk.call('usp_waitlist_join', wish)
  const body = String((await (await other.enter(email)).open('/my')).body)
  expect(/<span class="soft">(First in line[^<]*)</.exec(body)?.[1]).toBe(said)
})

test.each([
  [true, { website: { assistants: true } }],
  [false, { website: { assistants: false } }],
])('[apps with access] are led to where there can be any: %s', async (isShown, more) => {
  const other = await myShop(studio(more))
  await other.book('apps@example.com')
  const body = String((await (await other.enter('apps@example.com')).open('/my')).body)
  expect(body.includes('href="/account"')).toBe(isShown)
})

test('[erased] a buyer has no session, no link and no bookings any more', async () => {
  const email = 'gone@example.com'
  const id = await book(email)
  const one = await enter(email)
  const waiting = person()
  await waiting.ask(email)
  expect(idsIn(String((await one.open('/my')).body))).toEqual([id])
  await staff('buyers_erase', { email })
  expect((await one.open('/my')).body).not.toContain('signed in')
  expect(await db.selectFrom('sign_in_links').select('email').where('email', '=', email).execute()).toEqual([])
  const before = (await mailsTo(email)).length
  await person().ask(email)
  expect(await mailsTo(email)).toHaveLength(before)
})

test('[hostile text] of a business and a buyer stays text', async () => {
  const HOSTILE = '<script>alert("x")</script>'
  const email = 'hostile@example.com'
  const id = await book(email, { notes: HOSTILE })
  await sql`update bookings set record = jsonb_set(jsonb_set(record::jsonb, '{service,name}', to_jsonb(${HOSTILE}::text)),
    '{location}', jsonb_build_object('id', 'loc', 'name', ${HOSTILE}::text))::json where id = ${id}`.execute(db)
  const body = await shown(email)
  expect(body).toContain('&lt;script&gt;alert')
  expect(body).not.toContain('<script>alert')
})

test.each([
  [
    'bookings_of_buyer',
    sql`select * from bookings where lower(people #>> '{buyer,email}') = 'a@b.example' and search_text <> '' order by starts_at, id limit 51`,
  ],
  [
    'waitlist_of_buyer',
    sql`select * from waitlist_entries e where lower(e.buyer ->> 'email') = 'a@b.example' order by number limit 51`,
  ],
])('[found by an index] %s', async (index, query) => {
  const plan = await db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_bitmapscan = off`.execute(tx)
    return (await sql<object>`explain ${query}`.execute(tx)).rows
  })
  expect(JSON.stringify(plan)).toContain(`using ${index}`)
  expect(JSON.stringify(plan)).not.toContain('Sort')
})
