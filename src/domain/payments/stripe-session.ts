import type Stripe from 'stripe'
import { asRecord } from '../../infra/util/object-members.ts'
import { type Checkout, type FailedRefund, ProviderError } from './payment-provider.ts'

/**
 * The maximum number of characters of a Stripe id. Real ids are shorter, and much longer ids would not fit into a
 * PostgreSQL index.
 */
const LONGEST_ID = 255
/** The largest amount that Stripe accepts, in Stripe's smallest unit of the currency. */
const MOST = 999_999_999_999
/** The end of the year 9999, in seconds since 1970. The server ignores later times. */
const LAST_SECOND = 253_402_300_800

/**
 * Reads a payment page (Stripe: session) from a notification or a response of Stripe. Returns undefined if the content
 * is not a valid session. A session does not contain the time of the payment. The function reads this time from the
 * charge inside the session, or else from the notification.
 */
export function readSession(body: unknown, notedAt?: unknown): (Checkout & { id: string | undefined }) | undefined {
  if (!isRecord(body) || body.object !== 'checkout.session' || !isId(body.id)) return undefined
  const { status, payment_status, payment_intent, url, client_reference_id: checkoutId } = body
  const isPaid = status === 'complete' && payment_status === 'paid'
  const intent = isRecord(payment_intent) ? payment_intent.id : payment_intent
  const sum = isPaid ? sumOf(body.amount_total, body.currency) : undefined
  if (isPaid && !sum) return undefined
  return {
    id: isId(checkoutId) ? checkoutId : undefined,
    reference: body.id,
    status: isPaid ? 'paid' : status === 'expired' ? 'closed' : 'open',
    url: status === 'open' && typeof url === 'string' ? url : undefined,
    payment: sum && {
      reference: isId(intent) ? intent : body.id,
      ...sum,
      paidAt: instantOf(asRecord(asRecord(payment_intent).latest_charge).created ?? notedAt),
    },
  }
}

/**
 * Reads a payment page (Stripe: session) from Stripe's response. Throws an error if the response contains no session.
 */
export function expectSession(body: unknown): Checkout {
  const session = readSession(body)
  if (!session) throw new ProviderError('Stripe: answers with no session that can be read', { isFinal: false })
  return session
}

/** Reads a paid amount. The result is undefined if Stripe cannot have received this amount. */
export function sumOf(stripeAmount: unknown, currency: unknown): { amount: number; currency: string } | undefined {
  const code = currencyOf(currency)
  if (!code) return undefined
  if (typeof stripeAmount !== 'number' || !Number.isSafeInteger(stripeAmount) || stripeAmount > MOST) return undefined
  const amount = fromStripe(stripeAmount, code)
  return amount > 0 ? { amount, currency: code } : undefined
}

const currencyOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : undefined

/** Converts a time from Stripe, in whole seconds since 1970. The result is undefined if the value is invalid. */
const instantOf = (seconds: unknown): Date | undefined =>
  typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0 && seconds < LAST_SECOND
    ? new Date(seconds * 1000)
    : undefined

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST_ID && /^[\x21-\x7e]+$/.test(value)

export const hasFailed = ({ status }: Pick<Stripe.Refund, 'status'>): boolean =>
  status === 'failed' || status === 'canceled'

/**
 * Returns the reason why a refund failed, as a text for the log and the staff. Stripe may give a reason for a failed
 * refund, but not for a canceled refund.
 */
export const failureOf = ({ status, failure_reason }: Pick<Stripe.Refund, 'status' | 'failure_reason'>): string =>
  `the refund is ${status}${failure_reason ? `: ${failure_reason}` : ''}`

/**
 * Reads Stripe's notification about a failed refund that this server requested. Returns undefined for any other
 * content.
 */
export function readFailedRefund(body: unknown): FailedRefund | undefined {
  const { object, status, failure_reason, metadata } = asRecord(body)
  const { refund } = asRecord(metadata)
  if (object !== 'refund' || typeof status !== 'string' || !hasFailed({ status }) || !isId(refund)) return undefined
  return { refund, why: failureOf({ status, ...(isId(failure_reason) && { failure_reason }) }) }
}

/**
 * The currencies whose smallest unit at Stripe differs from the minor unit in ISO 4217. Each value is the number of
 * Stripe units in one minor unit. See https://docs.stripe.com/currencies#special-cases
 */
const UNITS_PER_MINOR_UNIT: Record<string, number> = { ISK: 100, UGX: 100, MGA: 1 / 100 }

const factor = (currency: string) => UNITS_PER_MINOR_UNIT[currency.toUpperCase()] ?? 1

/**
 * The currencies with three decimals. In these currencies, Stripe takes only amounts whose last digit is 0. See
 * https://docs.stripe.com/currencies#three-decimal
 */
const THREE_DECIMALS = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

/** Stripe takes only multiples of this number of minor units. */
export const stripeStep = (currency: string): number =>
  THREE_DECIMALS.includes(currency.toUpperCase()) ? 10 : Math.max(1, 1 / factor(currency))

export const toStripe = (amount: number, currency: string): number => amount * factor(currency)

export const fromStripe = (amount: number, currency: string): number => Math.round(amount / factor(currency))
