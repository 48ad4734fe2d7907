import { describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { bookingFind } from '../../src/domain/bookings/queries.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { service } from '../support/definitions.ts'
import { testShop } from '../support/desk.ts'
import { type Answer, START } from '../support/server.ts'
import { haircutsAt } from './haircuts-at.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const kept: ServiceDefinition = {
  ...service('svc_kept', {
    policies: { ...service('svc_kept').policies, payment_timing: 'deposit_required', requires_payment: true },
  }),
  pricing: {
    model: 'fixed',
    amount: 16000,
    currency: 'USD',
    deposit: { type: 'percentage', value: 25, refundable: false },
  },
}
const demo = salon({ website: { contact: { phone: '+12125550100' } } })
const shop = await testShop({ ...demo, services: [...demo.services, kept] })
const browser = visitor(shop)
const bookings = () => shop.runtime.db.selectFrom('bookings').selectAll().execute()

/** The booking that a form led to. */
async function bookedBy({ headers }: Answer) {
  const id = /^\/booking\/([\w-]+)\//.exec(headers.location ?? '')?.[1] ?? ''
  const found = await bookingFind(shop.runtime.db, id, undefined, { lock: false })
  if (!found) throw new Error(`${headers.location} leads to no booking`)
  return found
}

test('[people find the door] / leads to the services, each with what it costs, how long it takes and a page of its own', async () => {
  expect(await browser.open('/')).toMatchObject({ status: 303, headers: { location: '/book' } })
  const { status, body, headers } = await browser.open('/book')
  expect([status, headers['x-robots-tag']]).toEqual([200, undefined])
  for (const { id } of salon().services) expect(body).toContain(`href="/book/${id}"`)
  expect(body).toContain('$75.00')
  expect(body).toContain('rel="canonical" href="http://127.0.0.1:8080/book"')
})

test.each([
  ['a misspelled word', '/book?q=hiarcut', ['svc_haircut']],
  ['a word of another language', '/book?q=masaje', ['svc_massage']],
  ['a category', '/book?category=Yoga', ['svc_yoga']],
  ['what there is not', '/book?q=zzzzqq', []],
])('[search] by %s', async (_, url, found) => {
  const { body } = await browser.open(url)
  expect([...body.matchAll(/<h2><a href="\/book\/(\w+)"/g)].map(([, id]) => id)).toEqual(found)
})

test('[a service’s own page] can be shared and is understood by search engines', async () => {
  const { body } = await browser.open('/book/svc_haircut')
  expect(body).toContain('<link rel="canonical" href="http://127.0.0.1:8080/book/svc_haircut">')
  expect(body).toContain('<meta property="og:title" content="Women’s Haircut &amp; Style">')
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? '')
  expect(data).toMatchObject({ '@context': 'https://schema.org', '@type': 'Service', identifier: 'svc_haircut' })
})

test('[only what is free is shown] each day and time of the page is one that the query gives, and none is missing', async () => {
  const { body } = await browser.open('/book/svc_haircut?from=2026-12-20&place=loc_downtown')
  const days = new Set([...body.matchAll(/id="day-([\d-]+)"/g)].map(([, day]) => day))
  const asked = await Promise.all(
    ['2026-12-20', '2027-01-07'].map(async (from, half) => {
      const range = { start_date: from, end_date: half === 0 ? '2027-01-06' : '2027-01-23' }
      const query = { service_id: 'svc_haircut', location_id: 'loc_downtown', limit: 200, ...range }
      const slots = []
      let cursor: string | null = null
      do {
        const { body: page } = await shop.rest('POST', '/availability/query', { ...query, cursor })
        slots.push(...page.slots)
        cursor = page.pagination.cursor
      } while (cursor !== null)
      return slots
    }),
  )
  const free = asked.flat()
  expect(days).toEqual(new Set(free.map(({ start }) => start.slice(0, 10))))
  const day = '2026-12-23'
  const shown = browser.times(await browser.open(`/book/svc_haircut?place=loc_downtown&day=${day}`))
  const starts = new Set(
    free.filter(({ start }) => start.startsWith(day)).map(({ start }) => String(Date.parse(start))),
  )
  expect(new Set(shown.map(({ start }) => start))).toEqual(starts)
})

test('[a time is found at a glance] times stand under the part of the day that they are of, by the clock that is named', async () => {
  const { body } = await browser.open('/book/svc_haircut?day=2026-12-03&place=loc_downtown')
  const parts = body.split('<h3>').slice(1)
  const hours = (part: string) =>
    [...part.matchAll(/name="time" value="(\d+)-/g)].map(([, start]) =>
      new Date(Number(start) - 5 * 3_600_000).getUTCHours(),
    )
  expect(parts.map((part: string) => part.split('<', 1)[0])).toEqual(['Morning', 'Afternoon', 'Evening'])
  const [morning = [], afternoon = [], evening = []] = parts.map(hours)
  expect([morning.at(-1), afternoon[0], afternoon.at(-1), evening[0]]).toEqual([11, 12, 16, 17])
  expect(Math.max(...morning)).toBeLessThan(12)
  expect(body).toContain('All times are in Eastern Time.')
})

test('[a place is chosen] what is booked is at that place', async () => {
  const { body } = await browser.open('/book/svc_haircut?day=2026-12-04&place=loc_uptown')
  expect(
    [...String(body).matchAll(/<option value="(loc_\w+)"( selected)?>([^<]*)</g)].map(([, ...one]) => one),
  ).toEqual([
    ['loc_downtown', undefined, 'Glamour Salon Downtown'],
    ['loc_uptown', ' selected', 'Glamour Salon Uptown'],
  ])
  const { done } = await browser.book('/book/svc_haircut?day=2026-12-04&place=loc_uptown')
  expect(await bookedBy(done)).toMatchObject({ record: { location: { id: 'loc_uptown' } } })
  expect((await browser.open(done.headers.location ?? '')).body).toMatch(/<dt>Where<\/dt><dd>Glamour Salon Uptown/)
})

test('[a haircut in four pages] what, when, who, done: the booking is the visitor’s, at the price that was shown', async () => {
  const { held, done, start } = await browser.book('/book/svc_haircut?day=2026-11-24&with=staff_jane')
  expect(held.status).toBe(303)
  expect(done.status).toBe(303)
  const booking = await bookedBy(done)
  expect(done.headers.location).toMatch(new RegExp(`^/booking/${booking.id}/manage/`))
  expect(booking).toMatchObject({
    service_id: 'svc_haircut',
    status: 'confirmed',
    resource_ids: ['staff_jane'],
    profile: '',
  })
  expect(booking.principal).toMatch(/^page:/)
  const changes = shop.runtime.db.selectFrom('changes').select(['actor', 'action', 'to_status'])
  expect(await changes.where('subject', '=', `booking ${booking.id}`).execute()).toEqual([
    { actor: booking.principal, action: 'create', to_status: 'confirmed' },
  ])
  expect(booking.starts_at.getTime()).toBe(Number(start))
  expect(booking.people.buyer).toMatchObject({
    first_name: 'Rosa',
    email: 'rosa@example.com',
    phone_number: '+12125550143',
  })
  expect(booking.record.payment).toMatchObject({ amount: 7500, tax: 666 })
  expect((await browser.open(done.headers.location ?? '')).status).toBe(200)
})

test('[without scripts] “Show times” keeps the day or the weeks that were looked at, and what is kept already', async () => {
  const kept = 'change=hold_x&visit=visit_y'
  const again = async (query: string) => {
    const { body } = await browser.open(`/book/svc_haircut?place=loc_uptown&${query}&${kept}`)
    const [, form = ''] = /<form class="choose"[^>]*action="\/book\/svc_haircut#pick">(.*?)<\/form>/s.exec(body) ?? []
    expect(form).toContain('<button class="plain" data-needless>Show times</button>')
    const fields = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
    expect(form).toContain('<option value="loc_uptown" selected>')
    return fields.map(([, name, value]) => `${name}=${value}`).join('&')
  }
  expect(await again('day=2026-12-09')).toBe(`day=2026-12-09&${kept}`)
  expect(await again('from=2026-12-20')).toBe(`from=2026-12-20&${kept}`)
})

test('[exactly once] a form that is sent twice makes one booking, and both lead to it', async () => {
  const page = await browser.open('/book/svc_haircut?day=2026-11-25')
  const { headers } = await browser.press(page, browser.times(page)[0]?.time ?? '')
  const address = headers.location ?? ''
  const before = (await bookings()).length
  const { token } = browser.formOf(await browser.open(address))
  shop.time.now = new Date(shop.time.now.getTime() + 5_000)
  const press = () => browser.send(address, { ...ROSA, form: token })
  const [one, other] = await Promise.all([press(), press()])
  expect([one.status, other.status]).toEqual([303, 303])
  expect(one.headers.location).toBe(other.headers.location)
  expect((await bookings()).length).toBe(before + 1)
})

describe('[anyone, spread fairly]', () => {
  test.each([
    ['staff_jane', 'staff_alex', '2026-12-01'],
    ['staff_alex', 'staff_jane', '2026-12-02'],
  ])('who asks for anyone while %s has been busy all morning gets %s', async (busy, other, date) => {
    const day = `/book/svc_haircut?day=${date}&place=loc_downtown`
    for (const clock of ['11:00', '12:30'])
      await browser.book(`${day}&with=${busy}`, ROSA, String(Date.parse(`${date}T${clock}:00-05:00`)))
    const wish = Date.parse(`${date}T15:00:00-05:00`)
    expect(await firstOf(wish)).toEqual(new Set([other]))
    const { done } = await browser.book(day, ROSA, String(wish))
    expect((await bookedBy(done)).resource_ids).toEqual([other])
  })

  test('on a day that is equal for both, chance decides', async () => {
    expect(await firstOf(Date.parse('2026-12-03T15:00:00-05:00'))).toEqual(new Set(['staff_alex', 'staff_jane']))
  })

  test('and when nobody is free, that is told, and the next time', async () => {
    const day = '/book/svc_haircut?day=2026-11-26&place=loc_downtown'
    const wish = String(Date.parse('2026-11-26T14:00:00-05:00'))
    const stale = await browser.open(day)
    const chosen = []
    for (let count = 0; count < 2; count++)
      chosen.push((await bookedBy((await browser.book(day, ROSA, wish)).done)).resource_ids[0])
    expect(chosen.toSorted()).toEqual(['staff_alex', 'staff_jane'])
    const late = await browser.press(stale, browser.times(stale).find(({ start }) => start === wish)?.time ?? '')
    expect(late.status).toBe(409)
    expect(late.body).toContain('That time was just booked. The next free time is')
    expect(browser.times(await browser.open(day)).map(({ start }) => start)).not.toContain(wish)
  })

  /** Who comes first for a haircut at that time, asked so often that chance would have shown itself. */
  async function firstOf(start: number): Promise<Set<string | undefined>> {
    const first = await haircutsAt(shop, start)
    const asked = await Promise.all(Array.from({ length: 30 }, first))
    return new Set(asked.map((picks) => picks?.[0]))
  }
})

test('[kept while it is filled in] the time is nobody else’s, and free again when another is chosen', async () => {
  const url = '/book/svc_consult?day=2026-11-25&with=staff_nina'
  const page = await browser.open(url)
  const [first, second] = browser.times(page)
  const { headers } = await browser.press(page, first?.time ?? '')
  const details = await browser.open(headers.location ?? '')
  expect(details.body).toContain('10 minutes left.')
  const shown = async () => browser.times(await browser.open(url)).map(({ start }) => start)
  expect(await shown()).not.toContain(first?.start)
  const another = /<a class="way" href="([^"]*)"/.exec(details.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const again = await browser.open(`${another}&day=2026-11-25&with=staff_nina`)
  expect((await browser.press(again, second?.time ?? '')).status).toBe(303)
  expect(await shown()).toContain(first?.start)
  expect(await shown()).not.toContain(second?.start)
})

test('[what canceling costs is told before] a deposit that is not given back', async () => {
  const { headers } = await browser.press(
    await browser.open('/book/svc_kept'),
    browser.times(await browser.open('/book/svc_kept'))[0]?.time ?? '',
  )
  const { body } = await browser.open(headers.location ?? '')
  expect(body).toContain('your payments are not refunded, including the deposit of $40.00.')
  expect(body).not.toContain('Free cancellation')
})

test('[a deposit is called one] before it is paid, with what remains', async () => {
  const page = await browser.open('/book/svc_color?with=staff_nina&day=2026-12-02')
  expect(page.body).toContain('25% deposit when booking, the rest at your appointment')
  const { headers } = await browser.press(page, browser.times(page)[0]?.time ?? '')
  const details = await browser.open(headers.location ?? '')
  expect(details.body).toContain('<dt>Deposit, due now</dt><dd>$35.00</dd>')
  expect(details.body).toMatch(/<dt>Due at your appointment<\/dt><dd>\$1\d\d\.\d\d</)
})

test('[kept for ten minutes] what has lapsed is said, and cannot be booked', async () => {
  const page = await browser.open('/book/svc_call')
  const { headers } = await browser.press(page, browser.times(page).at(-1)?.time ?? '')
  const address = headers.location ?? ''
  const { token } = browser.formOf(await browser.open(address))
  shop.minutesLater(11)
  const before = (await bookings()).length
  const sent = await browser.send(address, { form: token, ...ROSA })
  expect(sent.status).toBe(410)
  expect(sent.body).toContain('available to others again')
  expect((await bookings()).length).toBe(before)
  shop.time.now = START
})

describe('[what each kind of service asks for]', () => {
  test('a table for four takes the table that seats four', async () => {
    const { done } = await browser.book('/book/svc_table?party=4')
    expect(done.status).toBe(303)
    expect(await bookedBy(done)).toMatchObject({ resource_ids: ['table_4'], record: { party_size: 4 } })
  })

  test('a bike for three hours', async () => {
    const { done } = await browser.book('/book/svc_bike?length=180')
    const { starts_at, ends_at } = await bookedBy(done)
    expect(ends_at.getTime() - starts_at.getTime()).toBe(3 * 3_600_000)
  })

  test('a massage leads to its payment', async () => {
    const { done } = await browser.book('/book/svc_massage')
    expect(done.headers.location).toMatch(/^\/booking\/[\w-]+\/payment\//)
    // Who pays by hand has a day, and is told how.
    expect(await bookedBy(done)).toMatchObject({ status: 'requires_action', record: { payment_window: 86_400_000 } })
    const { body } = await browser.open(done.headers.location ?? '')
    expect(body).toContain('Pay at the desk of either salon')
    expect(body).toContain('Pay by phone: call')
  })

  test('a request that the staff answer is said to be one', async () => {
    const page = await browser.open('/book/svc_consult')
    const { headers } = await browser.press(page, browser.times(page)[3]?.time ?? '')
    expect((await browser.open(headers.location ?? '')).body).toContain('<button>Send request</button>')
    const done = await browser.fill(headers.location ?? '', ROSA)
    expect(await bookedBy(done)).toMatchObject({ status: 'pending' })
  })

  test('a plumber asks where to come, and for a number', async () => {
    const page = await browser.open('/book/svc_plumbing')
    const { headers } = await browser.press(page, browser.times(page)[0]?.time ?? '')
    const address = headers.location ?? ''
    const countries = String((await browser.open(address)).body).match(/<option value="[A-Z]{2}" selected>/g)
    expect(countries).toEqual(['<option value="US" selected>'])
    const lacking = await browser.fill(address, { ...ROSA, phone: '' })
    expect(lacking.status).toBe(422)
    for (const name of ['phone', 'line1', 'city']) expect(lacking.body).toContain(`id="${name}-error"`)
    const [summary = ''] = /<div class="note wrong" role="alert">.*?<\/div>/s.exec(lacking.body) ?? []
    expect(summary.match(/<a href="#\w+">/g)).toEqual(['<a href="#phone">', '<a href="#line1">', '<a href="#city">'])
    expect(summary).toContain('<a href="#phone">Phone number</a>: Please fill in this field.')
    const nowhere = { ...ROSA, line1: '120 Spring Street', city: 'New York', postal_code: '10012', country: 'QQ' }
    const unknown = await browser.fill(address, nowhere)
    expect(unknown.status).toBe(422)
    expect(unknown.body).toMatch(/<select id="country"[^>]* aria-invalid="true" aria-describedby="country-error">/)
    expect(unknown.body).toContain('id="country-error"')
    expect(unknown.body).toMatch(/<option value=""><\/option>/)
    const given = { ...ROSA, line1: '120 Spring Street', city: 'New York', postal_code: '10012', country: 'US' }
    expect((await bookedBy(await browser.fill(address, given))).people.delivery_address).toEqual({
      line1: '120 Spring Street',
      city: 'New York',
      postal_code: '10012',
      country: 'US',
    })
  })

  test('a class says how many places are left; when it is full, one can queue', async () => {
    const url = '/book/svc_yoga?day=2026-11-24'
    expect((await browser.open(url)).body).toContain('8 spots left')
    const { done } = await browser.book('/book/svc_yoga?day=2026-11-24&party=8')
    expect(await bookedBy(done)).toMatchObject({ record: { party_size: 8 } })
    const full = await browser.open(url)
    const queue = /href="(\/book\/svc_yoga\/waitlist[^"]*)"/.exec(full.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(full.body).toContain('Full: join the waitlist')
    const joined = await browser.fill(queue, ROSA)
    expect(joined).toMatchObject({ status: 303, headers: { location: expect.stringMatching(/^\/waiting\/wle_/) } })
    const entries = await shop.runtime.db.selectFrom('waitlist_entries').selectAll().execute()
    expect(entries).toMatchObject([
      { service_id: 'svc_yoga', status: 'waiting', principal: expect.stringMatching(/^page:/) },
    ])
  })
})

test('[never double-booked] after all of this the ledger is whole', async () => {
  expect((await verify(shop.runtime.db, shop.time.now)).findings.count).toBe(0)
})
