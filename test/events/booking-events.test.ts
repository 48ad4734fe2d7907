import { expect, test } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, type Shop, testShop } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'

const policies = service('any').policies
const definition = businessWith([
  service('svc_auto'),
  service('svc_manual', { policies: { ...policies, confirmation_mode: 'manual' } }),
  service('svc_paid', { policies: { ...policies, payment_timing: 'at_booking' } }),
])
const receiver = await testReceiver()
const platform = await testPlatform({ webhook_url: receiver.url })

/** What was told since the last time, in order. */
async function told(shop: Shop) {
  receiver.received.length = 0
  await sendDueEvents(shop.runtime)
  return receiver.received.map(({ body }) => body)
}

await onBothDesks(
  async () => {
    const shop = await testShop(definition)
    return { ...shop, platform: await shop.newPlatform(platform.url) }
  },
  (desk, shop) => {
    test('[EVT-016] a booking that is confirmed at once is not told of', async () => {
      const [slot] = await desk.slots('svc_auto')
      await desk.book(slot)
      expect(await told(shop)).toEqual([])
    })

    test('[EVT-001] [EVT-005] [EVT-013] staff confirming sends booking.confirmed with the booking as it then was', async () => {
      const [slot] = await desk.slots('svc_manual')
      const { id } = (await desk.book(slot)).data.booking
      const confirmed = await desk.confirm(id)
      expect(await told(shop)).toEqual([
        {
          event: 'booking.confirmed',
          event_id: expect.stringMatching(/^evt_/),
          booking_id: id,
          timestamp: expect.any(String),
          data: confirmed.data.booking,
        },
      ])
    })

    test('[EVT-014] [EVT-017] [EVT-019] [EVT-022] [EVT-041] paying, moving and canceling are told in their order', async () => {
      const [slot, , other] = await desk.slots('svc_paid')
      const { booking } = (await desk.book(slot)).data
      await desk.pay(booking)
      await desk.reschedule(booking.id, other)
      await desk.cancel(booking.id)
      const events = await told(shop)
      expect(events.map(({ event }) => event)).toEqual([
        'booking.confirmed',
        'booking.rescheduled',
        'booking.canceled',
        'booking.refund_issued',
      ])
      expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(4)
      expect(events[1].data.slot.id).toBe(other.id)
      expect(events[3].data.payment.status).toBe('refunded')
    })
  },
)
