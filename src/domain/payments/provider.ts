import type { Backoff } from '../../core/jobs/backoff.ts'
import type { Language } from '../../infra/i18n/languages.ts'
import type { LineItem } from '../pricing/payment.ts'

/**
 * A payment provider: it collects money on its own page, reports payments and makes refunds. If the staff collect the
 * money, there is no provider.
 */
export interface Provider {
  /** Opens a payment page for exactly this amount. A second call with the same id returns the same page. */
  open(request: CheckoutRequest): Promise<Checkout>
  read(reference: string): Promise<Checkout>
  /**
   * Closes the checkout, so that the buyer can no longer pay. If the buyer paid before, the result contains the
   * payment.
   */
  close(reference: string): Promise<Checkout>
  /**
   * Reads a notification about a checkout or a refund of this server. Throws if the notification does not come from the
   * provider.
   */
  readNotification(body: Buffer, signature: string, now: Date): CheckoutNotice | FailedRefund | undefined
  /** Refunds money and returns the provider's id of the refund. A second call with the same id refunds nothing more. */
  refund(request: RefundRequest): Promise<string>
}

export interface CheckoutRequest {
  /** The id of the checkout at this server. */
  id: string
  bookingId: string
  currency: string
  /** The items that the payment page shows to the buyer, including tax. */
  items: LineItem[]
  description: string
  /** The language of the buyer. */
  language: Language
  expiresAt: Date
  /** The addresses to which the browser returns: `done` after a payment, `back` without a payment. */
  done: string
  back: string
}

export interface Checkout {
  /** The id of the checkout at the provider. */
  reference: string
  status: 'open' | 'paid' | 'closed'
  /** The address of the payment page. Undefined if the checkout is no longer open. */
  url: string | undefined
  payment: ReceivedPayment | undefined
}

/** A payment that the provider received. The amount is in minor units of ISO 4217, not in the units of the provider. */
export interface ReceivedPayment {
  reference: string
  amount: number
  currency: string
  /** The time of the payment by the clock of the provider. Undefined if the provider does not report the time. */
  paidAt: Date | undefined
}

export interface CheckoutNotice {
  /** The id of the checkout at this server. */
  id: string
  checkout: Checkout
}

/** A refund that did not reach the buyer. A bank may reject a refund days later. */
export interface FailedRefund {
  /** The id of the refund at this server. */
  refund: string
  why: string
}

export interface RefundRequest {
  /** The id of the refund at this server. */
  id: string
  /** The id of the received payment at the provider. */
  receipt: string
  bookingId: string
  amount: number
  currency: string
  /** Whether this is a repeated attempt. An earlier attempt may have succeeded, and its answer may have been lost. */
  isRetry: boolean
}

/** The provider cannot do what this server asked for. The message is for the log. */
export class ProviderError extends Error {
  /** Whether a repetition of the call cannot help. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal }: { isFinal: boolean }) {
    super(message)
    this.isFinal = isFinal
  }
}

/** A notification of the provider has a wrong signature, or is too old. */
export class ForgedNoticeError extends Error {}

/** Calls the provider, and records for the backoff whether the provider responded. A refusal counts as a response. */
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
