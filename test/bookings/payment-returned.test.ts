import { afterEach, describe, expect, test } from 'vitest'
import { cancel } from '../../src/domain/bookings/cancel-and-refund.ts'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { lockAndExpire } from '../../src/domain/bookings/lock-and-save-booking.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { eventsOf, expectHonest, tillDefinition } from './till.ts'

const HOUR = 3_600_000

await onBothDesks(
  () => testShop(tillDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime
    const at = (hours: number, { slot }: { slot: { start: string } }) => {
      shop.time.now = new Date(Date.parse(slot.start) - hours * HOUR)
    }
    /** Booked in the morning of a day, and paid. */
    const paid = async (serviceId: string, time = 'T10:00') => {
      const slot = (await desk.slots(serviceId)).find(({ start }) => start.includes(time))
      const { booking } = (await desk.book(slot)).data
      return (await desk.pay(booking, { order_reference: 'ord_9' })).data.booking
    }
    const trace = { transaction_id: 'txn_1', order_reference: 'ord_9' }

    test.each<[string, string, number, number, number, string, boolean]>([
      ['[PAY-060] in time all comes back', 'svc_paid', 25, 0, 13200, 'refunded', true],
      ['[PAY-060] in time the deposit comes back', 'svc_deposit', 25, 0, 3000, 'refunded', true],
      ['[PAY-061] late all but the fee comes back', 'svc_paid', 23, 2000, 11200, 'partially_refunded', true],
      ['[PAY-061] late part of the deposit comes back', 'svc_deposit', 23, 2000, 1000, 'partially_refunded', true],
      ['[PAY-062] late nothing is left of it', 'svc_costly', 23, 20000, 0, 'paid', false],
      ['[PAY-064] a deposit that is not refundable stays', 'svc_kept', 25, 0, 0, 'deposit_paid', false],
    ])('when a buyer cancels, %s: %s', async (_, id, hours, fee, refund, status, told) => {
      const booking = await paid(id)
      at(hours, booking)
      const { data } = await desk.cancel(booking.id)
      expect(data.booking).toMatchObject({
        status: 'canceled',
        cancellation: { canceled_by: 'buyer', fee, refund_amount: refund },
        payment: { status, amount: 12000, amount_due: 0, ...trace },
      })
      expectHonest(data.booking)
      expect((await eventsOf(shop, booking)).slice(1)).toEqual([
        'booking.canceled',
        ...(told ? ['booking.refund_issued'] : []),
      ])
      // [PAY-066] [PAY-068] It stays so, and a second cancel gives nothing more.
      expect((await desk.cancel(booking.id)).code).toBe('invalid_transition')
      expect((await desk.get(booking.id)).data.booking).toEqual(data.booking)
      expect((await desk.get(booking.id)).data.booking.payment).toEqual(data.booking.payment)
    })

    test('[PAY-066] [PAY-068] [PAY-067] what came in stays traceable when all of it has gone back', async () => {
      const booking = await paid('svc_paid')
      const { payment } = (await desk.cancel(booking.id)).data.booking
      expect(payment).toMatchObject({
        ...booking.payment,
        status: 'refunded',
        refund_amount: 13200,
        refund_total: 13200,
        transactions: [{ ...booking.payment.transactions[0], refund_total: 13200 }],
      })
      expect(payment).toMatchObject({ amount_due: 0, ...trace })
    })

    test.each([
      ['svc_paid', 'requires_action'],
      ['svc_asked', 'pending'],
    ])('[PAY-065] cancelling %s before it is paid gives nothing back', async (id, status) => {
      const [slot] = await desk.slots(id)
      const { booking } = (await desk.book(slot)).data
      expect(booking.status).toBe(status)
      const { data } = await desk.cancel(booking.id)
      expect(data.booking).toMatchObject({
        cancellation: { fee: 0, refund_amount: 0 },
        payment: { status: 'pending', amount_due: 0 },
      })
      expect(await eventsOf(shop, booking)).toEqual(['booking.canceled'])
    })

    test('[PAY-003] what is paid on the spot tells the fee and gives nothing back', async () => {
      const [slot] = await desk.slots('svc_spot')
      const { booking } = (await desk.book(slot)).data
      at(1, booking)
      expect((await desk.cancel(booking.id)).data.booking).toMatchObject({
        cancellation: { fee: 2000, refund_amount: 0 },
        payment: { status: 'not_required', amount_due: 0 },
      })
      expect(await eventsOf(shop, booking)).toEqual(['booking.canceled'])
    })

    describe('[PAY-063] when the business cancels, all comes back', () => {
      test.each<[string, string, number]>([
        ['late', 'svc_paid', 13200],
        ['where the buyer may not', 'svc_firm', 13200],
        ['also a deposit that is not refundable', 'svc_kept', 3000],
      ])('%s', async (_, id, refund) => {
        const { id: bookingId, slot } = await paid(id, 'T11:00')
        at(1, { slot })
        const { now } = shop.time
        await runUnitOfWork(db, async (tx) => {
          const row = await lockAndExpire(tx, bookingId, undefined, now)
          if (row) await cancel(tx, row, { by: 'business', actor: 'staff:stf_jo' }, now)
        })
        expect((await desk.get(bookingId)).data.booking).toMatchObject({
          cancellation: { canceled_by: 'business', fee: 0, refund_amount: refund },
          payment: { status: 'refunded', amount_due: 0, ...trace },
        })
      })
    })

    describe('a paid booking that is moved', () => {
      const slotAt = async (time: string) =>
        (await desk.slots('svc_paid')).findLast(({ start }) => start.includes(time))

      test('[PAY-070] [PAY-071] to a dearer slot waits for the difference', async () => {
        const booking = await paid('svc_paid', 'T09:00')
        const slot = await slotAt('T15:30')
        const { data } = await desk.reschedule(booking.id, slot)
        expect(data.booking).toMatchObject({
          status: 'requires_action',
          slot: { id: slot.id },
          payment: { status: 'deposit_paid', amount: 15000, tax_amount: 1500, amount_due: 3300, ...trace },
          actions: [{ type: 'payment', status: 'pending', payment_context: { amount_due: 3300 } }],
        })
        expectHonest(data.booking)
        expect(data.booking.actions[0].payment_context.line_items).toMatchObject([{ amount: 3300, quantity: 1 }])
        expect(new Date(data.booking.expires_at).getTime()).toBe(shop.time.now.getTime() + 24 * HOUR)
        expect((await desk.pay(data.booking, { amount_paid: 16500 })).code).toBe('payment_amount_mismatch')
        const after = (await desk.pay(data.booking, { transaction_id: 'txn_2' })).data.booking
        expect(after).toMatchObject({
          status: 'confirmed',
          payment: { status: 'paid', amount: 15000, amount_due: 0, ...trace },
        })
        const { cancellation, payment } = (await desk.cancel(booking.id)).data.booking
        expect(cancellation.refund_amount).toBe(16500)
        // Each payment has its name, and gets back what came with it.
        expect(payment).toMatchObject({
          ...trace,
          amount_paid: 16500,
          refund_amount: 16500,
          refund_total: 16500,
          transactions: [
            { ...trace, amount: 13200, refund_total: 13200 },
            { transaction_id: 'txn_2', amount: 3300, refund_total: 3300 },
          ],
        })
      })

      test('[PAY-072] late pays the fee along, as an item of its own', async () => {
        const booking = await paid('svc_paid', 'T09:30')
        const slot = await slotAt('T16:00')
        at(2, booking)
        const { data } = await desk.reschedule(booking.id, slot)
        expect(data.booking.payment.amount_due).toBe(4800)
        const { line_items } = data.booking.actions[0].payment_context
        expect(line_items.map(({ amount }: { amount: number }) => amount)).toEqual([3300, 1500])
      })

      test('[PAY-070] [PAY-073] to a cheaper slot gets the difference back', async () => {
        const booking = await paid('svc_paid', 'T10:30')
        const { data } = await desk.reschedule(booking.id, await slotAt('T18:30'))
        expect(data.booking).toMatchObject({
          status: 'confirmed',
          payment: { status: 'partially_refunded', amount: 9000, tax_amount: 900, amount_due: 0, ...trace },
        })
        expect((await eventsOf(shop, booking)).slice(1)).toEqual(['booking.rescheduled', 'booking.refund_issued'])
        const canceled = (await desk.cancel(booking.id)).data.booking
        expect(canceled).toMatchObject({ cancellation: { refund_amount: 9900 }, payment: { status: 'refunded' } })
      })

      test('[PAY-070] to a slot at the same price changes nothing of the payment', async () => {
        const booking = await paid('svc_paid', 'T12:30')
        const { data } = await desk.reschedule(booking.id, await slotAt('T13:00'))
        expect(data.booking).toMatchObject({ status: 'confirmed' })
        expect(data.booking.payment).toEqual(booking.payment)
      })

      test('[PAY-074] and not paid in time is given up, and all that was paid comes back', async () => {
        const booking = await paid('svc_paid', 'T11:30')
        const { data } = await desk.reschedule(booking.id, await slotAt('T17:00'))
        shop.time.now = new Date(data.booking.expires_at)
        await expireOverdue(shop.runtime, shop.time.now)
        expect((await desk.get(booking.id)).data.booking).toMatchObject({
          status: 'canceled',
          cancellation: { canceled_by: 'system', fee: 0, refund_amount: 13200 },
          payment: { status: 'refunded', amount_due: 0, ...trace },
        })
        expect((await eventsOf(shop, booking)).slice(-2)).toEqual(['booking.canceled', 'booking.refund_issued'])
      })

      test('[PAY-070] before the business has agreed is asked for the new price, once', async () => {
        const slots = await desk.slots('svc_asked')
        const { booking } = (await desk.book(slots[0])).data
        const moved = (await desk.reschedule(booking.id, slots[3])).data.booking
        expect(moved).toMatchObject({ status: 'pending', payment: { amount_due: 13200 } })
        expect((await desk.confirm(booking.id)).data.booking.payment.amount_due).toBe(13200)
      })

      test('[PAY-004] [PAY-070] and is to be paid on the spot asks for nothing', async () => {
        const slots = await desk.slots('svc_spot')
        const { booking } = (await desk.book(slots[0])).data
        at(1, booking)
        const { data } = await desk.reschedule(booking.id, slots[5])
        expect(data.booking).toMatchObject({ status: 'confirmed', payment: { status: 'not_required', amount_due: 0 } })
      })
    })
  },
)
