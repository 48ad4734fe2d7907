import type { Backoff } from '../../core/jobs/backoff.ts'
import type { Language } from '../../infra/i18n/languages.ts'
import type { LineItem } from '../pricing/payment.ts'

/**
 * A payment provider. It collects money on its own page, reports payments and makes refunds. If the staff collect the
 * money, there is no provider.
 */
export interface Provider {
  /** Opens a payment page for exactly this amount. A second call with the same id returns the same page. */
  open(request: CheckoutRequest): Promise<Checkout>
  read(reference: string): Promise<Checkout>
  /**
   * Closes the checkout, so that the buyer can no longer pay. If the buyer has already paid, the result contains the
   * payment.
   */
  close(reference: string): Promise<Checkout>
  /** Reads a notification about a checkout, charge or refund. Throws if the provider did not send it. */
  readNotification(body: Buffer, signature: string, now: Date): CheckoutNotice | ChargeNotice | FailedRefund | undefined
  /** Prepares a charge, but takes no money. A second call with the same id returns the same reference. */
  prepareCharge(wish: ChargeRequest): Promise<string>
  /** Takes the prepared amount with a payment token of the buyer. Throws a final error if the provider refuses. */
  confirmCharge(wish: ChargeConfirmation): Promise<Charge>
  readCharge(reference: string): Promise<Charge>
  /** Ends a charge, so that the provider takes no more money. Returns an earlier payment, if there is one. */
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
  language: Language
  expiresAt: Date
  /** The addresses for the return of the browser: `done` after a payment, `back` without a payment. */
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

/** A payment that the provider received. The amount is in minor units of ISO 4217, not in units of the provider. */
export interface ReceivedPayment {
  reference: string
  amount: number
  currency: string
  /** The time of the payment by the clock of the provider. Undefined if the provider reports no time. */
  paidAt: Date | undefined
}

export interface CheckoutNotice {
  /** The id of the checkout at this server. */
  id: string
  checkout: Checkout
}

export interface ChargeRequest {
  /** The id of the charge at this server. */
  id: string
  orderId: string
  bookingId: string
  amount: number
  currency: string
  description: string
}

export interface ChargeConfirmation {
  /** The id of the charge at this server. */
  id: string
  reference: string
  token: string
  /** The address for the return of the buyer after a confirmation at the bank. */
  returnUrl: string
}

/** The state of a charge. `open`: the provider waits for a further request. `ended`: it will never take money. */
export interface Charge {
  status: 'open' | 'processing' | 'requires_action' | 'succeeded' | 'ended'
  /** The id of the charge at the provider. */
  reference: string
  payment: ReceivedPayment | undefined
  /** The address where the buyer confirms the payment. Undefined if the bank requires no confirmation. */
  url: string | undefined
}

export interface ChargeNotice {
  /** The id of the charge at this server. */
  chargeId: string
  charge: Charge
}

/** A refund that did not arrive. The bank may reject a refund days later. */
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
  /** Whether this is a repeated attempt. The earlier attempt may have succeeded, even if its answer was lost. */
  isRetry: boolean
}

/** The error if the provider cannot do what this server requested. The message is for the log. */
export class ProviderError extends Error {
  /** Whether a repeated call would fail too. */
  readonly isFinal: boolean
  /** The reason why the bank declined a card, as a text for the buyer. */
  readonly forBuyer: string | undefined

  constructor(message: string, { isFinal, forBuyer }: { isFinal: boolean; forBuyer?: string | undefined }) {
    super(message)
    this.isFinal = isFinal
    this.forBuyer = forBuyer
  }
}

/** The error if a notification of the provider has a wrong signature or is too old. */
export class ForgedNoticeError extends Error {}

/** Calls the provider, and tells the backoff whether the provider responded. A refusal counts as a response. */
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
