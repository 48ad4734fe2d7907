import { expect, test } from 'vitest'
import { restDesk, testShop } from '../support/desk.ts'
import { browser, linkIn, studio } from './shop.ts'

const HOSTILE = '<script>alert("x")</script>'
const base = studio()

const shop = await testShop(
  {
    ...base,
    business: {
      ...base.business,
      links: [
        { type: 'privacy_policy', url: 'https://studio.example/privacy' },
        { type: 'house_rules', url: 'https://studio.example/rules' },
      ],
    },
    services: base.services.map((one) => ({
      ...one,
      links: [{ type: 'cancellation_policy', url: 'https://studio.example/cancel', title: HOSTILE }],
    })),
  },
  { env: { BASE_URL: 'https://book.example' } },
)
const desk = restDesk(shop)
const page = browser(shop)
const booked = async (service: string) => (await desk.book((await desk.slots(service))[0])).data.booking
const rowsOf = (body: string) => {
  const [, receipt = ''] = /<table aria-labelledby="receipt">([\s\S]*)<\/table>/.exec(body) ?? []
  return [...receipt.matchAll(/<th scope="row">(.*?)<\/th><td>(.*?)<\/td>/g)].map(([, name = '', amount]) => [
    name
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    amount,
  ])
}

test('says first how it stands, then what it is, then what can be done about it', async () => {
  const { body } = await page.open((await booked('svc_free')).booking_url)
  const order = [
    ...['Confirmed. See you then!', '<dt>What</dt>', 'Add to Google Calendar'],
    ...['Reschedule booking', 'Cancel booking'],
  ]
  const places = order.map((text) => body.indexOf(text))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places.every((place) => place > 0)).toBe(true)
})

test('has a receipt: what was paid, when and how, and what of it went back', async () => {
  const booking = await booked('svc_late')
  expect(rowsOf((await page.open(booking.booking_url)).body)).toEqual([])
  const paid = { booking_id: booking.id, transaction_id: HOSTILE }
  await desk.call('usp_business_bookings_mark_paid', paid, { as: shop.staff })
  const way = 'Friday, November 20, 2026 Paid to Test Studio, &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;'
  expect(rowsOf((await page.open(booking.booking_url)).body)).toEqual([
    [way, '$75.00'],
    ['Total', '$75.00'],
  ])
  await desk.cancel(booking.id)
  expect(rowsOf((await page.open(booking.booking_url)).body)).toEqual([
    [way, '$75.00'],
    ['Refunded', '-$75.00'],
    ['Total', '$0.00'],
  ])
})

test('leads to what the business wrote about the service and about itself, by names that people know', async () => {
  const { body } = await page.open((await booked('svc_free')).booking_url)
  expect(body).toContain('<a href="https://studio.example/privacy" rel="noreferrer">Privacy policy</a>')
  expect(body).toContain('<a href="https://studio.example/rules" rel="noreferrer">house rules</a>')
  expect(body).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;</a>')
})

test('is put into a calendar by its own secret', async () => {
  const booking = await booked('svc_free')
  const { body } = await page.open(booking.booking_url)
  expect(body).toContain(`href="${new URL(booking.booking_url).pathname}/calendar.ics"`)
  const file = await page.open(`${booking.booking_url}/calendar.ics`)
  expect(file.status).toBe(200)
  expect(file.headers['content-type']).toBe('text/calendar; charset=utf-8')
  expect(file.headers['content-disposition']).toBe('attachment; filename="booking.ics"')
  expect(file.body).toContain(`UID:${booking.id}`)
  expect(file.body).toContain('STATUS:CONFIRMED')
  const wrong = [
    `${booking.booking_url.slice(0, -1)}${booking.booking_url.endsWith('A') ? 'B' : 'A'}/calendar.ics`,
    `${linkIn(body, 'cancel')}/calendar.ics`,
    `https://book.example/booking/bkg_none/manage/${'A'.repeat(32)}/calendar.ics`,
  ]
  for (const url of wrong) expect((await page.open(url)).status).toBe(404)
  await desk.cancel(booking.id)
  expect((await page.open(booking.booking_url)).body).not.toContain('calendar.ics')
  expect((await page.open(`${booking.booking_url}/calendar.ics`)).body).toContain('STATUS:CANCELLED')
})
