import type { Backoff } from '../../core/jobs/retry-backoff.ts'
import type { Language } from '../../infra/i18n/languages.ts'
import type { LineItem } from '../pricing/payment-amounts.ts'

/**
 * A payment provider. It collects money on its own page, reports payments and makes refunds. If the staff collect the
 * money, there is no provider.
 */
export interface Provider {
  /** Opens a payment page for exactly this amount. A second call with the same checkout id returns the same page. */
  open(request: CheckoutRequest): Promise<Checkout>
  read(reference: string): Promise<Checkout>
  /**
   * Closes the payment page, so that the buyer can no longer pay. If the buyer has already paid, the result contains
   * the payment.
   */
  close(reference: string): Promise<Checkout>
  /**
   * Reads a provider's notification about a checkout, charge or refund. Throws if another sender forged the
   * notification.
   */
  readNotification(body: Buffer, signature: string, now: Date): CheckoutNotice | ChargeNotice | FailedRefund | undefined
  /** Prepares a charge, but takes no money. A second call with the same charge id prepares no second charge. */
  prepareCharge(wish: ChargeRequest): Promise<string>
  /**
   * Takes the amount of a prepared charge with the buyer's payment token. If the provider refuses, throws an error that
   * allows no retry.
   */
  confirmCharge(wish: ChargeConfirmation): Promise<Charge>
  readCharge(reference: string): Promise<Charge>
  /**
   * Ends a charge, so that the provider takes no money for it any more. If it has already taken the money, the result
   * contains the payment.
   */
  cancelCharge(reference: string): Promise<Charge>
  /** Refunds money, once for each refund id, and returns the provider's id of the refund. */
  refund(wish: RefundRequest): Promise<string>
}

export interface CheckoutRequest {
  /** Id of the checkout at this server, not at the provider. */
  id: string
  bookingId: string
  currency: string
  /** The items that the payment page shows to the buyer, including tax. */
  items: LineItem[]
  description: string
  language: Language
  expiresAt: Date
  /** The addresses of the pages that the browser opens next: `done` after a payment, `back` without one. */
  done: string
  back: string
}

export interface Checkout {
  /** Id of the checkout at the provider. */
  reference: string
  status: 'open' | 'paid' | 'closed'
  /** The address of the payment page. Undefined if the checkout is closed. */
  url: string | undefined
  payment: ReceivedPayment | undefined
}

/** A payment that the provider received. Its amount is in minor units of ISO 4217, not in the provider's own units. */
export interface ReceivedPayment {
  reference: string
  amount: number
  currency: string
  /** When the buyer paid, according to the clock of the provider. Undefined if the provider reports no time. */
  paidAt: Date | undefined
}

export interface CheckoutNotice {
  /** Id of the checkout at this server, not at the provider. */
  id: string
  checkout: Checkout
}

export interface ChargeRequest {
  /** Id of the charge at this server, not at the provider. */
  id: string
  orderId: string
  bookingId: string
  amount: number
  currency: string
  description: string
}

export interface ChargeConfirmation {
  /** Id of the charge at this server, not at the provider. */
  id: string
  reference: string
  token: string
  /** The address of the page that the buyer sees after confirming the payment at the bank. */
  returnUrl: string
}

/**
 * The state of a charge. `open`: the provider waits for another request of this server. `ended`: the provider will
 * never take money for it.
 */
export interface Charge {
  status: 'open' | 'processing' | 'requires_action' | 'succeeded' | 'ended'
  /** Id of the charge at the provider. */
  reference: string
  payment: ReceivedPayment | undefined
  /** The address where the buyer confirms the payment. Undefined if the bank requires no confirmation. */
  url: string | undefined
}

export interface ChargeNotice {
  /** Id of the charge at this server, not at the provider. */
  chargeId: string
  charge: Charge
}

/** A refund that failed, so that the buyer did not get the money. The bank may reject a refund days later. */
export interface FailedRefund {
  /** Id of the refund at this server, not at the provider. */
  refund: string
  why: string
}

export interface RefundRequest {
  /** Id of the refund at this server, not at the provider. */
  id: string
  /** Id of the refunded payment at the provider. */
  receipt: string
  bookingId: string
  amount: number
  currency: string
  /**
   * Whether the server may have tried this refund before. An earlier attempt may have succeeded at the provider,
   * although its answer was lost.
   */
  isRetry: boolean
}

/** The error if the provider cannot do what this server requested. The message is only for the log. */
export class ProviderError extends Error {
  /** Whether the provider would refuse the same request every time. If so, the server does not repeat the request. */
  readonly isFinal: boolean
  /** Why the bank declined the buyer's card, as a text for the buyer. */
  readonly forBuyer: string | undefined

  constructor(message: string, { isFinal, forBuyer }: { isFinal: boolean; forBuyer?: string | undefined }) {
    super(message)
    this.isFinal = isFinal
    this.forBuyer = forBuyer
  }
}

/** The error if the provider's signature on a notification is wrong, or if the notification is too old. */
export class ForgedNoticeError extends Error {}

/**
 * Calls the provider, and tells the backoff whether it responded. A refusal by the provider also counts as a response.
 */
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
