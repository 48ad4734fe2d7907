import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { lockAndExpire } from '../../src/domain/bookings/lock-and-save-booking.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { eventsOf, expectHonest, tillDefinition } from './till.ts'

await onBothDesks(
  () => testShop(tillDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime
    const booked = async (serviceId: string) => (await desk.book((await desk.slots(serviceId))[0])).data.booking
    const current = async ({ id }: { id: string }) => (await desk.get(id)).data.booking
    const overdue = { type: 'error', code: 'payment_expired', severity: 'recoverable' }

    test.each([
      ['nobody has written down yet', async () => {}],
      ['is written down', () => expireOverdue(shop.runtime, shop.time.now)],
    ])(
      '[PAY-046] [PAY-053] [ERR-028] a payment after its time, when the end %s, revives nothing',
      async (_, meanwhile) => {
        const booking = await booked('svc_paid')
        shop.time.now = new Date(booking.expires_at)
        await meanwhile()
        const said = await desk.pay(booking)
        expect(said.status).toBe(200)
        expect(said.data.messages).toMatchObject([overdue])
        expect(said.data.booking).toMatchObject({
          status: 'canceled',
          cancellation: { canceled_by: 'system', fee: 0, refund_amount: 0 },
          payment: { status: 'pending', amount_due: 0 },
        })
        expect(said.data.booking.payment).not.toHaveProperty('transaction_id')
        expectHonest(said.data.booking)
        expect(await current(booking)).toEqual(said.data.booking)
        expect(await eventsOf(shop, booking)).toEqual(['booking.canceled'])
        expect((await desk.slots('svc_paid')).map(({ id }) => id)).toContain(booking.slot.id)
      },
    )

    test('[PAY-046] a moment before its time it is in time', async () => {
      const booking = await booked('svc_paid')
      shop.time.now = new Date(new Date(booking.expires_at).getTime() - 1)
      expect((await desk.pay(booking)).data.booking.status).toBe('confirmed')
      shop.minutesLater(60)
      await expireOverdue(shop.runtime, shop.time.now)
      expect((await current(booking)).status).toBe('confirmed')
    })

    test('[PAY-053] a booking is given up with its payment, whatever else was still to be done', async () => {
      const booking = await booked('svc_signed')
      shop.time.now = new Date(booking.expires_at)
      expect(await current(booking)).toMatchObject({ status: 'canceled', cancellation: { canceled_by: 'system' } })
    })

    test('[PAY-050] two reports at once, under keys of their own, are one payment', async () => {
      for (let round = 0; round < 8; round++) {
        const booking = await booked('svc_paid')
        const reports = await Promise.all(
          ['txn_1', 'txn_2', 'txn_3'].map((transaction_id) =>
            desk.pay(booking, { transaction_id }, { idempotencyKey: crypto.randomUUID() }),
          ),
        )
        expect(reports.map(({ code }) => code ?? 'made').sort()).toEqual([
          'already_confirmed',
          'already_confirmed',
          'made',
        ])
        const [winner] = reports.filter(({ code }) => code === undefined)
        for (const report of reports) expect(report.data.booking).toEqual(winner?.data.booking)
        expect(await eventsOf(shop, booking)).toEqual(['booking.confirmed'])
        const { record } = await db
          .selectFrom('bookings')
          .select('record')
          .where('id', '=', booking.id)
          .executeTakeFirstOrThrow()
        expect(record).toMatchObject({ payment: { received: [{ amount: booking.payment.amount_due, returned: 0 }] } })
      }
    })

    test('[PAY-049] a payment that meets the end of its time wins or loses, and never both', async () => {
      const ends = new Set<string>()
      for (let round = 0; round < 12; round++) {
        shop.time.now = START
        const booking = await booked('svc_paid')
        const end = new Date(booking.expires_at)
        shop.time.now = new Date(end.getTime() - 1)
        // Another server's clock is ahead by a moment. Each has the start one time in three; else they meet.
        const expire = () => runUnitOfWork(db, (tx) => lockAndExpire(tx, booking.id, undefined, end))
        const pay = () => desk.pay(booking)
        const meeting = [
          () => expire().then(pay),
          () => pay().then(async (said) => expire().then(() => said)),
          () => Promise.all([pay(), wait(4 * round).then(expire)]).then(([said]) => said),
        ][round % 3]
        const said = await meeting?.()
        if (!said) throw new Error('Nobody came')
        const { status, payment } = await current(booking)
        ends.add(status)
        expect(said.data.booking.status).toBe(status)
        if (status === 'confirmed') {
          expect([said.code, payment.status]).toEqual([undefined, 'paid'])
          expect(await eventsOf(shop, booking)).toEqual(['booking.confirmed'])
        } else {
          expect([status, said.code, payment.status]).toEqual(['canceled', 'payment_expired', 'pending'])
          expect(await eventsOf(shop, booking)).toEqual(['booking.canceled'])
        }
      }
      expect([...ends].sort()).toEqual(['canceled', 'confirmed'])
    })
  },
)
