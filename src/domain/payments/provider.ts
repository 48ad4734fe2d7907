import type { Backoff } from '../../core/jobs/backoff.ts'
import type { Language } from '../../infra/i18n/languages.ts'
import type { LineItem } from '../pricing/payment.ts'

/**
 * A payment provider: it collects money on its own page, reports payments and refunds them. If the staff collect the
 * money, there is none.
 */
export interface Provider {
  /** Opens a payment page for exactly this amount. A repeated call with the same id returns the same page. */
  open(request: CheckoutRequest): Promise<Checkout>
  read(reference: string): Promise<Checkout>
  /** Closes the checkout, so no buyer can pay any more. Returns a payment made before. */
  close(reference: string): Promise<Checkout>
  /** Reads a notification about one of our checkouts or refunds. Throws if it does not come from the provider. */
  readNotification(body: Buffer, signature: string, now: Date): CheckoutNotice | FailedRefund | undefined
  /** Refunds money, once for each id, and returns the provider's id of the refund. */
  refund(request: RefundRequest): Promise<string>
}

export interface CheckoutRequest {
  /** Our id of the checkout. */
  id: string
  bookingId: string
  currency: string
  /** For the buyer, tax included. */
  items: LineItem[]
  description: string
  /** The buyer's language. */
  language: Language
  expiresAt: Date
  /** Where the browser returns to after the payment, or without one. */
  done: string
  back: string
}

export interface Checkout {
  /** The provider's id of the checkout. */
  reference: string
  status: 'open' | 'paid' | 'closed'
  /** The payment page, while the checkout is open. */
  url: string | undefined
  payment: ReceivedPayment | undefined
}

/** In minor units as in ISO 4217, not in the provider's units. */
export interface ReceivedPayment {
  reference: string
  amount: number
  currency: string
  /** By the provider's clock; undefined if it does not report the time. */
  paidAt: Date | undefined
}

export interface CheckoutNotice {
  /** Our id of the checkout. */
  id: string
  checkout: Checkout
}

/** A refund that did not arrive. The bank may reject it days later. */
export interface FailedRefund {
  /** Our id of the refund. */
  refund: string
  why: string
}

export interface RefundRequest {
  /** Our id of the refund. */
  id: string
  /** The provider's id of the received payment. */
  receipt: string
  bookingId: string
  amount: number
  currency: string
  /** Whether an earlier attempt may have succeeded with a lost answer. */
  isRetry: boolean
}

/** The provider cannot do it, now or ever. The message is for the log. */
export class ProviderError extends Error {
  /** Whether a retry cannot help. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal }: { isFinal: boolean }) {
    super(message)
    this.isFinal = isFinal
  }
}

/** A notification with a wrong signature, or one that is too old. */
export class ForgedNoticeError extends Error {}

/** Calls the provider and records for the backoff whether it responded. A refusal is a response, too. */
export async function callProvider<T>(pace: Backoff, ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask()
    pace.answered()
    return answer
  } catch (error) {
    if (error instanceof ProviderError && error.isFinal) pace.answered()
    else if (error instanceof ProviderError) pace.unanswered()
    throw error
  }
}
