import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { afterRefund } from '../../src/domain/bookings/report-finished-refund.ts'
import { refundAllDue } from '../../src/domain/payments/refund-worker.ts'
import { reconcileCharges } from '../../src/domain/ucp-checkouts/reconcile-charges.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { restDesk, type Slot } from '../support/desk.ts'
import { type GrantedToken, type Intent, type StripeStandIn, stripeStandIn } from '../support/stripe.ts'
import {
  free,
  paid,
  spot,
  type UcpAnswer,
  type UcpShop,
  type UcpShopOptions,
  ucpDefinition,
  ucpShop,
} from './ucp-shop.ts'

export interface TokenShop extends UcpShop {
  stripe: StripeStandIn
  pay(id: string, token: Pick<GrantedToken, 'id'>, key?: string): Promise<UcpAnswer>
  charges(checkout: string): Promise<{ id: string; status: string; reference: string | null; order_id: string }[]>
  /** The money that Stripe took and did not give back. */
  kept(): number
  /** Settles what a dead process or a silent provider left open. */
  reconcile(): Promise<void>
  /** Stripe tells the server of a payment. */
  tell(intent: Intent | undefined, type?: string): Promise<UcpAnswer>
  /** No charge is without its booking, and no paid booking without its charge. */
  expectSound(): Promise<void>
  lastSlot(service?: string): Promise<Slot>
}

const ids = { STRIPE_NETWORK_ID: 'profile_swordfish', STRIPE_ACCOUNT_ID: 'acct_swordfish' }

export const instrument = (token: string) => ({
  payment: {
    instruments: [
      {
        id: 'instr_1',
        handler_id: 'stripe_payments',
        type: 'card',
        selected: true,
        credential: { type: 'stripe_payment_token', token },
      },
    ],
  },
})

/** The staff mark each charge in the inbox as returned by hand. */
export async function returnAllByHand(shop: TokenShop) {
  const desk = restDesk(shop)
  const as = { as: shop.staff }
  const { charges } = (await desk.call('usp_business_inbox_unreturned_charges', {}, as)).data
  for (const { id } of charges)
    expect((await desk.call('usp_business_inbox_mark_returned', { charge_id: id }, as)).status).toBe(200)
}

/** A UCP business that takes payment tokens, and its Stripe. */
export async function tokenShop(
  definition: BusinessDefinition = ucpDefinition([free, spot, paid], { payments: { provider: 'stripe' } }),
  options: UcpShopOptions = {},
): Promise<TokenShop> {
  const stripe = await stripeStandIn()
  const shop = await ucpShop(definition, { ...options, env: { ...stripe.env, ...ids } })
  stripe.now = () => shop.time.now.getTime() / 1000
  const { runtime } = shop
  return {
    ...shop,
    stripe,
    pay: (id, token, key = randomUUID()) => shop.complete(id, instrument(token.id), key),
    charges: (checkout) =>
      runtime.db
        .selectFrom('ucp_charges')
        .select(['id', 'status', 'reference', 'order_id'])
        .where('checkout_id', '=', checkout)
        .orderBy('created_at')
        .execute(),
    kept: () =>
      stripe.intents.reduce((sum, { amount_received }) => sum + amount_received, 0) -
      stripe.refunds.reduce((sum, { amount }) => sum + amount, 0),
    async reconcile() {
      shop.minutesLater(2)
      await runtime.db.updateTable('ucp_charges').set({ leased_until: null }).execute()
      await reconcileCharges(runtime)
      await refundAllDue(runtime, afterRefund(runtime))
    },
    tell: async (intent, type = 'payment_intent.succeeded') => {
      if (!intent) throw new Error('There is no PaymentIntent')
      return stripe.notify(shop, type, intent)
    },
    async expectSound() {
      expect((await verify(runtime.db, shop.time.now)).findings.listed).toEqual([])
    },
    lastSlot: async (service = 'svc_paid') => (await shop.slotsOf(service)).at(-1),
  }
}
