import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { inStudio, tuesday, walkIn } from './studio.ts'

await inStudio((_, staff, shop) => {
  const weekly = (times: string) => tuesday(times).replace('2026-11-24', '2026-12-01')
  const booked = async (start: string, more = {}) => {
    const wish = { service_id: 'svc_cut', start, resource_ids: ['staff_ann'], buyer: walkIn, notes: 'Short', ...more }
    return (await staff('bookings_create', wish)).data.booking
  }
  const plan = (booking_id: string, every_weeks: number, times: number) =>
    staff('bookings_series_plan', { booking_id, every_weeks, times })
  const count = async () => (await shop.runtime.db.selectFrom('bookings').select('id').execute()).length

  test('[a series] the dates that do not work are named before anything is made, then the chosen ones are made at once', async () => {
    const booking = await booked(tuesday('09:00'))
    const other = await booked(weekly('09:30'), { override: ['booking_window'] })
    const before = await count()
    const { dates } = (await plan(booking.id, 1, 4)).data
    expect(dates.map(({ start, works }: { start: string; works: boolean }) => [start, works])).toEqual([
      [weekly('09:00'), false],
      [weekly('09:00').replace('-01T', '-08T'), true],
      [weekly('09:00').replace('-01T', '-15T'), true],
      [weekly('09:00').replace('-01T', '-22T'), true],
    ])
    expect(dates[0].why).toBe('This time is occupied.')
    expect(await count()).toBe(before)

    const all = { booking_id: booking.id, starts: dates.map(({ start }: { start: string }) => start) }
    const refused = await staff('bookings_series_book', all)
    expect(refused.code).toBe('slot_unavailable')
    expect(refused.data.messages[0].content).toContain(weekly('09:00'))
    expect(await count()).toBe(before)

    const chosen = { ...all, starts: all.starts.slice(1) }
    const { series, bookings } = (await staff('bookings_series_book', chosen)).data
    expect(bookings.map(({ slot }: { slot: { start: string } }) => slot.start)).toEqual(chosen.starts)
    expect(bookings[0]).toMatchObject({ status: 'confirmed', notes: 'Short', resources: [{ id: 'staff_ann' }] })
    expect((await staff('bookings_get', { booking_id: booking.id })).data.details.series).toBe(series)
    expect((await plan(booking.id, 1, 4)).data.dates.map(({ works }: { works: boolean }) => works)).toEqual([
      ...[false, false, false, false],
    ])
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])

    const { canceled } = (await staff('bookings_series_cancel', { booking_id: bookings[1].id, reason: 'Moves away' }))
      .data
    expect(canceled).toEqual([bookings[1].id, bookings[2].id])
    const statusOf = async (booking_id: string) => (await staff('bookings_get', { booking_id })).data.booking.status
    expect([await statusOf(booking.id), await statusOf(bookings[0].id)]).toEqual(['confirmed', 'confirmed'])
    expect((await staff('bookings_series_cancel', { booking_id: other.id })).code).toBe('invalid_transition')
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  })

  test('[a series] keeps the hour of the clock when clocks are changed', async () => {
    const booking = await booked(tuesday('13:00'))
    const { dates } = (await plan(booking.id, 18, 1)).data
    expect(dates).toMatchObject([{ start: '2027-03-30T13:00:00-04:00', works: true }])
  })

  test('[a series] of a class, as far as places are left', async () => {
    const wish = { service_id: 'svc_class', start: tuesday('16:00'), party_size: 2, buyer: walkIn }
    const booking = (await staff('bookings_create', wish)).data.booking
    const next = { ...wish, start: weekly('16:00') }
    await staff('bookings_create', next)
    const { dates } = (await plan(booking.id, 1, 2)).data
    expect(dates.map(({ works }: { works: boolean }) => works)).toEqual([false, true])
    const starts = [dates[1].start]
    expect((await staff('bookings_series_book', { booking_id: booking.id, starts })).data.bookings).toHaveLength(1)
  })

  test('[a series] moves with what follows: as many days, to the same hour, with the same people; all of it or nothing', async () => {
    const booking = await booked(tuesday('11:00'))
    const starts = ['01', '08', '15'].map((day) => `2026-12-${day}T11:00:00-05:00`)
    const { bookings } = (await staff('bookings_series_book', { booking_id: booking.id, starts })).data
    const [first, second, third] = bookings
    const startOf = async (booking_id: string) => (await staff('bookings_get', { booking_id })).data.booking.slot.start
    const move = (start: string, more = {}) => staff('bookings_series_move', { booking_id: first.id, start, ...more })

    // A week later: each goes to where the next one is that has yet to go.
    const { data } = await move(starts[1] ?? '')
    const later = ['08', '15', '22'].map((day) => `2026-12-${day}T11:00:00-05:00`)
    expect(data.bookings.map(({ slot }: { slot: { start: string } }) => slot.start)).toEqual(later)
    expect(await startOf(booking.id)).toBe(tuesday('11:00'))

    const taken = await booked('2026-12-16T14:00:00-05:00', { override: ['booking_window'] })
    const refused = await move('2026-12-09T14:00:00-05:00')
    expect(refused.code).toBe('slot_unavailable')
    expect(refused.data.messages[0].content).toContain('2026-12-16T14:00:00-05:00')
    expect(await Promise.all(bookings.map(({ id }: { id: string }) => startOf(id)))).toEqual(later)

    const withBen = (await move('2026-12-09T14:00:00-05:00', { resource_ids: ['staff_ben'] })).data.bookings
    expect(withBen.map(({ resources }: { resources: { id: string }[] }) => resources[0]?.id)).toEqual([
      ...['staff_ben', 'staff_ben', 'staff_ben'],
    ])
    expect(await startOf(second.id)).toBe('2026-12-16T14:00:00-05:00')
    expect(await startOf(taken.id)).toBe('2026-12-16T14:00:00-05:00')

    await staff('bookings_cancel', { booking_id: second.id })
    const { data: rest } = await staff('bookings_series_move', {
      booking_id: first.id,
      start: '2026-12-09T12:00:00-05:00',
    })
    expect(rest.bookings.map(({ id }: { id: string }) => id)).toEqual([first.id, third.id])
    expect((await staff('bookings_series_move', { booking_id: taken.id, start: starts[0] })).code).toBe(
      'invalid_transition',
    )
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  })

  test('[a series] that moves keeps the hour of the clock when clocks are changed', async () => {
    const booking = await booked('2027-03-09T09:00:00-05:00', { override: ['booking_window'] })
    const starts = ['2027-03-16T09:00:00-04:00']
    await staff('bookings_series_book', { booking_id: booking.id, starts })
    const { data } = await staff('bookings_series_move', {
      booking_id: booking.id,
      start: '2027-03-10T11:00:00-05:00',
      override: ['booking_window'],
    })
    expect(data.bookings.map(({ slot }: { slot: { start: string } }) => slot.start)).toEqual([
      '2027-03-10T11:00:00-05:00',
      '2027-03-17T11:00:00-04:00',
    ])
  })
})
