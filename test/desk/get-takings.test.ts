import { expect, test } from 'vitest'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { at, inStudio, walkIn } from './studio.ts'

await inStudio((desk, staff, shop) => {
  let hour = 9
  /** Stands, and costs 120.00, though nothing was paid. */
  const made = async () => {
    const start = `2026-12-08T${String(hour++).padStart(2, '0')}:00:00-05:00`
    return (await staff('bookings_create', { service_id: 'svc_flat', start, buyer: walkIn, override: ['hours'] })).data
      .booking.id
  }
  const take = (booking_id: string, what: object, as = shop.staff) =>
    staff('bookings_mark_paid', { booking_id, ...what }, { as })
  const takings = async (input: Record<string, unknown> = {}, as = shop.staff) => staff('takings', input, { as })
  const hire = async (name: string, role: 'manager' | 'staff' | 'viewer') => ({
    bearer: await addStaff(shop.runtime.db, name, role, shop.time.now),
  })

  test('[takings] are summed up by day, kind and person, with tips and what went back apart', async () => {
    const kim = await hire('Kim', 'staff')
    const [one, other] = [await made(), await made()]
    await at(shop, '2026-11-25T04:59:59Z', async () => {
      await take(one, { amount: 2000, tip: 300, kind: 'cash' }, kim)
      await take(one, { amount: 1000, tip: 200, kind: 'cash' }, kim)
      await take(one, { amount: 500, kind: 'card' })
    })
    // In New York the next day has just begun.
    await at(shop, '2026-11-25T05:00:00Z', async () => {
      await take(other, {})
      await staff('bookings_refund', { booking_id: one, amount: 1200 })
    })
    const { data } = await takings({ start_date: '2026-11-24', end_date: '2026-11-25' })
    const sums = { currency: 'USD', refunded: 0, tips: 0 }
    const byKim = { kind: 'cash', name: 'Kim', taken_by: expect.stringMatching(/^staff:stf_/) }
    expect(data).toEqual(
      expect.objectContaining({
        start_date: '2026-11-24',
        end_date: '2026-11-25',
        timezone: 'America/New_York',
        takings: [
          expect.objectContaining({ ...sums, date: '2026-11-24', kind: 'card', payments: 1, amount: 500 }),
          expect.objectContaining({ ...sums, date: '2026-11-24', ...byKim, payments: 2, amount: 3000, tips: 500 }),
          expect.objectContaining({ ...sums, date: '2026-11-25', kind: 'card', payments: 0, amount: 0, refunded: 500 }),
          expect.objectContaining({ ...sums, date: '2026-11-25', ...byKim, payments: 0, amount: 0, refunded: 700 }),
          expect.objectContaining({ ...sums, date: '2026-11-25', kind: 'unsaid', payments: 1, amount: 12000 }),
        ],
      }),
    )
  })

  test('[takings] what a platform collected is not the name of anybody', async () => {
    const slot = (await desk.slots('svc_flat')).at(-1)
    await at(shop, '2026-11-26T15:00:00Z', async () => desk.pay((await desk.book(slot)).data.booking))
    const { takings: sums } = (await takings({ start_date: '2026-11-26' })).data
    expect(sums).toEqual([
      { date: '2026-11-26', kind: 'platform', currency: 'USD', payments: 1, amount: 12000, tips: 0, refunded: 0 },
    ])
  })

  test('[takings] are those of today unless days are said, a year at most, and none from a day back to another', async () => {
    expect((await takings()).data).toMatchObject({ start_date: '2026-11-20', end_date: '2026-11-20', takings: [] })
    expect((await takings({ start_date: '2026-01-01', end_date: '2027-01-01' })).data.takings.length).toBeGreaterThan(0)
    expect((await takings({ start_date: '2026-01-01', end_date: '2027-01-02' })).code).toBe('range_too_wide')
    expect((await takings({ start_date: '2026-11-21', end_date: '2026-11-20' })).code).toBe('validation_error')
    expect((await takings({ start_date: 'soon' })).code).toBe('validation_error')
    expect((await takings({ day: '2026-11-20' })).code).toBe('validation_error')
  })

  test.each([
    ['manager', true],
    ['staff', false],
    ['viewer', false],
  ] as const)('[role by role] a %s sees them: %s', async (role, isShown) => {
    const { data, code } = await takings({}, await hire(`Jo ${role}`, role))
    expect(isShown ? data.takings : code).toEqual(isShown ? [] : 'authentication_required')
  })
})
