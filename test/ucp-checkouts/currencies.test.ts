import { expect, test } from 'vitest'
import { restDesk } from '../support/desk.ts'
import { codes, onBothUcpBindings } from './both-bindings.ts'
import { instrument, tokenShop } from './paid-shop.ts'
import { paid, ucpDefinition } from './ucp-shop.ts'

/** A price in minor units by ISO 4217, and the amount that Stripe documents for it. */
const prices = [
  ['JPY', 5_000, 5_000],
  ['KWD', 12_340, 12_340],
  // No decimals by ISO 4217, two by Stripe.
  ['ISK', 5_000, 500_000],
  ['UGX', 80_000, 8_000_000],
  // The other way round.
  ['MGA', 500_000, 5_000],
] as const

const priced = (id: string, currency: string, amount: number) => ({
  ...paid,
  id,
  pricing: { model: 'fixed' as const, amount, currency },
})
const services = [
  ...prices.map(([currency, amount]) => priced(`svc_${currency}`, currency, amount)),
  priced('svc_odd', 'KWD', 12_345),
]

await onBothUcpBindings(
  (options) => tokenShop(ucpDefinition(services, { payments: { provider: 'stripe' } }), options),
  (platform, shop) => {
    const { stripe } = shop
    const completed = (id: string, currency: string, max_amount: number) =>
      platform.complete(id, instrument(stripe.grant({ currency: currency.toLowerCase(), max_amount }).id))
    const paymentsOf = (order: string) =>
      shop.runtime.db
        .selectFrom('payments')
        .select(['amount', 'currency', 'returned'])
        .where('order_reference', '=', order)
        .execute()
    const refundsOf = (intent: string | undefined) =>
      stripe.refunds.filter(({ payment_intent }) => payment_intent === intent).map(({ amount }) => amount)

    test.each(prices)('a charge and its refund in %s have the amount of Stripe', async (currency, ours, theirs) => {
      const body = await platform.create(await shop.lastSlot(`svc_${currency}`))
      expect([body.currency, body.totals.at(-1).amount]).toEqual([currency, ours])
      const done = await completed(body.id, currency, theirs)
      expect(done.status).toBe('completed')
      const intent = stripe.intents.at(-1)
      expect([intent?.currency, intent?.amount, intent?.amount_received]).toEqual([
        currency.toLowerCase(),
        theirs,
        theirs,
      ])
      expect(await paymentsOf(done.order.id)).toMatchObject([{ amount: String(ours), currency, returned: '0' }])
      await shop.expectSound()
      await restDesk(shop).cancel(done.booking.booking_id, {}, { as: shop.ucp })
      await shop.reconcile()
      expect(refundsOf(intent?.id)).toEqual([theirs])
      expect(await paymentsOf(done.order.id)).toMatchObject([{ returned: String(ours) }])
      await shop.expectSound()
    })

    test.each(prices)('[LIV-113] a charge in %s without a booking goes back', async (currency, _, theirs) => {
      const slot = await shop.lastSlot(`svc_${currency}`)
      const body = await platform.create(slot)
      // While Stripe takes the money, the platform releases the hold, and another checkout takes the slot.
      stripe.beforeAnswer = async ({ path }) => {
        if (!path.endsWith('/confirm')) return
        stripe.beforeAnswer = async () => {}
        await restDesk(shop).release(body.booking.hold_id, { as: shop.ucp })
        expect((await platform.create(slot)).id).toMatch(/^chk_/)
      }
      expect(codes(await completed(body.id, currency, theirs))).toEqual(['slot_unavailable'])
      expect((await shop.charges(body.id)).map(({ status }) => status)).toEqual(['reversed'])
      expect(refundsOf(stripe.intents.at(-1)?.id)).toEqual([theirs])
      await shop.expectSound()
    })

    test('[LIV-114] an amount that Stripe takes in no payment is refused, and nothing is charged', async () => {
      const body = await platform.create(await shop.lastSlot('svc_odd'))
      const refused = await completed(body.id, 'KWD', 12_345)
      expect([refused.status, codes(refused)]).toEqual(['ready_for_complete', ['payment_failed']])
      expect(refused.messages[0].content).toContain('Nothing was charged')
      expect((await shop.charges(body.id)).map(({ status }) => status)).toEqual(['failed'])
      await shop.expectSound()
    })
  },
)
