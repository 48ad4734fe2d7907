import { afterEach, expect, test } from 'vitest'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { placesOf } from './booking-rows.ts'
import { shopDefinition } from './shop.ts'

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime
    const at = (instant: string, milliseconds = 0) => {
      shop.time.now = new Date(new Date(instant).getTime() + milliseconds)
    }
    const ids = async (serviceId: string) => (await desk.slots(serviceId)).map(({ id }) => id)

    test.each([
      ['pending', 'svc_asked', 'It was not confirmed in time.'],
      ['requires_action', 'svc_paid', 'It was not completed in time.'],
    ])(
      '[BKG-122] [BKG-124] [BKG-125] [LIV-073] one that is %s when its time is over is canceled',
      async (status, serviceId, reason) => {
        const [slot] = await desk.slots(serviceId)
        const { booking } = (await desk.book(slot)).data
        expect(booking.status).toBe(status)
        at(booking.expires_at, -1)
        expect((await desk.get(booking.id)).data.booking).toEqual(booking)
        at(booking.expires_at)
        const said = await desk.get(booking.id)
        expect([said.status, said.code]).toEqual([200, undefined])
        const { actions, expires_at, messages, payment, ...whole } = booking
        expect(said.data.booking).toMatchObject({
          ...whole,
          status: 'canceled',
          cancellation: { reason, canceled_by: 'system', fee: 0, refund_amount: 0 },
          revision: expect.not.stringMatching(booking.revision),
          updated_at: expect.not.stringMatching(booking.updated_at),
        })
        expect(new Date(said.data.booking.cancellation.canceled_at)).toEqual(shop.time.now)
        for (const member of ['actions', 'expires_at']) expect(said.data.booking).not.toHaveProperty(member)
      },
    )

    test('[BKG-122] [LIV-065] an answer that comes too late changes nothing', async () => {
      const asked = (await desk.book((await desk.slots('svc_asked'))[0])).data.booking
      const unpaid = (await desk.book((await desk.slots('svc_paid'))[0])).data.booking
      at(asked.expires_at)
      expect((await desk.confirm(asked.id)).code).toBe('invalid_transition')
      expect((await desk.update(asked.id, { notes: 'Late' })).code).toBe('invalid_transition')
      const [later] = (await desk.slots('svc_asked')).slice(8)
      expect((await desk.reschedule(asked.id, later)).code).toBe('invalid_transition')
      expect((await desk.pay(unpaid)).data.booking.status).toBe('canceled')
      for (const { id } of [asked, unpaid]) {
        const { booking } = (await desk.get(id)).data
        expect(booking.cancellation.canceled_by).toBe('system')
        expect((await desk.cancel(id)).code).toBe('invalid_transition')
        expect((await desk.get(id)).data.booking).toEqual(booking)
      }
    })

    test.each(['svc_asked', 'svc_paid'])(
      '[BKG-123] [CAT-123] in that instant its time in %s is offered to others, who get it',
      async (serviceId) => {
        const [slot] = await desk.slots(serviceId)
        const { booking } = (await desk.book(slot)).data
        at(booking.expires_at, -1)
        expect((await desk.book(slot, {}, { as: shop.other })).code).toBe('slot_unavailable')
        expect(await ids(serviceId)).not.toContain(slot.id)
        at(booking.expires_at)
        expect(await ids(serviceId)).toContain(slot.id)
        const theirs = (await desk.book(slot, {}, { as: shop.other })).data.booking
        expect(theirs.slot.id).toBe(slot.id)
        // What is written of the old one now takes nothing from the new one.
        expect((await desk.cancel(booking.id)).code).toBe('invalid_transition')
        expect((await desk.get(booking.id)).data.booking.cancellation.canceled_by).toBe('system')
        expect(await placesOf(db, booking.id)).toEqual({ resources: [], spots: 0 })
        expect((await placesOf(db, theirs.id)).resources).toHaveLength(1)
      },
    )

    test.each(['svc_asked', 'svc_paid'])(
      '[LIV-078] the end of an expired booking of %s reads the same before and after a later write stores it',
      async (serviceId) => {
        const [slot] = await desk.slots(serviceId)
        const { booking } = (await desk.book(slot)).data
        const stored = () =>
          db.selectFrom('bookings').select(['status']).where('id', '=', booking.id).executeTakeFirstOrThrow()
        const read = async () => (await desk.get(booking.id)).data.booking.cancellation
        at(booking.expires_at, 5 * 60_000)
        const before = await read()
        expect(before.canceled_by).toBe('system')
        expect(new Date(before.canceled_at)).toEqual(new Date(booking.expires_at))
        at(booking.expires_at, 45 * 60_000)
        expect(await read()).toEqual(before)
        expect((await stored()).status).toBe(booking.status)
        await expireOverdue(shop.runtime, shop.time.now)
        expect((await stored()).status).toBe('canceled')
        expect(await read()).toEqual(before)
        at(booking.expires_at, 48 * 3_600_000)
        expect((await desk.update(booking.id, { notes: 'Late' })).code).toBe('invalid_transition')
        expect(await read()).toEqual(before)
      },
    )

    test('[BKG-123] so it is with a hold on it, and with a booking that moves there', async () => {
      const [slot, , , , other] = await desk.slots('svc_asked')
      const { booking } = (await desk.book(slot)).data
      at(booking.expires_at)
      const moving = (await desk.book(other, {}, { as: shop.other })).data.booking
      const { hold } = (await desk.hold(slot, {}, { as: shop.other })).data
      const moved = await desk.reschedule(moving.id, slot, { hold_id: hold.id }, { as: shop.other })
      expect(moved.data.booking.slot.id).toBe(slot.id)
      expect((await desk.get(booking.id)).data.booking.status).toBe('canceled')
    })

    test('[BKG-123] and with places in a class', async () => {
      const [slot] = await desk.slots('svc_class_asked')
      const { booking } = (await desk.book(slot, { party_size: 2 })).data
      at(booking.expires_at, -1)
      expect((await desk.book(slot, {}, { as: shop.other })).code).toBe('slot_unavailable')
      at(booking.expires_at)
      expect((await desk.slots('svc_class_asked'))[0].capacity.remaining).toBe(2)
      expect((await desk.book(slot, { party_size: 2 }, { as: shop.other })).code).toBeUndefined()
    })
  },
)
