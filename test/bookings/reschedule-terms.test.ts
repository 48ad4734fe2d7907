import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { placesOf } from './booking-rows.ts'
import { shopDefinition } from './shop.ts'

const MINUTE = 60_000

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime

    test('[BKG-118] [BKG-121] [CAT-118] so often and no more, and what was refused does not count', async () => {
      const [slot, , one, , other, , third] = await desk.slots('svc_cut', { resource_id: 'staff_ann' })
      const { id } = (await desk.book(slot)).data.booking
      await desk.book(third, {}, { as: shop.other })
      for (let count = 0; count < 3; count++) expect((await desk.reschedule(id, third)).code).toBe('slot_unavailable')
      expect((await desk.reschedule(id, one)).code).toBeUndefined()
      expect((await desk.reschedule(id, third)).code).toBe('slot_unavailable')
      const { booking } = (await desk.reschedule(id, other)).data
      const places = await placesOf(db, id)
      const { status, code, severity, data } = await desk.reschedule(id, slot)
      expect([status, code, severity]).toEqual([200, 'reschedule_limit_reached', 'requires_buyer_review'])
      expect(data).not.toHaveProperty('booking')
      expect((await desk.get(id)).data.booking).toEqual(booking)
      expect(await placesOf(db, id)).toEqual(places)
    })

    test('[nothing of a booking grows without an end] where the terms name no number it is moved a hundred times', async () => {
      const slots = await desk.slots('svc_paid')
      const { id } = (await desk.pay((await desk.book(slots[0])).data.booking)).data.booking
      await sql`update bookings set record = jsonb_set(record::jsonb, '{reschedules}', '99')::json where id = ${id}`.execute(
        db,
      )
      expect((await desk.reschedule(id, slots[4])).data.booking.slot.id).toBe(slots[4].id)
      expect((await desk.reschedule(id, slots[8])).code).toBe('reschedule_limit_reached')
    })

    test('[BKG-121] moves by the staff neither count nor cost anything, nor does what was refused', async () => {
      const day = { start_date: '2026-11-27', end_date: '2026-11-27', resource_id: 'staff_ben' }
      const slots = await desk.slots('svc_cut', day)
      const { id } = (await desk.book(slots[0])).data.booking
      const byStaff = async (index: number) => {
        const move = { booking_id: id, start: slots[index].start }
        return (await desk.call('usp_business_bookings_reschedule', move, { as: shop.staff })).data.booking
      }
      shop.time.now = new Date(new Date(slots[0].start).getTime() - 60 * MINUTE)
      for (const index of [2, 4, 6]) expect((await byStaff(index)).slot.start).toBe(slots[index].start)
      const { details } = (await desk.call('usp_business_bookings_get', { booking_id: id }, { as: shop.staff })).data
      expect(details).toMatchObject({ reschedules: 0 })
      for (const index of [8, 10]) expect((await desk.reschedule(id, slots[index])).code).toBeUndefined()
      expect((await desk.reschedule(id, slots[12])).code).toBe('reschedule_limit_reached')
      expect((await byStaff(12)).slot.start).toBe(slots[12].start)
      const paid = (await desk.pay((await desk.book((await desk.slots('svc_paid'))[0])).data.booking)).data.booking
      shop.time.now = new Date(new Date(paid.slot.start).getTime() - 60 * MINUTE)
      const [late] = await desk.slots('svc_paid', { start_date: '2026-11-29' })
      const move = { booking_id: paid.id, start: late.start }
      const moved = await desk.call('usp_business_bookings_reschedule', move, { as: shop.staff })
      expect(moved.data.booking).toMatchObject({
        status: 'confirmed',
        payment: { amount_due: 0 },
        slot: { id: late.id },
      })
    })

    test('[BKG-119] [CAT-117] where the terms forbid it a booking stays', async () => {
      const [slot, , later] = await desk.slots('svc_firm')
      const { booking } = (await desk.book(slot)).data
      const { status, code, severity, data } = await desk.reschedule(booking.id, later)
      expect([status, code, severity]).toEqual([200, 'reschedule_not_allowed', 'requires_buyer_review'])
      expect(data.messages).toMatchObject([{ type: 'error' }])
      expect((await desk.get(booking.id)).data.booking).toEqual(booking)
      expect((await desk.book(slot, {}, { as: shop.other })).code).toBe('slot_unavailable')
    })

    describe('[BKG-120] [CAT-119] a move costs, by the old start,', () => {
      test.each([
        ['nothing a day before', 24 * 60, 0],
        ['the fee a minute later', 24 * 60 - 1, 1500],
      ])('%s', async (_, minutesBefore, fee) => {
        const [slot] = await desk.slots('svc_paid', { start_date: '2026-11-26' })
        const paid = (await desk.pay((await desk.book(slot)).data.booking)).data.booking
        shop.time.now = new Date(new Date(slot.start).getTime() - minutesBefore * MINUTE)
        const [, later] = await desk.slots('svc_paid', { start_date: '2026-11-28', end_date: '2026-11-28' })
        const moved = (await desk.reschedule(paid.id, later)).data.booking
        expect([moved.payment.amount_due, moved.status]).toEqual([fee, fee ? 'requires_action' : 'confirmed'])
        const items = moved.actions?.flatMap((action: { payment_context: { line_items: { amount: number }[] } }) =>
          action.payment_context.line_items.map(({ amount }) => amount),
        )
        expect(items).toEqual(fee ? [fee] : undefined)
        if (fee)
          expect((await desk.pay(moved)).data.booking).toMatchObject({ status: 'confirmed', slot: { id: later.id } })
      })

      test('the fee although the new start is far off, and nothing although it is near', async () => {
        const [near] = await desk.slots('svc_paid', { start_date: '2026-11-21' })
        const [far] = await desk.slots('svc_paid', { start_date: '2026-12-08', end_date: '2026-12-08' })
        shop.time.now = new Date(new Date(near.start).getTime() - 5 * 60 * MINUTE)
        const bookings = []
        for (const slot of [near, far])
          bookings.push((await desk.pay((await desk.book(slot)).data.booking)).data.booking)
        const [free] = await desk.slots('svc_paid', { start_date: '2026-11-30' })
        const late = (await desk.reschedule(bookings[0].id, free)).data.booking
        const early = (await desk.reschedule(bookings[1].id, near)).data.booking
        expect([late.payment.amount_due, early.payment.amount_due]).toEqual([1500, 0])
      })
    })
  },
)
