import { expect, test } from 'vitest'
import { createBooking } from '../../src/domain/bookings/create-booking.ts'
import { callAsVisitor } from '../../src/pipeline/call-operation-from-page.ts'
import { onBothDesks } from '../support/desk.ts'
import { lineOf, openShop } from '../waitlist/queue.ts'
import { at, inStudio, tuesday, walkIn } from './studio.ts'

const WEEK = { start_date: '2026-11-23', end_date: '2026-11-29' }
const sums = (rows: { bookings: number }[]) => rows.reduce((all, { bookings }) => all + bookings, 0)

await inStudio((desk, staff, shop) => {
  const reports = async (input: Record<string, unknown> = WEEK) => (await staff('reports', input)).data
  const made = async (service_id: string, start: string) =>
    (await staff('bookings_create', { service_id, start, buyer: walkIn, override: ['hours', 'booking_window'] })).data
      .booking.id

  test('[reports] count bookings on the day on which they begin, and what became of them', async () => {
    const [first, second, third] = [
      await made('svc_room', tuesday('10:00')),
      await made('svc_room', tuesday('12:00')),
      // In New York it is still Wednesday.
      await made('svc_room', '2026-11-26T04:30:00Z'),
    ]
    await staff('bookings_cancel', { booking_id: second })
    await at(shop, '2026-11-24T16:30:00Z', () => staff('bookings_no_show', { booking_id: first }))
    const { period, before, timezone } = await reports()
    expect(timezone).toBe('America/New_York')
    expect(period.bookings).toHaveLength(7)
    expect(period.bookings.slice(1, 3)).toEqual([
      { date: '2026-11-24', bookings: 1, begun: 0, no_shows: 1, canceled: 1 },
      { date: '2026-11-25', bookings: 1, begun: 0, no_shows: 0, canceled: 0 },
    ])
    expect([before.start_date, before.end_date, sums(before.bookings)]).toEqual(['2026-11-16', '2026-11-22', 0])
    await at(shop, '2026-11-24T17:00:00Z', async () => expect((await reports()).period.bookings[1].begun).toBe(1))
    const next = await reports({ start_date: '2026-11-30', end_date: '2026-12-06' })
    expect(next.before.bookings).toEqual(period.bookings)
    await staff('bookings_cancel', { booking_id: third })
  })

  test('[reports] weeks begin on Monday, or where the days begin', async () => {
    const { period, by } = await reports({ start_date: '2026-11-19', end_date: '2026-12-01', by: 'week' })
    expect(by).toBe('week')
    expect(period.bookings.map(({ date, bookings }: { date: string; bookings: number }) => [date, bookings])).toEqual([
      ['2026-11-19', 0],
      ['2026-11-23', 1],
      ['2026-11-30', 0],
    ])
  })

  test('[reports] sum up money when it comes in and when it is decided that it goes back', async () => {
    const booking_id = await made('svc_flat', '2026-12-03T15:00:00Z')
    await at(shop, '2026-11-25T04:59:59Z', () => staff('bookings_mark_paid', { booking_id }))
    await at(shop, '2026-11-25T05:00:00Z', () => staff('bookings_refund', { booking_id, amount: 1200 }))
    const { period, before } = await reports()
    expect(period.takings).toEqual([
      { date: '2026-11-24', currency: 'USD', amount: 12000, refunded: 0 },
      { date: '2026-11-25', currency: 'USD', amount: 0, refunded: 1200 },
    ])
    expect(before.takings).toEqual([])
  })

  test('[reports] say how long ahead people book, and where bookings came from', async () => {
    const [one, , other] = await desk.slots('svc_asked', { start_date: '2026-12-15', end_date: '2026-12-15' })
    await desk.book(one)
    const visit = { visitor: 'somebody', peer: { address: '203.0.113.7' } }
    const buyer = { first_name: 'Vi', last_name: 'Sitor', email: 'vi@example.com' }
    const asked = { service_id: 'svc_asked', slot_id: other.id, buyer }
    expect(await callAsVisitor(createBooking, asked, visit, shop.runtime)).not.toHaveProperty('refusal')
    const days = { start_date: '2026-12-15', end_date: '2026-12-15' }
    await at(shop, '2026-12-15T20:00:00Z', () => made('svc_room', '2026-12-15T19:00:00Z'))
    const { period } = await reports(days)
    expect(period.sources).toEqual([
      { came_from: 'page', bookings: 1 },
      { came_from: 'platform', profile: shop.platform.profile, bookings: 1 },
      { came_from: 'staff', bookings: 1 },
    ])
    const spans = period.lead_times.map(({ from_days, bookings }: Record<string, number>) => [from_days, bookings])
    expect(spans).toEqual([
      [0, 1],
      [1, 0],
      [3, 0],
      [7, 0],
      [14, 2],
      [30, 0],
    ])
    expect(period.median_lead_hours).toBeGreaterThan(24 * 14)
  })

  test('[reports] a request that nobody answered in time takes place no more', async () => {
    const [slot] = await desk.slots('svc_asked', { start_date: '2026-12-17', end_date: '2026-12-17' })
    await desk.book(slot)
    const days = { start_date: '2026-12-17', end_date: '2026-12-17' }
    expect((await reports(days)).period.bookings[0]).toMatchObject({ bookings: 1, canceled: 0 })
    await at(shop, '2026-12-20T00:00:00Z', async () =>
      expect((await reports(days)).period.bookings[0]).toMatchObject({ bookings: 0, begun: 0, canceled: 1 }),
    )
  })

  test('[reports] are of the last four weeks unless days are said, and of 400 days at most', async () => {
    expect((await reports({})).period).toMatchObject({ start_date: '2026-10-24', end_date: '2026-11-20' })
    expect((await reports({ start_date: '2025-10-17', end_date: '2026-11-20' })).period.bookings).toHaveLength(400)
    for (const [input, code] of [
      [{ start_date: '2025-10-16', end_date: '2026-11-20' }, 'range_too_wide'],
      [{ start_date: '2026-11-21' }, 'validation_error'],
      [{ start_date: 'soon' }, 'validation_error'],
      [{ by: 'month' }, 'validation_error'],
    ] as const)
      expect((await staff('reports', input)).code).toBe(code)
  })

  test('[reports] days are whole when clocks are changed', async () => {
    const { bookings } = (await reports({ start_date: '2026-10-25', end_date: '2026-11-08' })).period
    expect([bookings.length, bookings[7].date]).toEqual([15, '2026-11-01'])
    // The last hour of a day of 25.
    await at(shop, '2026-10-20T12:00:00Z', () => made('svc_room', '2026-11-02T04:30:00Z'))
    expect((await reports({ start_date: '2026-11-01', end_date: '2026-11-02' })).period.bookings).toMatchObject([
      { date: '2026-11-01', bookings: 1 },
      { date: '2026-11-02', bookings: 0 },
    ])
  })

  test('[reports] how much of the working time was booked: a class once, blocked time not at all', async () => {
    const day = '2026-12-08'
    const days = { start_date: day, end_date: day }
    const [slot] = await desk.slots('svc_class', days)
    for (const _ of [1, 2]) expect((await desk.book(slot)).status).toBeLessThan(300)
    const time = { start: `${day}T09:00:00-05:00`, end: `${day}T10:30:00-05:00` }
    expect((await staff('blocks_create', { resource_id: 'staff_cat', ...time })).data.block).toBeDefined()
    const { period, before } = await reports(days)
    const hoursOf = (of: typeof period, id: string) =>
      of.utilization
        .find((one: { resource_id: string }) => one.resource_id === id)
        .hours.map((one: Record<string, number>) => [one.hour, one.booked_minutes, one.working_minutes])
    const afternoon = [11, 12, 13, 14, 15].map((hour) => [hour, 0, 60])
    expect(hoursOf(period, 'staff_cat')).toEqual([[10, 0, 30], ...afternoon, [16, 60, 60], [17, 0, 60]])
    expect(hoursOf(before, 'staff_cat')).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17].map((hour) => [hour, 0, 60]))
    expect(hoursOf(period, 'staff_ben').map(([hour = 0]) => hour)).toEqual([12, 13, 14, 15, 16, 17])
  })

  test('[reports] an hour that clocks show twice is booked twice', async () => {
    const rooms = async () =>
      (await reports({ start_date: '2026-11-01', end_date: '2026-11-01' })).period.utilization
        .filter((one: { resource_id: string }) => one.resource_id.startsWith('room_'))
        .flatMap((one: { hours: Record<string, number>[] }) => one.hours)
        .filter(({ hour }: Record<string, number>) => hour === 1)
    await at(shop, '2026-10-20T12:00:00Z', () => made('svc_room', '2026-11-01T05:30:00Z'))
    expect(await rooms()).toEqual([{ hour: 1, booked_minutes: 60, working_minutes: 0 }])
  })

  test.each(['staff', 'viewer'] as const)('[reports] are not for a %s', async (role) => {
    expect((await staff('reports', WEEK, { as: await shop.staffAs(role) })).code).toBe('authentication_required')
  })
})

await onBothDesks(openShop, (desk, shop) => {
  test('[reports] what came of those who joined the waitlist', async () => {
    const line = lineOf(desk)
    const [booking] = await line.fill()
    const first = await line.wait('First')
    await line.wait('Second')
    await desk.cancel(booking.id)
    expect((await line.accept(first.id)).status).toBeLessThan(300)
    const { period, before } = (await desk.call('usp_business_reports', {}, { as: shop.staff })).data
    expect(period.waitlist).toEqual({ joined: 2, offered: 1, booked: 1, waiting: 1 })
    expect(before.waitlist).toEqual({ joined: 0, offered: 0, booked: 0, waiting: 0 })
  })
})
