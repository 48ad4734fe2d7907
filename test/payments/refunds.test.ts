import { describe, expect, test } from 'vitest'
import { linkIn } from '../pages/shop.ts'
import type { Session } from '../support/stripe.ts'
import { paidShop } from './shop.ts'

const { shop, desk, stripe, booked, now, checkout, pay, bookedAndPaid, refundsOf, aMinuteLater } = await paidShop({
  collects: true,
})

const refundOf = ({ payment_intent }: Session) =>
  shop.runtime.db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['status', 'attempts', 'answer'])
    .where('reference', '=', payment_intent)
    .executeTakeFirstOrThrow()
/** A shop of its own, and a booking there that begins in an hour. */
async function late() {
  const other = await paidShop({ collects: true })
  const booking = await other.bookedAndPaid('svc_late')
  other.shop.time.now = new Date(new Date(booking.slot.start).getTime() - 3_600_000)
  return { ...other, booking }
}
/** A slot on the day that costs more. */
const onFriday = async () =>
  (await desk.slots('svc_moved')).find(({ start }: { start: string }) => start.startsWith('2026-11-27'))

describe('what is refunded goes back through Stripe', () => {
  test('[PAY-060] when the buyer cancels in time: all of it', async () => {
    const { session, ...booking } = await bookedAndPaid('svc_paid')
    const canceled = (await desk.cancel(booking.id)).data.booking
    expect(canceled).toMatchObject({ cancellation: { refund_amount: 8250 }, payment: { status: 'refunded' } })
    expect(refundsOf(session)).toEqual([])
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([8250])
  })

  test('[PAY-061] when the buyer cancels late, on the page: all but the fee', async () => {
    const { booking, page, now, refundsOf, aMinuteLater } = await late()
    const url = linkIn((await page.open(booking.booking_url)).body, 'cancel') ?? ''
    await page.send(url, { terms: '2000 6250' })
    await aMinuteLater()
    expect(await now(booking)).toMatchObject({ payment: { status: 'partially_refunded' } })
    expect(refundsOf(booking.session)).toEqual([6250])
  })

  test('[PAY-063] when the staff cancel: all of it, even late', async () => {
    const { booking, desk, shop, refundsOf, aMinuteLater } = await late()
    await desk.call('usp_business_bookings_cancel', { booking_id: booking.id, reason: 'Ill' }, { as: shop.staff })
    await aMinuteLater()
    expect(refundsOf(booking.session)).toEqual([8250])
  })

  test('[PAY-082] when the staff give some back, and then the rest', async () => {
    const { session, ...booking } = await bookedAndPaid('svc_paid')
    const give = (more: object) =>
      desk.call('usp_business_bookings_refund', { booking_id: booking.id, ...more }, { as: shop.staff })
    await give({ amount: 1000 })
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([1000])
    await give({})
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([1000, 7250])
    expect(await now(booking)).toMatchObject({ status: 'confirmed', payment: { status: 'refunded' } })
  })

  test('of what came in through it, and not what a platform collected', async () => {
    const booking = await booked('svc_paid')
    await desk.pay(booking)
    const before = stripe.refunds.length
    expect((await desk.cancel(booking.id)).data.booking).toMatchObject({ payment: { status: 'refunded' } })
    await aMinuteLater()
    expect(stripe.refunds.length).toBe(before)
  })
})

describe('a refund', () => {
  test.each(['down', 'deaf'] as const)(
    'is given once though Stripe was %s',
    async (mood) => {
      const { session, ...booking } = await bookedAndPaid('svc_paid')
      await desk.cancel(booking.id)
      stripe.mood = mood
      await aMinuteLater()
      expect(await refundOf(session)).toMatchObject({ status: 'waiting', attempts: 1 })
      stripe.mood = 'well'
      // Not at once, but soon.
      await aMinuteLater()
      shop.minutesLater(2)
      await aMinuteLater()
      expect(await refundOf(session)).toMatchObject({ status: 'given', attempts: 2 })
      shop.minutesLater(60)
      await aMinuteLater()
      expect(refundsOf(session)).toEqual([8250])
    },
    40_000,
  )

  test('is given once though the process died before it could write that down', async () => {
    const { session, ...booking } = await bookedAndPaid('svc_paid')
    await desk.cancel(booking.id)
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([8250])
    const { db } = shop.runtime
    // As a process that ended in between leaves it; Stripe has forgotten the key since.
    await db
      .updateTable('refunds')
      .set({ status: 'waiting', answer: null })
      .where('payment_id', 'in', (query) =>
        query.selectFrom('payments').select('id').where('reference', '=', session.payment_intent),
      )
      .execute()
    stripe.forget()
    shop.minutesLater(3)
    await aMinuteLater()
    expect(await refundOf(session)).toMatchObject({ status: 'given', attempts: 2 })
    expect(refundsOf(session)).toEqual([8250])
  })

  test('that the staff have already made in Stripe is given', async () => {
    const { session, ...booking } = await bookedAndPaid('svc_paid')
    stripe.refunds.push({ ...refund, payment_intent: session.payment_intent, amount: 8250 })
    await desk.cancel(booking.id)
    await aMinuteLater()
    expect(await refundOf(session)).toMatchObject({ status: 'given', answer: session.payment_intent, attempts: 1 })
    expect(refundsOf(session)).toEqual([8250])
  })

  test('that Stripe refuses is left to people, and they are told', async () => {
    const { session, ...booking } = await bookedAndPaid('svc_paid')
    stripe.refunds.push({ ...refund, payment_intent: session.payment_intent, amount: 250 })
    await desk.cancel(booking.id)
    await aMinuteLater()
    expect(await refundOf(session)).toMatchObject({
      status: 'refused',
      answer: expect.stringContaining('amount_too_large'),
    })
    const lines = shop.logged.filter((line) => line.includes('return it by hand'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(booking.id)
    shop.minutesLater(60)
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([250])
  })

  test.each(['failed', 'canceled'] as const)('that has %s at Stripe is left to people', async (end) => {
    const { session, ...booking } = await bookedAndPaid('svc_paid')
    stripe.refundsEnd = end
    await desk.cancel(booking.id)
    await aMinuteLater()
    stripe.refundsEnd = 'succeeded'
    expect(await refundOf(session)).toMatchObject({ status: 'refused', answer: expect.stringContaining(end) })
  })

  test.each(['failed', 'canceled'] as const)(
    '[a refund that did not arrive] and that is %s days later is left to people, who are told once',
    async (status) => {
      const { session, ...booking } = await bookedAndPaid('svc_paid')
      await desk.cancel(booking.id)
      await aMinuteLater()
      const given = stripe.refunds.find(({ payment_intent }) => payment_intent === session.payment_intent)
      const told = { ...given, status, failure_reason: 'lost_or_stolen_card' }
      for (const metadata of [{}, { refund: 'rfd_other' }, { refund: 7 }])
        expect((await stripe.notify(shop, 'refund.failed', { ...told, metadata })).status).toBe(200)
      await stripe.notify(shop, 'refund.updated', { ...told, status: 'succeeded' })
      expect(await refundOf(session)).toMatchObject({ status: 'given' })
      for (const type of ['refund.failed', 'refund.updated'])
        expect((await stripe.notify(shop, type, told)).status).toBe(200)
      const answer = `the refund is ${status}: lost_or_stolen_card`
      expect(await refundOf(session)).toMatchObject({ status: 'refused', answer })
      const mine = shop.logged.filter((line) => line.includes('did not arrive') && line.includes(booking.id))
      expect(mine).toHaveLength(1)
      shop.minutesLater(60)
      await aMinuteLater()
      expect(refundsOf(session)).toEqual([8250])
    },
  )

  test('is never more than came in', async () => {
    const { session, ...booking } = await bookedAndPaid('svc_paid')
    const { db } = shop.runtime
    await expect(
      db.updateTable('payments').set({ returned: 8251 }).where('reference', '=', session.payment_intent).execute(),
    ).rejects.toThrow('payments_return_what_came')
    await desk.cancel(booking.id)
    await desk.cancel(booking.id)
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([8250])
  })

  test('is shared by payments that were made one after the other, the latest first', async () => {
    const first = await bookedAndPaid('svc_moved')
    const moved = (await desk.reschedule(first.id, await onFriday())).data.booking
    expect(moved).toMatchObject({ status: 'requires_action', payment: { amount_due: 8250 } })
    await aMinuteLater()
    const second = await checkout({ page: first.page })
    await pay(second)
    expect(await now(first)).toMatchObject({ status: 'confirmed', payment: { amount: 15_000 } })
    await desk.call('usp_business_bookings_refund', { booking_id: first.id, amount: 9000 }, { as: shop.staff })
    await aMinuteLater()
    expect([refundsOf(second), refundsOf(first.session)]).toEqual([[8250], [750]])
  })

  test('[PAY-073] goes back when a booking moves to a cheaper time', async () => {
    const booking = await bookedAndPaid('svc_moved', {}, await onFriday())
    const cheaper = (await desk.slots('svc_moved')).at(-1)
    await desk.reschedule(booking.id, cheaper)
    await aMinuteLater()
    expect(refundsOf(booking.session)).toEqual([8250])
    await desk.cancel(booking.id)
    await aMinuteLater()
    expect(refundsOf(booking.session)).toEqual([8250, 8250])
  })

  test('[PAY-074] goes back when the extra payment of a move is not made in time, though nobody looks', async () => {
    const booking = await bookedAndPaid('svc_moved')
    await desk.reschedule(booking.id, await onFriday())
    shop.minutesLater(16)
    await aMinuteLater()
    await aMinuteLater()
    expect(refundsOf(booking.session)).toEqual([8250])
    expect(await now(booking)).toMatchObject({ status: 'canceled', cancellation: { canceled_by: 'system' } })
  })
})

const refund = { id: 're_by_hand', object: 'refund', status: 'succeeded', metadata: {} } as const
