import { expect, test } from 'vitest'
import { START } from '../../support/server.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked, person, platform } = await deskSalon()
const owner = await signedIn('owner')
await booked('svc_auto')
const { booking } = await booked('svc_paid')
const { db } = shop.runtime
await db
  .insertInto('payments')
  .values({
    id: 'pay_1',
    booking_id: booking.id,
    amount: 12345,
    currency: 'USD',
    purpose: 'price',
    source: 'staff',
    reported_by: 'staff:one',
    received_at: new Date('2026-11-24T20:00:00Z'),
  })
  .execute()

const days = 'from=2026-11-24&to=2026-11-30'

test('days are reported on in drawings, each with a table beside it', async () => {
  expect((await owner.open('/desk')).body).toContain('href="/desk/reports"')
  const { body } = await owner.open(`/desk/reports?${days}`)
  expect(body).toContain('<tr><th scope="row">Bookings</th><td>2</td><td>0</td></tr>')
  expect(body).toContain('<tr><th scope="row">Takings</th><td>$123.45</td><td>$0.00</td></tr>')
  expect(body.match(/<svg class="chart"/g)).toHaveLength(2)
  expect(body.match(/<rect[^>]* height="160"\/>/g)).toHaveLength(2)
  expect(body).toContain('<tr><th scope="row">Tue, Nov 24</th><td>2</td><td>0</td><td>0</td></tr>')
  expect(body).toContain('href="/desk/reports?from=2026-11-17&amp;to=2026-11-23"')
  // One of the seven days on which Ann is there at nine.
  expect(body).toMatch(/<th scope="row">Ann<.th><td>\d+%<.td><td>0%<.td>(<td><.td>)*<td class="heat\d">/)
})

test('more days are drawn by the week, and what is no span of days is refused', async () => {
  expect((await owner.open('/desk/reports?from=2026-09-01&to=2026-11-30')).body).toContain(
    '<th scope="col">Week of</th>',
  )
  for (const wrong of ['from=2026-11-24&to=2026-11-23', 'from=2020-01-01&to=2026-01-01', 'from=x', 'to=2026-02-30']) {
    const { status, body } = await owner.open(`/desk/reports?${wrong}`)
    expect([wrong, status, body.includes('role="alert"')]).toEqual([wrong, 409, true])
    expect((await owner.open(`/desk/reports.csv?${wrong}`)).status).toBe(404)
  }
})

test.each([
  ['2026-12-07', 47, '1 day 23 hr'],
  ['2026-12-08', 48, '2 days'],
  ['2026-12-09', 59, '2 days'],
  ['2026-12-10', 61, '3 days'],
])(
  'how far ahead buyers book is told in whole days from two days on: for %s, %d hours ahead',
  async (day, hours, text) => {
    const [slot] = await platform.slots('svc_auto', { start_date: day, end_date: day })
    shop.time.now = new Date(Date.parse(slot.start) - hours * 3_600_000)
    await platform.book(slot)
    shop.time.now = START
    const { body } = await owner.open(`/desk/reports?from=${day}&to=${day}`)
    expect(/<th scope="row">Usually booked ahead<.th><td>([^<]*)/.exec(body)?.[1]).toBe(text)
  },
)

test('the numbers are had as a file for a spreadsheet', async () => {
  const { body, headers } = await owner.open(`/desk/reports.csv?${days}`)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
  expect(headers['content-disposition']).toBe('attachment; filename="reports-2026-11-24-2026-11-30.csv"')
  const rows = body.split('\r\n')
  expect(rows).toContain('"Bookings","2026-11-24",2,""')
  expect(rows).toContain('"Bookings","2026-11-25",0,""')
  expect(rows).toContain('"Takings","2026-11-24",123.45,"USD"')
  expect(rows.some((row: string) => row.startsWith('"Booking sources",'))).toBe(true)
})

test('the usual ranges of days are links, and the chosen one is marked', async () => {
  const links = async (query: string, locale = 'en') => {
    const { body } = await owner.open(`/desk/reports?${query}`, { 'accept-language': locale })
    const all = String(body).matchAll(
      /<a class="button plain" href="[^"]+from=([\d-]+)&amp;to=([\d-]+)"([^>]*)>([^<]+)</g,
    )
    return [...all].map(([, from, to, marks = '', name]) => `${name}: ${from} ${to}${marks}`).slice(0, 4)
  }
  const today = START.toISOString().slice(0, 10)
  expect(today).toBe('2026-11-20')
  expect(await links('from=2026-11-01&to=2026-11-30')).toEqual([
    'Today: 2026-11-20 2026-11-20',
    'This week: 2026-11-15 2026-11-21',
    'This month: 2026-11-01 2026-11-30 aria-current="true"',
    'Last month: 2026-10-01 2026-10-31',
  ])
  expect((await links('', 'de'))[1]).toBe('Diese Woche: 2026-11-16 2026-11-22')
})

test('days without bookings and takings have no table, but a sentence that says so', async () => {
  const { body } = await owner.open('/desk/reports?from=2024-03-01&to=2024-03-31')
  expect(body).toContain('There are no bookings or takings in this period.')
  expect(body).not.toMatch(/<table|<svg class="chart"/)
})

test.each(['staff', 'viewer'] as const)('a %s neither sees the place nor gets there', async (role) => {
  const one = await signedIn(role)
  expect((await one.open('/desk')).body).not.toContain('/desk/reports')
  for (const path of ['/desk/reports', '/desk/reports.csv']) expect((await one.open(path)).status).toBe(403)
})

test('nobody gets there without signing in', async () => {
  const { body } = await person().open('/desk/reports.csv')
  expect(body).not.toContain('Bookings')
})
