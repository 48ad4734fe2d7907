import { describe, expect, test } from 'vitest'
import type { Service } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'

const { policies } = service('svc')
const { booking_window: _, ...open } = policies
const { payment_timing: __, ...free } = { ...open, requires_payment: false }
const definition = businessWith(
  [
    service('svc_open', { pricing: { model: 'free', currency: 'USD' }, policies: free }),
    service('svc_notice', { policies: { ...open, booking_window: { min_advance: 'P1D' } } }),
    service('svc_percent', {
      policies: {
        ...policies,
        cancellation: { allowed: true, free_cancellation_until: 'P30D', late_cancellation_fee_percentage: 20 },
      },
    }),
  ],
  { hours: [{ days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], opens: '09:00', closes: '17:00' }] },
)

const nobody = { as: {} }

await onBothDesks(
  () => testShop(definition),
  (desk) => {
    const published = async (id: string): Promise<Service> =>
      (await desk.call('usp_services_get', { service_id: id }, nobody)).data.service

    describe('a business that does not limit when buyers book', () => {
      test('[LIV-033] [LIV-034] publishes no booking window, and of half a window what it states', async () => {
        expect((await published('svc_open')).policies).not.toHaveProperty('booking_window')
        expect((await published('svc_notice')).policies.booking_window).toEqual({ min_advance: 'P1D' })
      })

      test('[LIV-034] is booked up to the start, years ahead, and every 15 minutes', async () => {
        const today = await desk.slots('svc_open', { start_date: '2026-11-20', end_date: '2026-11-20' })
        expect(today[0]?.start).toBe('2026-11-20T09:00:00-05:00')
        expect(today[1]?.start).toBe('2026-11-20T09:15:00-05:00')
        const [later] = await desk.slots('svc_open', { start_date: '2029-11-20', end_date: '2029-11-20' })
        expect((await desk.book(later)).data.booking.slot.start).toBe('2029-11-20T09:00:00-05:00')
      })

      test('[LIV-034] is booked after more than five years, and holds, moves and checks such a time', async () => {
        const on = (date: string) => desk.slots('svc_open', { start_date: date, end_date: date })
        const [first, second] = await on('2033-11-21')
        expect(first.start).toBe('2033-11-21T09:00:00-05:00')
        const { hold } = (await desk.hold(first)).data
        const { booking } = (await desk.book(first, { hold_id: hold.id })).data
        expect([booking.status, booking.slot.start]).toEqual(['confirmed', first.start])
        expect((await on('2033-11-21'))[0].start).not.toBe(first.start)
        const last = (await on('2033-11-21')).at(-1)
        expect(second.start).toBe('2033-11-21T09:15:00-05:00')
        const moved = (await desk.reschedule(booking.id, last)).data.booking
        expect(moved.slot.start).toBe(last.start)
        expect(await on('2033-11-20')).toEqual([])
        await desk.cancel(booking.id)
      })

      test('[LIV-034] enforces the notice that it states, and no other limit', async () => {
        expect(await desk.slots('svc_notice', { start_date: '2026-11-20', end_date: '2026-11-20' })).toEqual([])
        const [later] = await desk.slots('svc_notice', { start_date: '2029-11-20', end_date: '2029-11-20' })
        expect(later).toBeDefined()
      })
    })

    test('[LIV-036] [LIV-037] a late fee in percent is published as such, and no amount beside it', async () => {
      const { cancellation } = (await published('svc_percent')).policies
      expect(cancellation).toEqual({
        allowed: true,
        free_cancellation_until: 'P30D',
        late_cancellation_fee_percentage: 20,
      })
    })

    test('[LIV-036] a late fee in percent is taken of the price', async () => {
      const [slot] = await desk.slots('svc_percent', { start_date: '2026-11-23', end_date: '2026-11-23' })
      const { booking } = (await desk.book(slot)).data
      const { data } = await desk.cancel(booking.id)
      expect(data.booking.cancellation).toMatchObject({ fee: 1500 })
    })
  },
)
