import { afterEach, describe, expect, test } from 'vitest'
import { completeTask } from '../../src/domain/bookings/complete-buyer-task.ts'
import { bookingFind } from '../../src/domain/bookings/queries.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { paidShop } from '../payments/shop.ts'
import { service } from '../support/definitions.ts'
import { mcpDesk, onBothDesks, restDesk, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { eventsOf, tillDefinition } from './till.ts'

const policies = { ...service('svc').policies, payment_timing: 'at_booking' } as const
const openPrice = { pricing: { model: 'variable', currency: 'USD' }, policies } as const
const waiver = { text: 'I swim at my own risk.' }
const unpriced = [
  service('svc_unpriced', { ...openPrice, waiver }),
  service('svc_unpriced_simple', openPrice),
  service('svc_unpriced_asked', { ...openPrice, policies: { ...policies, confirmation_mode: 'manual' } }),
]
const lapsing = service('svc_asked_free', { policies: { ...service('svc').policies, confirmation_mode: 'manual' } })
const definition = { ...tillDefinition, services: [...tillDefinition.services, ...unpriced, lapsing] }

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime
    const booked = async (serviceId: string) => (await desk.book((await desk.slots(serviceId))[0])).data.booking
    const current = async ({ id }: { id: string }) => (await desk.get(id)).data.booking
    const conflict = (code: string) => ({
      code,
      ...(desk.binding === 'REST'
        ? { status: 409, data: { type: `https://usp-protocol.dev/errors/${code.replaceAll('_', '-')}` } }
        : { rpc: -32002 }),
    })
    const wordsOf = ({ data }: { data: { detail?: string; content?: string } }) => data.detail ?? data.content

    test('[LIV-024] [LIV-026] a payment for a booking without a price cannot be checked', async () => {
      const booking = await booked('svc_unpriced')
      expect(booking).toMatchObject({ status: 'requires_action', payment: { timing: 'at_booking', amount_due: 0 } })
      const before = await tableContents(db)
      for (const amount_paid of [0, 5000]) {
        const said = await desk.pay(booking, { amount_paid })
        expect(said).toMatchObject(conflict('payment_unverifiable'))
        expect(wordsOf(said)).toContain('nothing was recorded')
      }
      expect(await tableContents(db)).toEqual(before)
      expect(await current(booking)).toEqual(booking)
    })

    test.each(['svc_unpriced_simple', 'svc_unpriced_asked'])(
      '[LIV-024] a payment for a booking of %s cannot be checked either, although nothing holds the booking up',
      async (serviceId) => {
        const { id } = await booked(serviceId)
        if (serviceId === 'svc_unpriced_asked') await desk.confirm(id)
        const booking = await current({ id })
        expect(booking.status).toBe('confirmed')
        expect(await desk.pay(booking, { amount_paid: 5000 })).toMatchObject(conflict('payment_unverifiable'))
        expect(await current(booking)).toEqual(booking)
      },
    )

    test('[LIV-068] a booking that lapsed without an approval was never to be paid', async () => {
      const booking = await booked('svc_asked_free')
      shop.time.now = new Date(booking.expires_at)
      expect(await current(booking)).toMatchObject({ status: 'canceled', cancellation: { canceled_by: 'system' } })
      const before = await tableContents(db)
      const said = await desk.pay(booking, { amount_paid: 5000 })
      expect([said.status, said.rpc, said.code]).toEqual([200, undefined, 'invalid_transition'])
      expect(await tableContents(db)).toEqual(before)
    })

    test('[LIV-024] a service that is gone is no hindrance: the booking keeps the price agreed', async () => {
      const booking = await booked('svc_slow')
      await shop.apply({ ...definition, services: definition.services.filter(({ id }) => id !== 'svc_slow') })
      expect((await desk.pay(booking, { amount_paid: booking.payment.amount_due - 1 })).code).toBe(
        'payment_amount_mismatch',
      )
      expect((await desk.pay(booking)).data.booking).toMatchObject({ status: 'confirmed', payment: { status: 'paid' } })
    })

    test('[LIV-025] [LIV-026] a payment whose booking has lost its time confirms nothing and is not kept', async () => {
      const booking = await booked('svc_paid')
      // A server with a faster clock has released the time.
      await db.deleteFrom('claims').where('holder_id', '=', booking.id).execute()
      const before = await tableContents(db)
      for (const idempotencyKey of [undefined, crypto.randomUUID()]) {
        const said = await desk.pay(booking, {}, idempotencyKey === undefined ? {} : { idempotencyKey })
        expect(said).toMatchObject(conflict('confirmation_failed'))
        expect(wordsOf(said)).toContain('The booking was not confirmed')
      }
      expect(await tableContents(db)).toEqual(before)
      expect(await current(booking)).toEqual(booking)
      expect(await eventsOf(shop, booking)).toEqual([])
      shop.time.now = new Date(booking.expires_at)
      expect(await current(booking)).toMatchObject({ status: 'canceled', payment: { status: 'pending' } })
    })

    test('[LIV-025] with a task left to do, the payment alone does not fail the confirmation', async () => {
      const booking = await booked('svc_signed')
      expect((await desk.pay(booking)).data.booking.status).toBe('requires_action')
      await runUnitOfWork(db, async (tx) => {
        const row = await bookingFind(tx, booking.id, undefined, { lock: true })
        if (row) await completeTask(tx, row, { task: 'waiver', actor: 'buyer' }, shop.time.now)
      })
      expect((await current(booking)).status).toBe('confirmed')
    })
  },
)

describe('[LIV-025] a payment that the provider took for a booking that has lost its time', async () => {
  const { shop, booked, checkout, stripe, refundsOf, aMinuteLater } = await paidShop()

  test.each([restDesk(shop), mcpDesk(shop)])('is refused each time and goes back ($binding)', async (desk) => {
    const booking = await booked('svc_paid')
    const session = await checkout(booking)
    stripe.pay(session)
    await shop.runtime.db.deleteFrom('claims').where('holder_id', '=', booking.id).execute()
    for (let time = 0; time < 2; time++) {
      const said = await desk.pay(booking)
      expect([said.code, said.status === 409 || said.rpc === -32002]).toEqual(['confirmation_failed', true])
    }
    expect((await desk.get(booking.id)).data.booking).toMatchObject({
      status: 'canceled',
      payment: { status: 'refunded' },
    })
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([booking.payment.amount_due])
  })
})
