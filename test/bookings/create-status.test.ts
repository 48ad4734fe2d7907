import { afterEach, expect, test } from 'vitest'
import { onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { shopDefinition } from './shop.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const booked = async (serviceId: string, more = {}) =>
      (await desk.book((await desk.slots(serviceId, more))[0])).data.booking

    test.each([
      ['[BKG-029] [CAT-109] without payment', 'svc_free'],
      ['[BKG-030] [CAT-110] that is paid at the service', 'svc_cut'],
    ])('%s a booking stands at once', async (_, id) => {
      const booking = await booked(id)
      expect(booking.status).toBe('confirmed')
      for (const member of ['actions', 'expires_at']) expect(booking).not.toHaveProperty(member)
    })

    test.each([
      ['at_booking', 'svc_paid', 7500],
      ['deposit_required', 'svc_deposit', 3300],
    ])('[BKG-031] [LIV-073] [BKG-036] paid %s it asks for the payment first', async (timing, id, due) => {
      const booking = await booked(id)
      expect(booking).toMatchObject({ status: 'requires_action', payment: { timing, amount_due: due } })
      expect(booking.actions).toEqual([expect.objectContaining({ type: 'payment', status: 'pending' })])
      expect(new Date(booking.expires_at).getTime()).toBe(START.getTime() + DAY)
      const paid = (await desk.pay(booking)).data.booking
      expect(paid.status).toBe('confirmed')
      expect(paid).not.toHaveProperty('expires_at')
    })

    test('[BKG-032] [BKG-036] [CAT-109] where the business is asked first it waits', async () => {
      const booking = await booked('svc_asked')
      expect(booking).toMatchObject({ status: 'pending', confirmation_mode: 'manual' })
      expect(booking).not.toHaveProperty('payment')
      expect((await desk.confirm(booking.id)).data.booking).not.toHaveProperty('expires_at')
    })

    test('[BKG-033] the payment is asked for only once the business agrees', async () => {
      const booking = await booked('svc_asked_paid')
      expect(booking).toMatchObject({ status: 'pending', payment: { status: 'pending', amount_due: 7500 } })
      expect(booking).not.toHaveProperty('actions')
      shop.minutesLater(60)
      const agreed = (await desk.confirm(booking.id)).data.booking
      expect(agreed).toMatchObject({ status: 'requires_action', actions: [{ type: 'payment', status: 'pending' }] })
      expect(new Date(agreed.expires_at).getTime()).toBe(START.getTime() + 60 * MINUTE + DAY)
    })

    test('[LIV-073] [BKG-037] the business has a day to answer', async () => {
      const { id, expires_at } = await booked('svc_asked')
      expect(new Date(expires_at).getTime()).toBe(START.getTime() + DAY)
      shop.minutesLater(60)
      expect((await desk.update(id, { notes: 'A' })).data.booking.expires_at).toBe(expires_at)
    })

    test('[BKG-037] or until the start, if that is sooner', async () => {
      const booking = await booked('svc_asked', { start_date: '2026-11-20', end_date: '2026-11-20' })
      expect(booking.expires_at).toBe(booking.slot.start)
    })

    test('[BKG-037] a booking that moves gains the business no time beyond the day', async () => {
      const [slot, , , , later] = await desk.slots('svc_asked', { start_date: '2026-11-20' })
      const { booking } = (await desk.book(slot)).data
      expect(booking.expires_at).toBe(booking.slot.start)
      shop.minutesLater(30)
      const tomorrow = (await desk.slots('svc_asked'))[0]
      const moved = (await desk.reschedule(booking.id, tomorrow)).data.booking
      expect(new Date(moved.expires_at).getTime()).toBe(START.getTime() + DAY)
      const back = (await desk.reschedule(booking.id, later)).data.booking
      expect(back.expires_at).toBe(later.start)
    })
  },
)
