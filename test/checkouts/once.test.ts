import { describe, expect, test } from 'vitest'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { paidShop } from '../payments/shop.ts'

const { shop, desk, stripe, page, booked, now, checkout, pay, bookedAndPaid, refundsOf, aMinuteLater } = await paidShop(
  { collects: true },
)
const PAID = 'checkout.session.completed'

async function changesOf({ id }: { id: string }): Promise<string[]> {
  const rows = await shop.runtime.db
    .selectFrom('changes')
    .select('action')
    .where('subject', '=', `booking ${id}`)
    .orderBy('number')
    .execute()
  return rows.map(({ action }) => action)
}

async function eventsOf({ id }: { id: string }): Promise<string[]> {
  const rows = await shop.runtime.db
    .selectFrom('events')
    .select('type')
    .where('subject', '=', `booking ${id}`)
    .orderBy('number')
    .execute()
  return rows.map(({ type }) => type)
}

test('[PAY-050] told by Stripe, by the platform and by the browser at once, a payment completes once', async () => {
  for (let round = 0; round < 10; round++) {
    const booking = await booked('svc_paid')
    const session = stripe.pay(await checkout(booking))
    const [notified, confirmed, returned] = await Promise.all([
      stripe.notify(shop, PAID, session),
      desk.pay(booking, { transaction_id: 'txn_platform' }),
      page.open(session.success_url),
    ])
    expect([notified.status, confirmed.status, returned.status]).toEqual([200, 200, 200])
    const { status, payment } = await now(booking)
    expect(status).toBe('confirmed')
    expect((await changesOf(booking)).filter((action) => action === 'complete_payment')).toHaveLength(1)
    await aMinuteLater()
    // Who was later has paid a second time: what came in through Stripe goes back then, and only then.
    const byStripe = payment.transaction_id === session.payment_intent
    expect(refundsOf(session)).toEqual(byStripe ? [] : [8250])
    expect(confirmed.code).toBe(byStripe ? 'already_confirmed' : undefined)
  }
})

describe('a payment that is not due any more goes back', () => {
  test.each<[string, (booking: { id: string }) => Promise<unknown>]>([
    ['the booking was canceled', ({ id }) => desk.cancel(id)],
    [
      'its time and the grace had passed',
      async () => {
        shop.minutesLater(16)
        await expireOverdue(shop.runtime, shop.time.now)
        shop.minutesLater(6)
      },
    ],
    ['the platform had reported another', (booking) => desk.pay(booking)],
  ])('since %s, once', async (_, meanwhile) => {
    const booking = await booked('svc_paid')
    const session = await checkout(booking)
    await meanwhile(booking)
    const before = await now(booking)
    await pay(session)
    expect((await stripe.notify(shop, PAID, session)).status).toBe(200)
    const after = await now(booking)
    expect(after).toMatchObject({ status: before.status, payment: before.payment })
    expect(await changesOf(booking)).toContain('return_payment')
    await aMinuteLater()
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([8250])
  })

  test('but not when the platform has reported this very payment', async () => {
    const booking = await booked('svc_paid')
    const session = stripe.pay(await checkout(booking))
    await desk.pay(booking, { transaction_id: session.payment_intent })
    await stripe.notify(shop, PAID, session)
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([])
    // It is known to be Stripe's: from there it goes back.
    await desk.cancel(booking.id)
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([8250])
  })

  test.each([
    ['less than is due', { amount_total: 8249 }],
    ['so much of another currency', { currency: 'eur' }],
    ['more, of another currency', { amount_total: 9000, currency: 'eur' }],
  ])('of %s: it pays nothing', async (_, told) => {
    const booking = await booked('svc_paid')
    const session = await checkout(booking)
    Object.assign(session, told)
    await pay(session)
    expect(await now(booking)).toMatchObject({ status: 'requires_action', revision: booking.revision })
    expect(await changesOf(booking)).toContain('return_payment')
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([session.amount_total])
    await desk.cancel(booking.id)
  })
})

describe('[more than is due] pays what is due, and what is too much goes back', () => {
  const overpaid = async (total: number) => {
    const booking = await booked('svc_paid')
    const session = await checkout(booking)
    session.amount_total = total
    await pay(session)
    return { booking, session }
  }

  test('once, however often it is told', async () => {
    const { booking, session } = await overpaid(9000)
    await stripe.notify(shop, PAID, session)
    const after = await now(booking)
    expect(after).toMatchObject({
      status: 'confirmed',
      payment: {
        status: 'partially_refunded',
        amount: 7500,
        tax_amount: 750,
        amount_due: 0,
        amount_paid: 9000,
        refund_amount: 750,
        refund_total: 750,
        transactions: [{ amount: 9000, refund_total: 750 }],
      },
    })
    expect(after.messages).toContainEqual(expect.objectContaining({ code: 'refund_issued' }))
    expect(await eventsOf(booking)).toEqual(['booking.confirmed', 'booking.refund_issued'])
    for (const _ of [1, 2]) await aMinuteLater()
    expect(refundsOf(session)).toEqual([750])
    // What was paid for it, and no more, goes back when it is canceled.
    expect((await desk.cancel(booking.id)).data.booking).toMatchObject({
      cancellation: { refund_amount: 8250 },
      payment: { status: 'refunded', refund_total: 9000 },
    })
    for (const _ of [1, 2]) await aMinuteLater()
    expect(refundsOf(session)).toEqual([750, 8250])
  })

  test('the least that is too much as well', async () => {
    const { booking, session } = await overpaid(8251)
    expect(await now(booking)).toMatchObject({ status: 'confirmed', payment: { refund_total: 1 } })
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([1])
  })

  test('all of it, where the time was lost in the same moment', async () => {
    const booking = await booked('svc_paid')
    const session = await checkout(booking)
    session.amount_total = 9000
    // As by another server, whose clock is ahead.
    await shop.runtime.db.deleteFrom('claims').where('holder_id', '=', booking.id).execute()
    await pay(session)
    expect(await now(booking)).toMatchObject({ status: 'canceled', payment: { refund_total: 9000 } })
    for (const _ of [1, 2]) await aMinuteLater()
    expect(refundsOf(session)).toEqual([9000])
  })

  test('exactly what is due gives nothing back', async () => {
    const { booking, session } = await overpaid(8250)
    expect(await now(booking)).toMatchObject({ status: 'confirmed', payment: { status: 'paid' } })
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([])
  })
})

test('told once more, a payment does not pay for what became due later', async () => {
  const { session, ...booking } = await bookedAndPaid('svc_moved')
  const friday = (await desk.slots('svc_moved')).find(({ start }: { start: string }) => start.startsWith('2026-11-27'))
  const moved = (await desk.reschedule(booking.id, friday)).data.booking
  expect(moved).toMatchObject({ status: 'requires_action', payment: { amount_due: session.amount_total } })
  await stripe.notify(shop, PAID, session)
  expect(await now(booking)).toMatchObject({ status: 'requires_action', revision: moved.revision })
  await desk.cancel(booking.id)
})

describe('a checkout that nobody needs any more', () => {
  test.each<[string, (booking: { id: string }) => Promise<unknown>]>([
    ['the booking was canceled', ({ id }) => desk.cancel(id)],
    ['its time has passed', async () => shop.minutesLater(15)],
    ['it was paid another way', (booking) => desk.pay(booking)],
  ])('is closed since %s', async (_, meanwhile) => {
    const booking = await booked('svc_paid')
    const session = await checkout(booking)
    await aMinuteLater()
    expect(session.status).toBe('open')
    await meanwhile(booking)
    await aMinuteLater()
    expect(session.status).toBe('expired')
    const before = stripe.asked.length
    shop.minutesLater(6)
    await aMinuteLater()
    expect(stripe.asked.length).toBe(before)
  })

  test('is closed later when Stripe does not answer now', async () => {
    const booking = await booked('svc_paid')
    const session = await checkout(booking)
    await desk.cancel(booking.id)
    stripe.mood = 'down'
    await aMinuteLater()
    stripe.mood = 'well'
    shop.minutesLater(2)
    await aMinuteLater()
    expect(session.status).toBe('open')
    shop.minutesLater(2)
    await aMinuteLater()
    expect(session.status).toBe('expired')
  })

  test('tells of a payment in time whose notification was lost', async () => {
    const booking = await booked('svc_paid')
    const session = stripe.pay(await checkout(booking))
    shop.minutesLater(16)
    await aMinuteLater()
    await aMinuteLater()
    expect(await now(booking)).toMatchObject({ status: 'confirmed' })
    expect(refundsOf(session)).toEqual([])
  })
})

test('[PAY-049] a payment racing the end of its time ends in one or the other', async () => {
  for (let round = 0; round < 6; round++) {
    const booking = await booked('svc_paid')
    const session = stripe.pay(await checkout(booking))
    shop.time.now = new Date(new Date(booking.expires_at).getTime() - 1)
    const told = stripe.notify(shop, PAID, session)
    if (round % 2 === 0) shop.minutesLater(1)
    await told
    const { status } = await now(booking)
    await aMinuteLater()
    await aMinuteLater()
    expect([status, refundsOf(session)]).toEqual(status === 'confirmed' ? ['confirmed', []] : ['canceled', [8250]])
    await desk.cancel(booking.id)
  }
})

test('a booking that was paid on the page is as any paid booking', async () => {
  const { session, ...booking } = await bookedAndPaid('svc_paid')
  expect(booking).toMatchObject({ status: 'confirmed', payment: { status: 'paid', amount: 7500, tax_amount: 750 } })
  expect(session.status).toBe('complete')
})
