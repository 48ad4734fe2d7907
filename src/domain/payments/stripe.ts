import Stripe from 'stripe'
import type { StripeAccount } from '../../infra/config/stripe-account.ts'
import type { Language } from '../../infra/i18n/languages.ts'
import {
  type ChargeRequest,
  type CheckoutRequest,
  ForgedNoticeError,
  type InstrumentType,
  type Provider,
  ProviderError,
} from './payment-provider.ts'
import { expectIntent, readIntent, TOKEN_API_VERSION } from './stripe-charge.ts'
import { expectSession, failureOf, hasFailed, readFailedRefund, readSession, toStripe } from './stripe-session.ts'

const TIMEOUT_MS = 10_000
/**
 * The version of Stripe's API that this server requests. In another version, Stripe's answers could have other
 * properties.
 */
const API_VERSION = '2026-10-28.endive'
const RETRIES = 2
/**
 * Options for calls from background work, which calls Stripe without retries. Its queue repeats failed work later, and
 * retries inside the call would block a worker meanwhile.
 */
const ONCE = { maxNetworkRetries: 0 }
/** Asks Stripe to include the charge in its response. Only the charge contains the time of the payment. */
const WITH_CHARGE = { expand: ['payment_intent.latest_charge'] }

export function stripe({ secretKey, webhookSecret, apiBase }: StripeAccount): Provider {
  const { protocol, hostname, port } = new URL(apiBase)
  const api = new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port }),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    apiVersion: API_VERSION,
    httpClient: Stripe.createFetchHttpClient(boundedFetch),
  })
  const ofTokens = { apiVersion: TOKEN_API_VERSION }
  const post = (path: string, params: object, idempotencyKey?: string): Promise<unknown> =>
    api.rawRequest(
      'POST',
      path,
      { ...params },
      { ...ofTokens, ...(idempotencyKey !== undefined && { idempotencyKey }) },
    )
  return {
    open: (request) =>
      callStripe(async () =>
        expectSession(await api.checkout.sessions.create(sessionFor(request), { idempotencyKey: request.id })),
      ),
    read: (reference) =>
      callStripe(async () => expectSession(await api.checkout.sessions.retrieve(reference, WITH_CHARGE))),
    close: (reference) =>
      callStripe(async () => {
        try {
          return expectSession(await api.checkout.sessions.expire(reference, {}, ONCE))
        } catch (error) {
          // Stripe refuses to close a payment page (session) that is already paid or expired. Therefore the server
          // reads the state of the page instead.
          if (error instanceof Stripe.errors.StripeInvalidRequestError)
            return expectSession(await api.checkout.sessions.retrieve(reference, WITH_CHARGE, ONCE))
          throw error
        }
      }),
    readNotification(body, signature, now) {
      const event: Partial<Stripe.Event> | null = verified(() =>
        api.webhooks.constructEvent(body, signature, webhookSecret, undefined, undefined, now.getTime()),
      )
      const object = event?.data?.object
      const intent = readIntent(object)
      if (intent) return { chargeId: intent.id, charge: intent }
      const session = readSession(object, event?.created)
      if (!session) return readFailedRefund(object)
      return session.id === undefined ? undefined : { id: session.id, checkout: session }
    },
    prepareCharge: (wish) =>
      callStripe(async () => expectIntent(await post('/v1/payment_intents', intentFor(wish), wish.id)).reference),
    confirmCharge: ({ id, reference, token, returnUrl }) =>
      callStripe(async () => {
        const params = { payment_method_data: { shared_payment_granted_token: token }, return_url: returnUrl }
        return expectIntent(await post(`/v1/payment_intents/${reference}/confirm`, params, `${id}_confirm`))
      }),
    readCharge: (reference) =>
      callStripe(async () =>
        expectIntent(await api.rawRequest('GET', `/v1/payment_intents/${reference}`, {}, ofTokens)),
      ),
    cancelCharge: (reference) =>
      callStripe(async () => {
        const path = `/v1/payment_intents/${reference}`
        try {
          return expectIntent(await post(`${path}/cancel`, {}))
        } catch (error) {
          // Stripe refuses to cancel a charge that is already paid or canceled. Therefore the server reads the state of
          // the charge instead.
          if (error instanceof Stripe.errors.StripeInvalidRequestError)
            return expectIntent(await api.rawRequest('GET', path, {}, ofTokens))
          throw error
        }
      }),
    refund: ({ id, receipt, bookingId, amount, currency, isRetry }) =>
      callStripe(async () => {
        const earlier = isRetry ? await earlierRefund(api, receipt, id) : undefined
        const params = {
          payment_intent: receipt,
          amount: toStripe(amount, currency),
          metadata: { refund: id, booking: bookingId },
        }
        try {
          const refund = earlier ?? (await api.refunds.create(params, { idempotencyKey: id, ...ONCE }))
          if (hasFailed(refund)) throw new ProviderError(failureOf(refund), { isFinal: true })
          return refund.id
        } catch (error) {
          // The staff have already refunded the whole payment in Stripe, so the buyer has the money.
          if (isAlreadyRefunded(error)) return receipt
          throw error
        }
      }),
  }
}

/**
 * The languages that Stripe's payment page does not support. For buyers with one of these languages, the page uses the
 * language of the browser.
 */
const UNSUPPORTED_LANGUAGES: readonly Language[] = ['ar']

/**
 * Builds the request for a new payment page (Stripe: session). The page accepts only cards, because the results of
 * other ways to pay may arrive after the booking has expired.
 */
const sessionFor = ({
  id,
  bookingId,
  currency,
  items,
  ...request
}: CheckoutRequest): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  submit_type: 'book',
  allowed_payment_method_types: ['card'],
  adaptive_pricing: { enabled: false },
  client_reference_id: id,
  metadata: { booking: bookingId },
  payment_intent_data: { description: request.description, metadata: { booking: bookingId, checkout: id } },
  locale: UNSUPPORTED_LANGUAGES.includes(request.language) ? 'auto' : request.language,
  line_items: items.map((item) => ({
    quantity: item.quantity,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: toStripe(item.amount, currency),
      product_data: { name: item.label },
    },
  })),
  expires_at: Math.floor(request.expiresAt.getTime() / 1000),
  success_url: request.done,
  cancel_url: request.back,
})

/**
 * Stripe's payment methods for each type of instrument. A Link wallet pays with its own method or with a card. The server
 * names Link only if the buyer selected it, because Stripe refuses methods that the account has not activated.
 */
const METHODS: Record<InstrumentType, string[]> = { card: ['card'], link: ['card', 'link'] }

/**
 * Builds the request for a new charge (Stripe: PaymentIntent). The request contains the id of the order, so that the
 * staff can find the payment in Stripe by this id.
 */
const intentFor = ({ id, orderId, bookingId, amount, currency, instrument, description }: ChargeRequest) => ({
  amount: toStripe(amount, currency),
  currency: currency.toLowerCase(),
  payment_method_types: METHODS[instrument],
  description,
  metadata: { charge: id, order: orderId, booking: bookingId },
})

/**
 * Searches Stripe's list for an earlier refund with this id. Stripe remembers idempotency keys only for a day. Without
 * this search, a retry after a day could refund the money twice.
 */
async function earlierRefund(api: Stripe, receipt: string, id: string): Promise<Stripe.Refund | undefined> {
  for await (const refund of api.refunds.list({ payment_intent: receipt, limit: 100 }, ONCE))
    if (refund.metadata?.refund === id) return refund
  return undefined
}

const isAlreadyRefunded = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_already_refunded'

async function callStripe<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const isFinal =
      error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError
    // Stripe writes the error texts about a card for the card holder, so the buyer may see them.
    const forBuyer = error instanceof Stripe.errors.StripeCardError ? error.message : undefined
    throw new ProviderError(`Stripe: ${error.code ?? error.type}, ${error.message}`, { isFinal, forBuyer })
  }
}

function verified<T>(construct: () => T): T {
  try {
    return construct()
  } catch {
    throw new ForgedNoticeError()
  }
}

/**
 * The maximum size of a response from the payment provider, in bytes. The longest real response lists a hundred
 * refunds, which are a few hundred thousand bytes.
 */
const MOST_BYTES = 1024 * 1024

/**
 * Replaces `fetch` in the library of the payment provider. The library limits neither the size of a response nor the
 * time to read it. This function limits the size. It also reads the whole response itself, so that the library's
 * timeout includes the reading.
 */
export async function boundedFetch(address: string | URL | Request, request?: RequestInit): Promise<Response> {
  const response = await fetch(address, { ...request, redirect: 'manual' })
  const { status, headers, body } = response
  return new Response(body && Buffer.concat(await piecesOf(body)), { status, headers })
}

async function piecesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    // This error ends the loop that reads the response. The end of the loop cancels the request.
    if (length > MOST_BYTES) throw new Error(`The payment provider answered with more than ${MOST_BYTES} bytes.`)
    pieces.push(piece)
  }
  return pieces
}
