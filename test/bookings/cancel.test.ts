import { afterEach, describe, expect, test } from 'vitest'
import { onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { placesOf, statusSet } from './booking-rows.ts'
import { shopDefinition } from './shop.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime
    const booked = async (serviceId: string, more = {}) =>
      (await desk.book((await desk.slots(serviceId))[0], more)).data.booking
    const at = (instant: number) => {
      shop.time.now = new Date(instant)
    }

    test.each([
      ['pending', 'svc_asked'],
      ['requires_action', 'svc_paid'],
      ['confirmed', 'svc_free'],
    ])('[BKG-090] [BKG-092] [BKG-093] [LIV-078] a booking that is %s is canceled', async (status, serviceId) => {
      const booking = await booked(serviceId, { notes: 'Quiet, please' })
      expect(booking).toMatchObject({ status })
      expect(booking).not.toHaveProperty('cancellation')
      shop.minutesLater(5)
      const said = await desk.cancel(booking.id, { reason: 'Plans changed' })
      expect([said.status, Object.keys(said.data).sort()]).toEqual([200, ['booking', 'usp']])
      const { actions, expires_at, messages, payment, ...whole } = booking
      expect(said.data.booking).toMatchObject({
        ...whole,
        status: 'canceled',
        cancellation: { reason: 'Plans changed', canceled_by: 'buyer', fee: 0, refund_amount: 0 },
        updated_at: expect.any(String),
        revision: expect.any(String),
      })
      expect(new Date(said.data.booking.cancellation.canceled_at)).toEqual(shop.time.now)
      for (const member of ['actions', 'expires_at']) expect(said.data.booking).not.toHaveProperty(member)
      expect((await desk.get(booking.id)).data.booking).toEqual(said.data.booking)
    })

    test('[BKG-091] [BKG-092] a cancel needs no reason, nor any body', async () => {
      const { id } = await booked('svc_free')
      expect((await desk.cancel(id)).data.booking.cancellation).not.toHaveProperty('reason')
      if (desk.binding === 'MCP') return
      const other = await booked('svc_free')
      const { bearer, profile } = shop.platform
      const headers = { authorization: `Bearer ${bearer}`, 'usp-agent': `profile="${profile}"` }
      const { status, body } = await shop.rest('POST', `/bookings/${other.id}/cancel`, undefined, headers)
      expect([status, body.booking.status]).toEqual([200, 'canceled'])
    })

    test.each(['business', 'system'])(
      '[BKG-094] [LIV-078] a platform that says %s cancels as the buyer all the same',
      async (canceled_by) => {
        const booking = await booked('svc_cut')
        at(new Date(booking.slot.start).getTime() - 5 * HOUR)
        const { cancellation } = (await desk.cancel(booking.id, { canceled_by })).data.booking
        expect(cancellation).toMatchObject({ canceled_by: 'buyer', fee: 2500 })
        const firm = await booked('svc_firm')
        expect((await desk.cancel(firm.id, { canceled_by })).code).toBe('cancellation_not_allowed')
      },
    )

    test.each(['svc_firm_paid', 'svc_paid'])(
      '[BKG-095] [LIV-078] the business cancels a booking of %s at its own cost, whatever the terms and the hour',
      async (serviceId) => {
        const { id, slot, payment } = (await desk.pay(await booked(serviceId))).data.booking
        expect(payment.status).toBe('paid')
        at(new Date(slot.start).getTime() - MINUTE)
        const cancel = { booking_id: id, reason: 'The studio is flooded' }
        const { data } = await desk.call('usp_business_bookings_cancel', cancel, { as: shop.staff })
        expect(data.booking.cancellation).toMatchObject({
          canceled_by: 'business',
          reason: 'The studio is flooded',
          fee: 0,
          refund_amount: 7500,
        })
        expect((await desk.get(id)).data.booking).toEqual(data.booking)
      },
    )

    test.each(['svc_free', 'svc_asked', 'svc_paid', 'svc_cut', 'svc_table'])(
      '[BKG-096] the time of a canceled booking of %s is free for others at once',
      async (serviceId) => {
        const [slot] = await desk.slots(serviceId)
        const { id } = (await desk.book(slot)).data.booking
        expect((await placesOf(db, id)).resources).toHaveLength(1)
        await desk.cancel(id)
        expect(await placesOf(db, id)).toEqual({ resources: [], spots: 0 })
        const again = await desk.book(slot, {}, { as: shop.other })
        expect(again.data.booking.slot.id).toBe(slot.id)
      },
    )

    test('[BKG-096] so are its places in a class', async () => {
      const [slot] = await desk.slots('svc_class')
      const { id } = (await desk.book(slot, { party_size: 6 })).data.booking
      expect((await desk.book(slot, {}, { as: shop.other })).code).toBe('slot_unavailable')
      await desk.cancel(id)
      expect((await desk.book(slot, { party_size: 6 }, { as: shop.other })).code).toBeUndefined()
    })

    test('[BKG-097] [CAT-114] where the terms forbid it a booking stays', async () => {
      const { id } = await booked('svc_firm')
      const before = await tableContents(db)
      const { status, code, severity } = await desk.cancel(id)
      expect([status, code, severity]).toEqual([200, 'cancellation_not_allowed', 'requires_buyer_review'])
      expect((await desk.get(id)).data.booking.status).toBe('confirmed')
      expect(await tableContents(db)).toEqual(before)
    })

    describe('the nearer the start,', () => {
      const cases: [what: string, minutesBefore: number, fee: number | undefined][] = [
        ['[BKG-099] more than a day before it is free', 24 * 60 + 1, 0],
        ['[BKG-099] [CAT-115] exactly a day before it is still free', 24 * 60, 0],
        ['[BKG-100] [CAT-115] a second later it costs the fee', 24 * 60 - 1 / 60, 2500],
        ['[BKG-100] four hours before it still costs the fee', 4 * 60, 2500],
        ['[BKG-098] [CAT-116] a second later it is too late', 4 * 60 - 1 / 60, undefined],
        ['[BKG-098] and after the start all the more', -30, undefined],
      ]
      test.each(cases)('%s', async (_, minutesBefore, fee) => {
        const { id, slot } = await booked('svc_cut')
        at(new Date(slot.start).getTime() - minutesBefore * MINUTE)
        const { status, code, data } = await desk.cancel(id)
        expect([status, code]).toEqual([200, fee === undefined ? 'cancellation_not_allowed' : undefined])
        expect(data.booking?.cancellation.fee).toBe(fee)
        expect((await desk.get(id)).data.booking.status).toBe(fee === undefined ? 'confirmed' : 'canceled')
      })
    })

    test('[BKG-097] what has begun a buyer cannot cancel, though no term says so; the business can', async () => {
      const paid = (await desk.pay(await booked('svc_paid'))).data.booking
      at(Date.parse(paid.slot.start))
      const before = await tableContents(db)
      expect((await desk.cancel(paid.id)).code).toBe('cancellation_not_allowed')
      expect(await tableContents(db)).toEqual(before)
      const { data } = await desk.call('usp_business_bookings_cancel', { booking_id: paid.id }, { as: shop.staff })
      expect(data.booking.cancellation).toMatchObject({ fee: 0, refund_amount: 7500 })
    })

    test.each([
      ['pending', 'svc_firm_asked'],
      ['requires_action', 'svc_firm_paid'],
    ])(
      '[BKG-101] one that is %s and unpaid can be canceled for nothing, whatever the terms',
      async (status, serviceId) => {
        const booking = await booked(serviceId)
        expect(booking.status).toBe(status)
        const { cancellation } = (await desk.cancel(booking.id)).data.booking
        expect(cancellation).toMatchObject({ fee: 0, refund_amount: 0 })
      },
    )

    test.each(['in_progress', 'completed', 'no_show'] as const)(
      '[LIV-065] one that is %s cannot be canceled any more',
      async (status) => {
        const { id } = await booked('svc_free')
        await statusSet(db, id, status)
        const before = await tableContents(db)
        const said = await desk.cancel(id)
        expect([said.status, said.rpc, said.code]).toEqual([200, undefined, 'invalid_transition'])
        expect([said.severity, said.data.messages.length]).toEqual(['unrecoverable', 1])
        expect(await tableContents(db)).toEqual(before)
      },
    )

    test('[LIV-065] to cancel once more is refused and changes nothing', async () => {
      const paid = (await desk.pay(await booked('svc_paid'))).data.booking
      const once = (await desk.cancel(paid.id, { reason: 'First' })).data
      expect(once.booking.cancellation.refund_amount).toBe(7500)
      const before = await tableContents(db)
      shop.minutesLater(10)
      const again = await desk.cancel(paid.id, { reason: 'Second' })
      expect([again.status, again.rpc, again.code]).toEqual([200, undefined, 'invalid_transition'])
      expect((await desk.get(paid.id)).data.booking).toEqual(once.booking)
      expect(await tableContents(db)).toEqual(before)
    })
  },
)
