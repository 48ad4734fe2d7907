import Stripe from 'stripe'
import type { StripeAccount } from '../config.ts'
import { type Checkout, type CheckoutWish, ForgedNotice, type Provider, ProviderError } from './provider.ts'
import { fromStripe, toStripe } from './stripe-amount.ts'

const TIMEOUT = 10_000
const RETRIES = 2

/** Payments by card on Stripe's page. */
export function stripe({ secretKey, webhookSecret, apiBase }: StripeAccount): Provider {
  const { protocol, hostname, port } = new URL(apiBase)
  const api = new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port }),
    timeout: TIMEOUT,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  })
  return {
    open: (wish) =>
      asked(async () => told(await api.checkout.sessions.create(sessionFor(wish), { idempotencyKey: wish.id }))),
    read: (reference) => asked(async () => told(await api.checkout.sessions.retrieve(reference))),
    close: (reference) =>
      asked(async () => {
        try {
          return told(await api.checkout.sessions.expire(reference))
        } catch (error) {
          // It has ended before, one way or the other.
          if (error instanceof Stripe.errors.StripeInvalidRequestError)
            return told(await api.checkout.sessions.retrieve(reference))
          throw error
        }
      }),
    notified(body, signature, now) {
      const event = verified(() =>
        api.webhooks.constructEvent(body, signature, webhookSecret, undefined, undefined, now.getTime()),
      )
      if (!('data' in event) || event.data.object.object !== 'checkout.session') return undefined
      const session = event.data.object
      const id = session.client_reference_id
      return id === null ? undefined : { id, checkout: told(session) }
    },
    refund: ({ id, receipt, bookingId, amount, currency, again }) =>
      asked(async () => {
        const given = again ? await earlierRefund(api, receipt, id) : undefined
        const refund =
          given ??
          (await api.refunds.create(
            {
              payment_intent: receipt,
              amount: toStripe(amount, currency),
              metadata: { refund: id, booking: bookingId },
            },
            { idempotencyKey: id },
          ))
        if (refund.status === 'failed' || refund.status === 'canceled')
          throw new ProviderError(`the refund is ${refund.status}: ${refund.failure_reason}`, { isFinal: true })
        return refund.id
      }),
  }
}

/** Cards alone: nothing else is sure to be paid, or not, before the booking is given up. */
const sessionFor = ({
  id,
  bookingId,
  currency,
  items,
  tax,
  ...wish
}: CheckoutWish): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  submit_type: 'book',
  allowed_payment_method_types: ['card'],
  adaptive_pricing: { enabled: false },
  client_reference_id: id,
  metadata: { booking: bookingId },
  payment_intent_data: { description: wish.description, metadata: { booking: bookingId, checkout: id } },
  line_items: [...items, ...(tax > 0 ? [{ label: 'Tax', amount: tax, quantity: 1 }] : [])].map((item) => ({
    quantity: item.quantity,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: toStripe(item.amount, currency),
      product_data: { name: item.label },
    },
  })),
  expires_at: Math.floor(wish.expiresAt.getTime() / 1000),
  success_url: wish.done,
  cancel_url: wish.back,
})

function told({
  id,
  status,
  payment_status,
  payment_intent,
  amount_total,
  currency,
  url,
}: Stripe.Checkout.Session): Checkout {
  const isPaid = status === 'complete' && payment_status === 'paid'
  const code = (currency ?? '').toUpperCase()
  return {
    reference: id,
    status: isPaid ? 'paid' : status === 'expired' ? 'closed' : 'open',
    url: status === 'open' ? (url ?? undefined) : undefined,
    payment: isPaid
      ? {
          reference: typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? id),
          amount: fromStripe(amount_total ?? 0, code),
          currency: code,
        }
      : undefined,
  }
}

/** Stripe forgets the ids under which it was asked after a day; its own list of refunds stays. */
async function earlierRefund(api: Stripe, receipt: string, id: string): Promise<Stripe.Refund | undefined> {
  for await (const refund of api.refunds.list({ payment_intent: receipt, limit: 100 }))
    if (refund.metadata?.refund === id) return refund
  return undefined
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const isFinal =
      error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError
    throw new ProviderError(`Stripe: ${error.code ?? error.type}, ${error.message}`, { isFinal })
  }
}

function verified<T>(construct: () => T): T {
  try {
    return construct()
  } catch {
    throw new ForgedNotice()
  }
}
