import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { withPlainSpaces } from '../support/plain.ts'
import { START } from '../support/server.ts'
import { browser, linkIn, studio } from './shop.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const { policies } = service('any')
const moving = (id: string, rescheduling: object, more = {}) =>
  service(id, { policies: { ...policies, ...more, rescheduling: { allowed: true, ...rescheduling } } })

const shop = await testShop({
  ...studio({ website: { contact: { phone: '+12125550143' } } }),
  services: [
    ...studio().services,
    moving('svc_once', { max_reschedules: 1 }),
    moving('svc_fixed', { allowed: false }),
    moving('svc_dear', { free_reschedule_until: 'P30D', fee: 500 }),
    { ...moving('svc_friday', {}), price_rules: [{ name: 'Friday', days: ['friday'], amount: 15_000 }] },
    moving('svc_dear_paid', { free_reschedule_until: 'P30D', fee: 500 }, { payment_timing: 'at_booking' }),
  ],
})
const desk = restDesk(shop)
const page = browser(shop)

type Told = { id: string; booking_url: string; slot: { id: string; start: string } }

async function booked(id: string, { paid = false } = {}): Promise<Told> {
  shop.time.now = START
  const [slot] = await desk.slots(id)
  const { booking } = (await desk.book(slot)).data
  return paid ? (await desk.pay(booking)).data.booking : booking
}
const now = async ({ id }: Told) => (await desk.get(id)).data.booking
const moveUrl = async ({ booking_url }: Told) => linkIn((await page.open(booking_url)).body, 'move') ?? ''
const field = (body: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''
const formIn = (body: string) => ({ slot: field(body, 'slot'), terms: field(body, 'terms') })
/** The addresses of the times on a page. */
const timesOn = (body: string) =>
  [...body.matchAll(/href="([^"]*time=\d+-\d+)"/g)].map(
    ([, url = '']) => `https://book.example${url.replaceAll('&amp;', '&')}`,
  )
const lastTime = async (booking: Told, day?: string) => {
  const url = await moveUrl(booking)
  return timesOn((await page.open(day === undefined ? url : `${url}?day=${day}`)).body).at(-1) ?? ''
}

test('days with free times, then old and new time and what it costs, then it is moved', async () => {
  const booking = await booked('svc_free')
  const url = await moveUrl(booking)
  const { status, body } = await page.open(url)
  expect(status).toBe(200)
  expect(withPlainSpaces(body)).toContain('Current time: Tuesday, November 24, 2026, 9:00 – 10:00 AM EST')
  expect(body).toMatch(/<h3>Morning<\/h3>[\s\S]*<h3>Afternoon<\/h3>/)
  expect(body).not.toContain('<form method="post"')

  const ask = await page.open(await lastTime(booking, '2026-11-25'))
  expect(ask.status).toBe(200)
  expect(withPlainSpaces(ask.body)).toContain(
    '<dt>Current time</dt><dd>Tuesday, November 24, 2026, 9:00 – 10:00 AM EST</dd>',
  )
  expect(withPlainSpaces(ask.body)).toContain(
    '<dt>New time</dt><dd>Wednesday, November 25, 2026, 5:00 – 6:00 PM EST</dd>',
  )
  expect(ask.body).toContain('Rescheduling is free.')
  expect(await now(booking)).toMatchObject({ slot: { start: booking.slot.start } })

  const sent = await page.send(url, formIn(ask.body))
  expect([sent.status, sent.headers.location]).toEqual([303, `${new URL(booking.booking_url).pathname}?moved`])
  const moved = (await page.open(`${booking.booking_url}?moved`)).body
  expect(moved).toMatch(/<main[^>]*>\s*<h1>[^<]*<\/h1>\s*<p class="note" role="status">Your booking was rescheduled\./)
  expect((await page.open(booking.booking_url)).body).not.toContain('was rescheduled')
  expect(await now(booking)).toMatchObject({ status: 'confirmed', slot: { start: '2026-11-25T17:00:00-05:00' } })
})

test('begins at the day that the booking is on', async () => {
  const slots = await desk.slots('svc_free', { start_date: '2026-12-10', end_date: '2026-12-10' })
  const { booking } = (await desk.book(slots[0])).data
  const { body } = await page.open(await moveUrl(booking))
  expect(body).toMatch(/<h2 id="times"[^>]*>Thursday, December 10<\/h2>/)
})

test('what is sent three times at once moves once', async () => {
  const booking = await booked('svc_once')
  const url = await moveUrl(booking)
  const form = formIn((await page.open(await lastTime(booking))).body)
  const answers = await Promise.all([1, 2, 3].map(() => page.send(url, form)))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  const changes = await shop.runtime.db
    .selectFrom('changes')
    .select(['actor', 'action'])
    .where('subject', '=', `booking ${booking.id}`)
    .where('action', '=', 'reschedule')
    .execute()
  expect(changes).toEqual([{ actor: 'buyer', action: 'reschedule' }])
  // Its terms allow no more.
  const { body } = await page.open(url)
  expect(body).toContain('This booking has already been rescheduled the maximum number of times.')
  expect((await page.open(booking.booking_url)).body).toContain(
    'This booking has already been rescheduled the maximum number of times.',
  )
})

describe('what it costs is told before', () => {
  test.each([
    ['svc_fee', false, 'Rescheduling is free.', 'Reschedule booking'],
    ['svc_dear', false, 'Rescheduling now costs $5.00, payable to the business.', 'Reschedule for $5.00'],
    [
      'svc_dear_paid',
      true,
      'Rescheduling costs $5.00. You pay in the next step, and the booking',
      'Reschedule for $5.00',
    ],
  ])('%s, paid: %j, and what it binds to stands on the button', async (id, paid, said, button) => {
    const booking = await booked(id, { paid })
    const ask = await page.open(await lastTime(booking))
    expect(ask.body).toContain(said)
    expect(ask.body).toContain(`<button>${button}</button>`)
    expect((await page.send(await moveUrl(booking), formIn(ask.body))).status).toBe(303)
    const moved = await now(booking)
    expect(moved.slot.start).not.toBe(booking.slot.start)
    if (paid) expect(moved).toMatchObject({ status: 'requires_action', payment: { amount_due: 500 } })
  })

  test('what is paid at the appointment binds to what it costs more', async () => {
    const booking = await booked('svc_friday')
    const dearer = await page.open(await lastTime(booking, '2026-11-27'))
    expect(dearer.body).toContain('The price at the new time is $150.00; it was $75.00.')
    expect(dearer.body).toContain('<button>Reschedule for $75.00</button>')
    const same = await page.open(await lastTime(booking, '2026-11-30'))
    expect(same.body).toContain('<button>Reschedule booking</button>')
  })

  test('a dearer day is to be paid for, a cheaper one gives back', async () => {
    const booking = await booked('svc_moved', { paid: true })
    const dearer = await page.open(await lastTime(booking, '2026-11-27'))
    expect(dearer.body).toContain('Rescheduling costs $75.00.')
    expect(dearer.body).toContain('<button>Reschedule for $75.00</button>')
    await page.send(await moveUrl(booking), formIn(dearer.body))
    expect(await now(booking)).toMatchObject({ status: 'requires_action', payment: { amount_due: 7500 } })
    await desk.pay(await now(booking))
    const cheaper = await page.open(await lastTime(booking, '2026-11-30'))
    expect(cheaper.body).toContain('The new time costs less: $75.00 will be refunded')
    expect(cheaper.body).toContain('<button>Reschedule booking</button>')
    await page.send(await moveUrl(booking), formIn(cheaper.body))
    expect(await now(booking)).toMatchObject({ status: 'confirmed', payment: { refund_amount: 7500 } })
  })
})

test('asks once more when moving has become dearer since the page was opened', async () => {
  const booking = await booked('svc_free')
  const url = await moveUrl(booking)
  const form = formIn((await page.open(await lastTime(booking))).body)
  const answer = await page.send(url, { ...form, terms: '1 0 0 0' })
  expect(answer.status).toBe(409)
  expect(answer.body).toContain('Please check it again')
  expect(await now(booking)).toMatchObject({ slot: { start: booking.slot.start } })
  expect((await page.send(url, formIn(answer.body))).status).toBe(303)
})

test('who is slower than another is told so and offered the times that are left', async () => {
  const booking = await booked('svc_free')
  const url = await moveUrl(booking)
  const form = formIn((await page.open(await lastTime(booking, '2026-11-26'))).body)
  const other = (await desk.slots('svc_free')).find(({ id }: { id: string }) => id === form.slot)
  await desk.book(other)
  const answer = await page.send(url, form)
  expect(answer.status).toBe(409)
  expect(answer.body).toContain('That time was just booked.')
  expect(timesOn(answer.body).length).toBeGreaterThan(0)
  expect(await now(booking)).toMatchObject({ slot: { start: booking.slot.start } })
})

describe('where it is not allowed', () => {
  test('the page of the booking says why and how to reach the business, and leads nowhere', async () => {
    const booking = await booked('svc_fixed')
    const { body } = await page.open(booking.booking_url)
    expect(body).toContain('You cannot reschedule this booking.')
    expect(body).toContain('href="tel:+12125550143"')
    expect(linkIn(body, 'move')).toBeUndefined()
  })

  test('once it has begun the page says that it is too late', async () => {
    const booking = await booked('svc_free')
    const url = await moveUrl(booking)
    const form = formIn((await page.open(await lastTime(booking))).body)
    shop.time.now = new Date(booking.slot.start)
    expect((await page.open(url)).body).toContain('It is too late to reschedule this booking.')
    expect((await page.send(url, form)).status).toBe(303)
    expect(await now(booking)).toMatchObject({ slot: { start: booking.slot.start } })
  })

  test('a booking that is over leads to its page', async () => {
    const booking = await booked('svc_free')
    const url = await moveUrl(booking)
    await desk.cancel(booking.id)
    expect((await page.open(url)).headers.location).toBe(new URL(booking.booking_url).pathname)
  })
})

describe('is refused', () => {
  test('to a form from another site, and to another secret', async () => {
    const booking = await booked('svc_free')
    const url = await moveUrl(booking)
    const form = formIn((await page.open(await lastTime(booking))).body)
    expect((await page.send(url, form, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await page.send(booking.booking_url.replace('/manage/', '/move/'), form)).status).toBe(404)
    expect(await now(booking)).toMatchObject({ slot: { start: booking.slot.start } })
  })

  test.each([
    '?time=x',
    '?time=-1',
    '?time=99999999999999999-99999999999999999',
    '?day=2026-99-99&from=x&with=%3Cscript%3E',
    '?time=0-0',
  ])('%s is answered with the times that there are', async (query) => {
    const { status, body } = await page.open(`${await moveUrl(await booked('svc_free'))}${query}`)
    expect([200, 409]).toContain(status)
    expect(body).not.toContain('<script>')
    expect(timesOn(body).length).toBeGreaterThan(0)
  })

  test.each(['', 'slot_x', '<script>'])('a slot that there is not: %j', async (slot) => {
    const booking = await booked('svc_free')
    const answer = await page.send(await moveUrl(booking), { slot, terms: '0 0 0 0' })
    expect(answer.status).toBe(409)
    expect(answer.body).not.toContain('<script>')
  })

  test('a slot of another service', async () => {
    const booking = await booked('svc_free')
    const [slot] = await desk.slots('svc_paid')
    expect((await page.send(await moveUrl(booking), { slot: slot.id, terms: '0 0 0 0' })).status).toBe(409)
    expect(await now(booking)).toMatchObject({ slot: { start: booking.slot.start } })
  })
})

test('[half an hour later] times that overlap the booking’s own are offered, and it can be moved there', async () => {
  const salon = await testShop(
    businessWith([service('svc_cut', { resources: [{ type: 'staff', selectable: true }] })], {
      hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '18:00' }],
      resources: [{ id: 'ann', type: 'staff', name: 'Ann' }],
    }),
  )
  const [own, window] = [restDesk(salon), browser(salon)]
  const [slot, , later] = await own.slots('svc_cut')
  const { booking } = (await own.book(slot)).data
  await own.book(later)
  const url = linkIn((await window.open(booking.booking_url)).body, 'move') ?? ''
  const starts = async () =>
    timesOn((await window.open(url)).body).map((one) => Number(/time=(\d+)/.exec(one)?.[1]) - Date.parse(slot.start))
  const HOUR = 60 * 60 * 1000
  // Half an hour later somebody else comes half of the time.
  expect((await starts())[0]).toBe(2 * HOUR)
  await own.cancel((await own.book((await own.slots('svc_cut'))[0])).data.booking.id)
  const next = await own.slots('svc_cut', { start_date: '2026-12-01', end_date: '2026-12-01' })
  await own.reschedule(booking.id, next[4])
  const ask = await window.open(
    timesOn((await window.open(url)).body).find((one) => one.includes(`time=${Date.parse(next[5].start)}-`)) ?? '',
  )
  expect((await window.send(url, formIn(ask.body))).status).toBe(303)
  expect((await own.get(booking.id)).data.booking.slot.start).toBe(next[5].start)
})

test('is with the same person, unless another is asked for', async () => {
  const salon = await testShop(
    businessWith([service('svc_cut', { resources: [{ type: 'staff', selectable: true }] })], {
      hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '18:00' }],
      resources: ['Ann', 'Ben'].map((name) => ({ id: name.toLowerCase(), type: 'staff' as const, name })),
    }),
  )
  const [own, window] = [restDesk(salon), browser(salon)]
  const slots = await own.slots('svc_cut')
  const withBen = slots.find(({ resources }: { resources: { id: string }[] }) => resources[0]?.id === 'ben')
  const { booking } = (await own.book(withBen)).data
  const url = linkIn((await window.open(booking.booking_url)).body, 'move') ?? ''
  const { body } = await window.open(url)
  expect(body).toContain('<option value="ben" selected>Ben</option>')
  const same = await window.open(timesOn(body)[0] ?? '')
  expect(same.body).not.toContain('<dt>With</dt>')
  const others = await window.open(`${url}?with=ann`)
  expect(others.body).toContain('<option value="ann" selected>Ann</option>')
  const ask = await window.open(timesOn(others.body)[0] ?? '')
  expect(ask.body).toContain('<dt>With</dt><dd>Ann</dd>')
  await window.send(url, formIn(ask.body))
  expect((await own.get(booking.id)).data.booking.resources).toMatchObject([{ id: 'ann' }])
})

describe('[as long as before]', async () => {
  const MINUTE = 60 * 1000
  const stay = (range: { min: string; max: string; step: string }) =>
    businessWith([service('svc_stay', { duration: { range } })], {
      hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '18:00' }],
    })
  const place = await testShop(stay({ min: 'PT30M', max: 'PT120M', step: 'PT30M' }))
  const [own, window] = [restDesk(place), browser(place)]
  const minutesOf = ({ start, end }: { start: string; end: string }) => (Date.parse(end) - Date.parse(start)) / MINUTE
  const slot = (await own.slots('svc_stay', { duration: 'PT90M' })).find((one) => minutesOf(one) === 90)
  const { booking } = (await own.book(slot)).data
  const offered = async () => {
    const { body } = await window.open(linkIn((await window.open(booking.booking_url)).body, 'move') ?? '')
    const times = [...body.matchAll(/time=(\d+)-(\d+)"/g)]
    return [...new Set(times.map(([, start, end]) => (Number(end) - Number(start)) / MINUTE))]
  }

  test('the times that are offered are as long as the booking', async () => {
    expect(await offered()).toEqual([90])
  })

  test('if the service no longer has this length, they have the closest one', async () => {
    await place.apply(stay({ min: 'PT40M', max: 'PT120M', step: 'PT40M' }))
    await expect.poll(offered).toEqual([80])
  })
})
