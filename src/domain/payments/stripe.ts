import Stripe from 'stripe'
import type { StripeAccount } from '../../infra/config/stripe-account.ts'
import type { Language } from '../../infra/i18n/languages.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { type CheckoutRequest, ForgedNotice, type Provider, ProviderError } from './provider.ts'
import { toStripe } from './stripe-amount.ts'
import { failureOf, hasFailed, readFailedRefund } from './stripe-refund.ts'
import { expectSession, readSession } from './stripe-session.ts'

const TIMEOUT = 10_000
const RETRIES = 2
/** For what nobody waits for: it is tried again from the table that it lies in, and keeps no place until then. */
const ONCE = { maxNetworkRetries: 0 }
/** Says when a session was paid. */
const WITH_CHARGE = { expand: ['payment_intent.latest_charge'] }

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
    httpClient: Stripe.createFetchHttpClient(boundedFetch),
  })
  return {
    open: (wish) =>
      callStripe(async () =>
        expectSession(await api.checkout.sessions.create(sessionFor(wish), { idempotencyKey: wish.id })),
      ),
    read: (reference) =>
      callStripe(async () => expectSession(await api.checkout.sessions.retrieve(reference, WITH_CHARGE))),
    close: (reference) =>
      callStripe(async () => {
        try {
          return expectSession(await api.checkout.sessions.expire(reference, {}, ONCE))
        } catch (error) {
          // It has ended before, one way or the other.
          if (error instanceof Stripe.errors.StripeInvalidRequestError)
            return expectSession(await api.checkout.sessions.retrieve(reference, WITH_CHARGE, ONCE))
          throw error
        }
      }),
    notified(body, signature, now) {
      const event: Partial<Stripe.Event> | null = verified(() =>
        api.webhooks.constructEvent(body, signature, webhookSecret, undefined, undefined, now.getTime()),
      )
      const told = event?.data?.object
      const session = readSession(told, event?.created)
      if (!session) return readFailedRefund(told)
      return session.id === undefined ? undefined : { id: session.id, checkout: session }
    },
    refund: ({ id, receipt, bookingId, amount, currency, again }) =>
      callStripe(async () => {
        const given = again ? await earlierRefund(api, receipt, id) : undefined
        const refund =
          given ??
          (await api.refunds.create(
            {
              payment_intent: receipt,
              amount: toStripe(amount, currency),
              metadata: { refund: id, booking: bookingId },
            },
            { idempotencyKey: id, ...ONCE },
          ))
        if (hasFailed(refund)) throw new ProviderError(failureOf(refund), { isFinal: true })
        return refund.id
      }),
  }
}

/** Its page then speaks what the browser asks for. */
const NOT_SPOKEN: readonly Language[] = ['ar']

/** Cards alone: nothing else is sure to be paid, or not, before the booking is given up. */
const sessionFor = ({
  id,
  bookingId,
  currency,
  items,
  ...wish
}: CheckoutRequest): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  submit_type: 'book',
  allowed_payment_method_types: ['card'],
  adaptive_pricing: { enabled: false },
  client_reference_id: id,
  metadata: { booking: bookingId },
  payment_intent_data: { description: wish.description, metadata: { booking: bookingId, checkout: id } },
  locale: NOT_SPOKEN.includes(wish.language) ? 'auto' : wish.language,
  line_items: items.map((item) => ({
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

/** Stripe forgets the ids under which it was asked after a day; its own list of refunds stays. */
async function earlierRefund(api: Stripe, receipt: string, id: string): Promise<Stripe.Refund | undefined> {
  for await (const refund of api.refunds.list({ payment_intent: receipt, limit: 100 }, ONCE))
    if (refund.metadata?.refund === id) return refund
  return undefined
}

async function callStripe<T>(ask: () => Promise<T>): Promise<T> {
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
