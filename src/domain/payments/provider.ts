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
  /** Reads a notification about one of our checkouts, charges or refunds. Throws if it does not come from the provider. */
  readNotification(body: Buffer, signature: string, now: Date): CheckoutNotice | ChargeNotice | FailedRefund | undefined
  /** Prepares to take exactly this amount, and takes nothing. A repeated call with the same id returns the same reference. */
  prepareCharge(wish: ChargeRequest): Promise<string>
  /** Takes the prepared amount with a payment token of the buyer. Throws a final error if the provider refuses. */
  confirmCharge(wish: ChargeConfirmation): Promise<Charge>
  readCharge(reference: string): Promise<Charge>
  /** Ends a charge, so that it takes no money any more. Returns a payment made before. */
  cancelCharge(reference: string): Promise<Charge>
  /** Refunds money, once for each id, and returns the provider's id of the refund. */
  refund(wish: RefundRequest): Promise<string>
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

export interface ChargeRequest {
  /** Our id of the charge. */
  id: string
  orderId: string
  bookingId: string
  amount: number
  currency: string
  description: string
}

export interface ChargeConfirmation {
  /** Our id of the charge. */
  id: string
  reference: string
  token: string
  /** Where the buyer returns to after the bank has asked for a confirmation. */
  returnUrl: string
}

/** `open` takes no money without a further request, and `ended` never. */
export interface Charge {
  status: 'open' | 'processing' | 'requires_action' | 'succeeded' | 'ended'
  /** The provider's id of the charge. */
  reference: string
  payment: ReceivedPayment | undefined
  /** Where the buyer confirms the payment, if the bank asks for it. */
  url: string | undefined
}

export interface ChargeNotice {
  /** Our id of the charge. */
  chargeId: string
  charge: Charge
}

/** A refund that did not arrive. The bank may reject it days later. */
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
  /** Why a card was declined, in words for the buyer. */
  readonly forBuyer: string | undefined

  constructor(message: string, { isFinal, forBuyer }: { isFinal: boolean; forBuyer?: string | undefined }) {
    super(message)
    this.isFinal = isFinal
    this.forBuyer = forBuyer
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
