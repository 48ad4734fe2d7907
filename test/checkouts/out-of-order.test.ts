import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { paymentsOf } from '../../src/domain/payments/queries.ts'
import { paidShop } from '../payments/shop.ts'
import { random } from '../race/random.ts'
import type { Session } from '../support/stripe.ts'

const { shop, desk, stripe, page, booked, refundsOf, aMinuteLater } = await paidShop({ collects: true })
const { db } = shop.runtime
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

/** All that Stripe could send of a session, in no order: as it was once, and what is told of its charge besides. */
const notices: [type: string, object: (session: Session) => object][] = [
  ['checkout.session.completed', (session) => session],
  ['checkout.session.async_payment_succeeded', (session) => session],
  ['checkout.session.expired', (session) => ({ ...session, status: 'expired', payment_status: 'unpaid', url: null })],
  ['checkout.session.completed', (session) => ({ ...session, status: 'complete', payment_status: 'unpaid' })],
  ['charge.refunded', ({ payment_intent, amount_total }) => ({ object: 'charge', payment_intent, amount_total })],
  ['refund.updated', ({ payment_intent }) => ({ object: 'refund', id: 're_other', payment_intent, status: 'failed' })],
  ['charge.dispute.created', ({ payment_intent }) => ({ object: 'dispute', payment_intent, status: 'lost' })],
]

test.each(Array.from({ length: 6 }, (_, seed) => seed))(
  '[no money is lost or given twice] whatever Stripe tells late, twice, too early or in reverse (%i)',
  async (seed) => {
    const { pick, percent } = random(seed)
    const booking = await booked('svc_paid')
    const sessions: Session[] = []
    const open = async () => {
      const { headers } = await page.send(booking.page)
      const session = stripe.sessions.find(({ url }) => url !== null && url === headers.location)
      if (session && !sessions.includes(session)) sessions.push(session)
    }
    const asStaff = (tool: string, more = {}) =>
      desk.call(`usp_business_bookings_${tool}`, { booking_id: booking.id, ...more }, { as: shop.staff })
    const acts: (() => Promise<unknown>)[] = [
      open,
      async () => sessions.filter(({ status }) => status === 'open').map(stripe.pay),
      ...Array.from({ length: 4 }, () => async () => {
        const [type, object] = pick(notices) ?? ['', () => ({})]
        const session = pick(sessions)
        if (session) expect((await stripe.notify(shop, type, object({ ...session }))).status).toBe(200)
      }),
      async () => page.open(sessions[0]?.success_url ?? booking.page),
      aMinuteLater,
      () => asStaff('refund', { amount: 1_000 }),
      () => asStaff('dispute_open', { reason: 'duplicate' }),
      () => asStaff('dispute_resolve', { in_favor_of: pick(['buyer', 'business']) }),
      () => asStaff('mark_paid'),
      () => desk.pay(booking, { transaction_id: sessions[0]?.payment_intent ?? 'txn_other' }),
      async () => percent(30) && desk.cancel(booking.id),
      async () => percent(10) && shop.minutesLater(16),
    ]
    await open()
    for (let step = 0; step < 20; step++) await pick(acts)?.()
    // In the end it tells of each payment, as it does for three days until it was heard.
    for (const session of sessions.filter((one) => one.payment_status === 'paid'))
      await stripe.notify(shop, 'checkout.session.completed', session)
    for (let minute = 0; minute < 3; minute++) await aMinuteLater()

    const payments = await paymentsOf(db, booking.id)
    const refunds = payments.flatMap((one) => one.refunds.map(({ status }) => `${one.source} ${status}`))
    expect(refunds.filter((one) => !['provider given', 'staff elsewhere', 'platform elsewhere'].includes(one))).toEqual(
      [],
    )
    const kept = (of: typeof payments) =>
      sum(of.map((one) => one.amount - sum(one.refunds.map(({ amount }) => amount))))
    const atStripe = sum(
      sessions.map((one) => (one.payment_status === 'paid' ? one.amount_total : 0) - sum(refundsOf(one))),
    )
    expect(kept(payments.filter(({ source }) => source === 'provider'))).toBe(atStripe)
    const { payment } = (await desk.get(booking.id)).data.booking
    expect((payment.amount_paid ?? 0) - (payment.refund_total ?? 0)).toBe(kept(payments))
    expect(kept(payments)).toBeLessThanOrEqual(8_250)
    expect((await verify(db, shop.time.now)).findings).toEqual({ listed: [], count: 0 })
  },
)
