import { afterEach, describe, expect, test } from 'vitest'
import { completeTask } from '../../src/domain/bookings/complete-buyer-task.ts'
import { bookingFind } from '../../src/domain/bookings/queries.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { expectProblem, onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { statusSet } from './booking-rows.ts'
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
    /** What the buyer does on a page. */
    const sign = ({ id }: { id: string }) =>
      runUnitOfWork(db, async (tx) => {
        const row = await bookingFind(tx, id, undefined, { lock: true })
        if (row) await completeTask(tx, row, { task: 'waiver', actor: 'buyer' }, shop.time.now)
      })

    test.each([
      ['[PAY-034]', 'svc_paid', 'paid'],
      ['[PAY-035]', 'svc_deposit', 'deposit_paid'],
    ])('%s [PAY-016] [PAY-017] [PAY-018] [PAY-036] %s is confirmed once what is due is paid', async (_, id, status) => {
      const booking = await booked(id)
      const { data } = await desk.pay(booking, { order_reference: 'ord_9', provider: 'stripe' })
      expect(data).not.toHaveProperty('messages')
      expect(data.booking).toMatchObject({
        status: 'confirmed',
        payment: {
          status,
          timing: booking.payment.timing,
          amount: booking.payment.amount,
          amount_due: 0,
          transaction_id: 'txn_1',
          order_reference: 'ord_9',
        },
      })
      expectHonest(data.booking)
      expect(data.booking).not.toHaveProperty('expires_at')
      expect(await current(booking)).toEqual(data.booking)
      expect(await eventsOf(shop, booking)).toEqual(['booking.confirmed'])
      expect((await desk.slots(id))[0].id).not.toBe(booking.slot.id)
    })

    describe('what else is to be done', () => {
      test('[PAY-037] [PAY-039] may follow the payment; the last of it confirms the booking', async () => {
        const booking = await booked('svc_signed')
        const { data } = await desk.pay(booking)
        expect(data.booking).toMatchObject({ status: 'requires_action', payment: { status: 'paid', amount_due: 0 } })
        expect(data.booking.actions).toMatchObject([
          { type: 'waiver', status: 'pending' },
          { type: 'payment', status: 'completed' },
        ])
        expect(data.booking.actions[1].payment_context).toMatchObject({
          amount_due: 0,
          currency: booking.payment.currency,
          metadata: { booking_id: booking.id },
        })
        expect(data.booking.actions[1]).not.toHaveProperty('message')
        expectHonest(data.booking)
        expect(await eventsOf(shop, booking)).toEqual([])
        await sign(booking)
        expect(await current(booking)).toMatchObject({ status: 'confirmed', payment: { status: 'paid' } })
        expect(await eventsOf(shop, booking)).toEqual(['booking.confirmed'])
      })

      test('[PAY-037] [PAY-039] may go before it', async () => {
        const booking = await booked('svc_signed')
        await sign(booking)
        const signed = await current(booking)
        expect(signed.actions.map(({ status }: { status: string }) => status)).toEqual(['completed', 'pending'])
        expectHonest(signed)
        expect(signed.expires_at).toBe(booking.expires_at)
        expect((await desk.pay(booking)).data.booking.status).toBe('confirmed')
      })

      test('has a day once the payment is made, and no minutes', async () => {
        const booking = await booked('svc_signed')
        const { data } = await desk.pay(booking)
        expect(new Date(data.booking.expires_at).getTime()).toBe(START.getTime() + 24 * 3_600_000)
        shop.minutesLater(20)
        await sign(booking)
        expect((await current(booking)).status).toBe('confirmed')
      })
    })

    describe('what does not fit is refused, and nothing changes:', () => {
      const invalid = desk.binding === 'REST' ? { status: 400 } : { rpc: -32600 }
      const unprocessable = desk.binding === 'REST' ? { status: 422 } : { rpc: -32602 }
      const no = { status: 200 }

      test.each<[string, string, Record<string, unknown>, object]>([
        ...['status', 'transaction_id', 'amount_paid', 'currency'].map(
          (name): [string, string, Record<string, unknown>, object] => [
            `[PAY-040] no ${name}`,
            'invalid_request',
            { [name]: undefined },
            invalid,
          ],
        ),
        ['[PAY-041] a status that nobody knows', 'validation_error', { status: 'authorized' }, unprocessable],
        ['[PAY-041] part of a cent', 'validation_error', { amount_paid: 13200.5 }, unprocessable],
        ...['3.5e4', '13,200', '+13200', '13200.0', ' 13200', '', '0x3390', '9'.repeat(400)].map(
          (amount_paid): [string, string, Record<string, unknown>, object] => [
            `[LIV-049] the amount ${JSON.stringify(amount_paid.slice(0, 10))}`,
            'validation_error',
            { amount_paid },
            unprocessable,
          ],
        ),
        ['[LIV-047] less than is due, in digits', 'payment_amount_mismatch', { amount_paid: '13199' }, no],
        ['[PAY-042] [ERR-029] less than is due', 'payment_amount_mismatch', { amount_paid: 13199 }, no],
        ['[PAY-042] more than is due', 'payment_amount_mismatch', { amount_paid: 13201 }, no],
        ['[PAY-042] nothing', 'payment_amount_mismatch', { amount_paid: 0 }, no],
        ['[PAY-042] the price without its tax', 'payment_amount_mismatch', { amount_paid: 12000 }, no],
        ['[PAY-042] a sum below nothing', 'payment_amount_mismatch', { amount_paid: -13200 }, no],
        ['[PAY-043] another currency', 'payment_amount_mismatch', { currency: 'EUR' }, no],
        ['[PAY-043] the currency in small letters', 'payment_amount_mismatch', { currency: 'usd' }, no],
        [
          '[PAY-044] [LIV-011] a deposit where all is due',
          'validation_error',
          { status: 'deposit_paid' },
          unprocessable,
        ],
      ])('%s', async (_, code, result, wanted) => {
        const booking = await booked('svc_paid')
        const before = await tableContents(db)
        const said = await desk.pay(booking, result)
        expect(said).toMatchObject({ code, ...wanted })
        if (code === 'payment_amount_mismatch') expect(said.severity).toBe('requires_buyer_input')
        if ('currency' in result && result.currency)
          expect(said.data.messages[0].path).toBe('$.payment_result.currency')
        expect(await tableContents(db)).toEqual(before)
        expect(await current(booking)).toEqual(booking)
      })

      test('[PAY-044] [LIV-011] all where a deposit is due', async () => {
        const booking = await booked('svc_deposit')
        expectProblem(await desk.pay(booking, { status: 'paid' }), 'validation_error', 'payment_result.status')
        expect(await current(booking)).toEqual(booking)
      })

      test('[PAY-040] no result at all', async () => {
        const { id } = await booked('svc_paid')
        const said = await desk.call('usp_bookings_confirm_payment', { booking_id: id })
        expect(said).toMatchObject({ code: 'invalid_request', ...invalid })
      })

      test('[LIV-068] a payment before the business has agreed', async () => {
        const booking = await booked('svc_asked')
        expect(await desk.pay(booking)).toMatchObject({ status: 200, code: 'invalid_transition' })
        expect(await current(booking)).toEqual(booking)
      })

      test('[LIV-068] a payment of a booking that the buyer has canceled', async () => {
        const booking = await booked('svc_paid')
        const { data } = await desk.cancel(booking.id)
        expect(await desk.pay(booking)).toMatchObject({ status: 200, code: 'invalid_transition' })
        expect(await current(booking)).toEqual(data.booking)
      })

      test.each(['in_progress', 'completed', 'no_show', 'canceled'] as const)(
        '[LIV-068] a second payment of a booking that is %s',
        async (status) => {
          const booking = (await desk.pay(await booked('svc_paid'))).data.booking
          if (status === 'canceled') await desk.cancel(booking.id)
          else await statusSet(db, booking.id, status)
          const before = await tableContents(db)
          const said = await desk.pay(booking, { amount_paid: 13200 })
          expect(said).toMatchObject({
            status: 200,
            rpc: undefined,
            code: 'invalid_transition',
            severity: 'unrecoverable',
          })
          expect(await tableContents(db)).toEqual(before)
        },
      )
    })

    test.each(['svc_paid', 'svc_deposit', 'svc_signed'])(
      '[PAY-045] [LIV-068] a second report of the payment of %s is told that it was made, and changes nothing',
      async (id) => {
        const booking = await booked(id)
        const first = (await desk.pay(booking)).data.booking
        const before = await tableContents(db)
        const again = await desk.pay(booking, { transaction_id: 'txn_2' })
        expect(again).toMatchObject({ status: 200, code: 'already_confirmed' })
        expect(again.data.messages).toMatchObject([{ type: 'info' }])
        expect(again.data.booking).toEqual(first)
        expect(await tableContents(db)).toEqual(before)
      },
    )

    test.each(['svc_free', 'svc_spot'])('[PAY-045] so is a report on %s, which needed none', async (id) => {
      const booking = await booked(id)
      const said = await desk.pay(booking)
      expect([said.code, said.data.booking]).toEqual(['already_confirmed', booking])
      expect(said.data.messages[0].content).toBe('Nothing is due for this booking, and nothing was recorded.')
    })

    test('[PAY-048] a retry gets the first answer; the key does not do for another sum', async () => {
      const booking = await booked('svc_paid')
      const idempotencyKey = crypto.randomUUID()
      const first = await desk.pay(booking, {}, { idempotencyKey })
      expect(first.data.booking.status).toBe('confirmed')
      expect((await desk.pay(booking, {}, { idempotencyKey })).data).toEqual(first.data)
      const other = await desk.pay(booking, { amount_paid: 1 }, { idempotencyKey })
      expect(other).toMatchObject({ code: 'idempotency_conflict', ...(desk.binding === 'REST' && { status: 409 }) })
      expect(await eventsOf(shop, booking)).toEqual(['booking.confirmed'])
    })

    test('[LIV-047] an amount in digits pays like the number, and both are the same request', async () => {
      const booking = await booked('svc_paid')
      const idempotencyKey = crypto.randomUUID()
      const first = await desk.pay(booking, { amount_paid: String(booking.payment.amount_due) }, { idempotencyKey })
      expect(first.data.booking).toMatchObject({ status: 'confirmed', payment: { status: 'paid', amount_due: 0 } })
      expect((await desk.pay(booking, {}, { idempotencyKey })).data).toEqual(first.data)
      expect(await eventsOf(shop, booking)).toEqual(['booking.confirmed'])
    })

    test('[PAY-051] what nobody knows in a result is passed over', async () => {
      const booking = await booked('svc_paid')
      const { data } = await desk.pay(booking, { fee: 3, risk: { score: 'low' }, provider: 'com.example.pay' })
      expect(data.booking).toMatchObject({ status: 'confirmed', payment: { status: 'paid' } })
      expect(JSON.stringify(await tableContents(db))).not.toContain('"risk')
    })
  },
)
