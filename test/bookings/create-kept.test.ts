import { setTimeout as elapsed } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { expectProblem, onBothDesks, testShop } from '../support/desk.ts'
import { services, shopDefinition, withPolicies } from './shop.ts'

/** What the business makes of these services after they were booked. */
const changes: Record<string, (one: ServiceDefinition) => ServiceDefinition> = {
  svc_phone: (one) => ({ ...one, duration: { fixed: 'PT45M' } }),
  svc_free: (one) => ({ ...one, name: 'Renamed' }),
  svc_asked: (one) => ({ ...one, policies: { ...one.policies, confirmation_mode: 'auto' } }),
  svc_hybrid: ({ id }) => withPolicies(id, { payment_timing: 'at_booking' }),
}
const GONE = 'svc_paid'
const kept = services.filter(({ id }) => id !== GONE)
const changed = { ...shopDefinition, services: kept.map((one) => changes[one.id]?.(one) ?? one) }

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Found = any

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    const slots: Record<string, Found[]> = {}
    const bookings: Record<string, Found> = {}
    let holdId = ''

    beforeAll(async () => {
      for (const id of [...Object.keys(changes), GONE]) {
        slots[id] = await desk.slots(id)
        bookings[id] = (await desk.book(slots[id][0])).data.booking
      }
      holdId = (await desk.hold(slots.svc_phone?.[8])).data.hold.id
      await shop.apply(changed)
      // A change of the definition shows within a second.
      await elapsed(1_010)
    })

    test('[BKG-005] a slot that the schedule no longer has is refused, even to whoever holds it', async () => {
      expect((await desk.book(slots.svc_phone?.[4])).code).toBe('slot_unavailable')
      expect((await desk.book(slots.svc_phone?.[8], { hold_id: holdId })).code).toBe('slot_unavailable')
    })

    test('[BKG-114] [LIV-010] a booking whose service is gone moves nowhere', async () => {
      const { id } = (await desk.pay(bookings[GONE])).data.booking
      const refused = await desk.reschedule(id, slots[GONE]?.[4])
      expect([refused.status, refused.rpc, refused.code]).toEqual([200, undefined, 'slot_unavailable'])
      expectProblem(await desk.book(slots[GONE]?.[4]), 'validation_error', 'service_id')
    })

    test('[BKG-019] a booking keeps the name that its service had', async () => {
      const { id } = bookings.svc_free
      expect((await desk.get(id)).data.booking.service_name).toBe('Service svc_free')
      const moved = await desk.reschedule(id, slots.svc_free?.[4])
      expect(moved.data.booking.service_name).toBe('Service svc_free')
      expect((await desk.book(slots.svc_free?.[8])).data.booking.service_name).toBe('Renamed')
    })

    test('[BKG-034] [LIV-071] a booking is confirmed in the way that was agreed on', async () => {
      const { id } = bookings.svc_asked
      expect((await desk.get(id)).data.booking).toEqual(bookings.svc_asked)
      const agreed = { confirmation_mode: 'manual', status: 'pending' }
      expect((await desk.reschedule(id, slots.svc_asked?.[4])).data.booking).toMatchObject(agreed)
      expect((await desk.confirm(id)).data.booking).toMatchObject({ ...agreed, status: 'confirmed' })
      expect((await desk.book(slots.svc_asked?.[8])).data.booking).toMatchObject({ confirmation_mode: 'auto' })
    })

    test('a booking that was free stays so when it moves, whatever its service costs by now', async () => {
      const { id } = bookings.svc_hybrid
      const moved = (await desk.reschedule(id, slots.svc_hybrid?.[4])).data.booking
      expect(moved.status).toBe('confirmed')
      expect(moved).not.toHaveProperty('payment')
    })
  },
)
