import { describe, expect, test } from 'vitest'
import { pageUrl } from '../../src/domain/bookings/booking-page-links.ts'
import { restDesk, testShop, WEEK } from '../support/desk.ts'
import { withPlainSpaces } from '../support/plain.ts'
import { START } from '../support/server.ts'
import { browser, linkIn, studio } from './shop.ts'

const shop = await testShop(
  studio({
    locations: [{ id: 'loc', name: 'Soho', address: '1 Prince St' }],
    website: { contact: { phone: '+12125550143', address: '1 Prince St' } },
  }),
)
const desk = restDesk(shop)
const page = browser(shop)

async function booked(service: string, { paid = false } = {}) {
  shop.time.now = START
  const [slot] = await desk.slots(service)
  const { booking } = (await desk.book(slot)).data
  return paid ? (await desk.pay(booking)).data.booking : booking
}
const now = async ({ id }: { id: string }) => (await desk.get(id)).data.booking
const cancelUrl = async ({ booking_url }: { booking_url: string }) =>
  linkIn((await page.open(booking_url)).body, 'cancel') ?? ''
const terms = (body: string) => /name="terms" value="([^"]*)"/.exec(body)?.[1] ?? ''
const toTheLastDay = () => {
  shop.time.now = new Date('2026-11-24T00:00:00Z')
}

test('[BKG-039] shows what was booked, for when in the zone of the business, where, and what it costs', async () => {
  const booking = await booked('svc_paid', { paid: true })
  const { status, body } = await page.open(booking.booking_url)
  expect(status).toBe(200)
  const rows = [...withPlainSpaces(body).matchAll(/<dt>(\w+)<\/dt><dd>([^<]*)<\/dd>/g)].map(([, name, text]) => [
    name,
    text,
  ])
  expect(Object.fromEntries(rows)).toEqual({
    What: 'Service svc_paid',
    When: 'Tuesday, November 24, 2026, 9:00 – 10:00 AM EST',
    Where: 'Soho, 1 Prince St',
    Price: '$75.00',
    Paid: '$75.00',
  })
  expect(body).toContain('Confirmed.')
})

test('[BKG-039] what is paid at the appointment has a price as well', async () => {
  const booking = await booked('svc_fee')
  expect((await page.open(booking.booking_url)).body).toContain('<dd>$75.00, due at your appointment</dd>')
})

test('says what is paid at the appointment, and no more once it is canceled', async () => {
  const booking = await booked('svc_fee')
  expect((await page.open(booking.booking_url)).body).toContain('due at your appointment')
  await desk.cancel(booking.id)
  expect((await page.open(booking.booking_url)).body).not.toContain('due at your appointment')
})

test('[once canceled] it says what that cost, has no price any more, and leads to where it can be booked again', async () => {
  const booking = await booked('svc_fee')
  toTheLastDay()
  await desk.cancel(booking.id)
  const { body } = await page.open(booking.booking_url)
  expect(body).toContain('$20.00')
  expect(body).not.toContain('<dt>Price</dt>')
  expect(body).toContain('<a class="button plain" href="/book/svc_fee">Book again</a>')
  const hidden = await testShop(studio({ website: { enabled: false } }))
  const other = (await restDesk(hidden).book((await restDesk(hidden).slots('svc_fee'))[0])).data.booking
  await restDesk(hidden).cancel(other.id)
  expect((await browser(hidden).open(other.booking_url)).body).not.toContain('Book again')
})

test('says why the business canceled', async () => {
  const booking = await booked('svc_free')
  await desk.call('usp_business_bookings_cancel', { booking_id: booking.id, reason: 'We are ill.' }, { as: shop.staff })
  expect((await page.open(booking.booking_url)).body).toMatch(/Canceled by [^:<]+: We are ill\./)
})

describe('tells what canceling costs before it is done', () => {
  test.each([
    ['svc_free', false, false, 'Canceling is free.', 0],
    ['svc_paid', false, false, 'Canceling is free.', 0],
    ['svc_late', true, false, 'Canceling is free: the $75.00 you paid will be refunded.', 7500],
    ['svc_late', true, true, 'Canceling now costs $20.00: $55.00 of the $75.00 you paid will be refunded.', 5500],
    ['svc_fee', false, true, 'Canceling now costs $20.00, payable to the business.', 0],
  ])('%s, paid: %j, late: %j', async (service, paid, late, said, refund) => {
    const booking = await booked(service, { paid })
    if (late) toTheLastDay()
    const url = await cancelUrl(booking)
    const { body } = await page.open(url)
    expect(body).toContain(said)
    const sent = await page.send(url, { terms: terms(body), reason: ' Plans changed ' })
    expect([sent.status, sent.headers.location]).toEqual([303, new URL(booking.booking_url).pathname])
    expect(await now(booking)).toMatchObject({
      status: 'canceled',
      cancellation: { canceled_by: 'buyer', refund_amount: refund, reason: 'Plans changed' },
    })
    expect((await page.open(url)).headers.location).toBe(new URL(booking.booking_url).pathname)
    const after = (await page.open(booking.booking_url)).body
    expect(after).not.toContain('<form')
    if (refund > 0) expect(after).toContain(`$${refund / 100}.00 will be refunded`)
  })
})

test('asks once more when canceling has become dearer since the page was opened', async () => {
  const booking = await booked('svc_late', { paid: true })
  const url = await cancelUrl(booking)
  const agreed = terms((await page.open(url)).body)
  toTheLastDay()
  const answer = await page.send(url, { terms: agreed })
  expect(answer.status).toBe(409)
  expect(answer.body).toContain('Please check it again')
  expect(answer.body).toContain('Canceling now costs $20.00')
  expect(await now(booking)).toMatchObject({ status: 'confirmed' })
  expect((await page.send(url, { terms: terms(answer.body) })).status).toBe(303)
  expect(await now(booking)).toMatchObject({ status: 'canceled', cancellation: { fee: 2000 } })
})

test('a form without the terms cancels nothing', async () => {
  const booking = await booked('svc_free')
  expect((await page.send(await cancelUrl(booking))).status).toBe(409)
  expect(await now(booking)).toMatchObject({ status: 'confirmed' })
})

test('the page of the booking has nothing that cancels by one press, and takes no form', async () => {
  const booking = await booked('svc_free')
  const { body } = await page.open(booking.booking_url)
  expect(body).not.toContain('<form')
  expect((await page.send(booking.booking_url, { terms: '0 0' })).status).toBe(303)
  expect(await now(booking)).toMatchObject({ status: 'confirmed' })
})

test('canceling is refused to a form from another site, to another secret, and to the secret of another page', async () => {
  const booking = await booked('svc_free')
  const url = await cancelUrl(booking)
  const foreign = await page.send(url, { terms: '0 0' }, { origin: 'https://evil.example' })
  expect([foreign.status, foreign.body.includes('Nothing was changed')]).toEqual([403, true])
  const others = [
    `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`,
    booking.booking_url.replace('/manage/', '/cancel/'),
  ]
  for (const other of others) expect((await page.send(other, { terms: '0 0' })).status).toBe(404)
  expect(await now(booking)).toMatchObject({ status: 'confirmed' })
})

test('says why what cannot be canceled cannot, and takes no form', async () => {
  const booking = await booked('svc_firm')
  const { config, tag } = shop.runtime
  const url = pageUrl(config.baseUrl, tag, { id: booking.id, record: {} }, 'cancel')
  for (const { body } of [await page.open(booking.booking_url), await page.open(url)]) {
    expect(body).toContain('You cannot cancel this booking.')
    expect(body).toContain('Please contact Test Studio.')
    expect(body).toContain('<a href="tel:+12125550143" dir="ltr">+1 212 555 0143</a>')
    expect(body).toContain('<span dir="auto">1 Prince St</span>')
    expect(body).not.toContain('<form')
  }
  expect((await page.send(url, { terms: '0 0' })).status).toBe(303)
  expect(await now(booking)).toMatchObject({ status: 'confirmed' })
})

test('a form that is sent three times at once cancels once', async () => {
  const booking = await booked('svc_paid', { paid: true })
  const url = await cancelUrl(booking)
  const form = { terms: terms((await page.open(url)).body) }
  const answers = await Promise.all([1, 2, 3].map(() => page.send(url, form)))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  const { db } = shop.runtime
  const changes = await db
    .selectFrom('changes')
    .select(['actor', 'action'])
    .where('subject', '=', `booking ${booking.id}`)
    .where('to_status', '=', 'canceled')
    .execute()
  expect(changes).toEqual([{ actor: 'buyer', action: 'cancel' }])
  expect(await now(booking)).toMatchObject({ payment: { status: 'refunded' } })
})

test.each([
  ['waits for the business', 'svc_asked', 'Waiting for Test Studio to confirm'],
  ['has something left to do', 'svc_all', 'Almost done'],
])('says when the booking %s', async (_, service, said) => {
  const booking = await booked(service)
  expect((await page.open(booking.booking_url)).body).toContain(said)
})

test('says when nobody did in time what was asked for', async () => {
  const booking = await booked('svc_paid')
  shop.minutesLater(24 * 60)
  const { status, body } = await page.open(booking.booking_url)
  expect([status, body.includes('Canceled, because the steps were not completed in time.')]).toEqual([200, true])
  expect(body).not.toContain('<form')
})

test('passes on what the business wants the buyer to know', async () => {
  const booking = await booked('svc_asked')
  await desk.confirm(booking.id, { notes: 'Bring <boots>' })
  expect((await page.open(booking.booking_url)).body).toContain('<p dir="auto" lang="en">Bring &lt;boots&gt;</p>')
})

test('the time that a canceled booking had is free for others', async () => {
  const booking = await booked('svc_free')
  const url = await cancelUrl(booking)
  await page.send(url, { terms: terms((await page.open(url)).body) })
  const ids = (await desk.slots('svc_free', WEEK)).map(({ id }: { id: string }) => id)
  expect(ids).toContain(booking.slot.id)
})

test('says what is open of a booking that the staff made', async () => {
  shop.time.now = START
  const [slot] = await desk.slots('svc_paid')
  const made = { service_id: 'svc_paid', slot_id: slot.id, buyer: { first_name: 'Walter' } }
  const { booking } = (await desk.call('usp_business_bookings_create', made, { as: shop.staff })).data
  const { body } = await page.open(booking.booking_url)
  expect(body).toContain('<dt>Amount due</dt><dd>$75.00</dd>')
  await desk.call('usp_business_bookings_mark_paid', { booking_id: booking.id }, { as: shop.staff })
  const after = (await page.open(booking.booking_url)).body
  expect(after).toContain('<dt>Paid</dt><dd>$75.00</dd>')
  expect(after).not.toContain('<dt>Amount due</dt>')
})
