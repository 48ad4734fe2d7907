import type { Backoff } from '../../core/jobs/retry-backoff.ts'
import type { Language } from '../../infra/i18n/languages.ts'
import type { LineItem } from '../pricing/payment-amounts.ts'

/**
 * The interface to a payment provider, such as Stripe. A provider collects money on its own web page, reports payments
 * and makes refunds. If the staff collect the money, there is no provider.
 */
export interface Provider {
  /**
   * Opens a payment page for exactly the requested amount. A second call with the same checkout id returns the same
   * payment page.
   */
  open(request: CheckoutRequest): Promise<Checkout>
  read(reference: string): Promise<Checkout>
  /**
   * Closes the payment page, so that the buyer can no longer pay there. If the buyer has already paid, the result
   * contains the payment.
   */
  close(reference: string): Promise<Checkout>
  /**
   * Reads a notification from the provider about a checkout, a charge or a refund. Throws an error if the notification
   * does not come from the provider.
   */
  readNotification(body: Buffer, signature: string, now: Date): CheckoutNotice | ChargeNotice | FailedRefund | undefined
  /**
   * Prepares a charge (a payment with a payment token) at the provider, but takes no money. A second call with the same
   * charge id prepares no second charge.
   */
  prepareCharge(wish: ChargeRequest): Promise<string>
  /**
   * Takes the money of a prepared charge with the buyer's payment token. If the provider refuses, the function throws
   * an error, and the server must not try again.
   */
  confirmCharge(wish: ChargeConfirmation): Promise<Charge>
  readCharge(reference: string): Promise<Charge>
  /**
   * Ends a charge at the provider. The provider can then no longer take money for this charge. If the provider has
   * already taken the money, the result contains the payment.
   */
  cancelCharge(reference: string): Promise<Charge>
  /**
   * Refunds money and returns the provider's id of the refund. If the staff have already refunded the whole payment at
   * the provider, the function returns the provider's id of the payment. A second call with the same refund id refunds no
   * more money.
   */
  refund(wish: RefundRequest): Promise<string>
}

export interface CheckoutRequest {
  /** This server's own id of the checkout. The provider uses another id. */
  id: string
  bookingId: string
  currency: string
  /** The items that the payment page lists for the buyer. The tax is a separate item. */
  items: LineItem[]
  description: string
  language: Language
  expiresAt: Date
  /**
   * The URLs that the browser opens after the payment page. `done` is for buyers who have paid, and `back` is for
   * buyers who have not paid.
   */
  done: string
  back: string
}

export interface Checkout {
  /** The provider's id of the checkout. */
  reference: string
  status: 'open' | 'paid' | 'closed'
  /** The URL of the payment page. Undefined if the buyer can no longer pay on this page. */
  url: string | undefined
  payment: ReceivedPayment | undefined
}

/**
 * A payment that the provider received. The amount is in minor units of the currency by ISO 4217, such as cents, even
 * if the provider uses other units.
 */
export interface ReceivedPayment {
  reference: string
  amount: number
  currency: string
  /** The time of the payment by the provider's clock. Undefined if the provider reports no time. */
  paidAt: Date | undefined
}

export interface CheckoutNotice {
  /** This server's own id of the checkout. The provider uses another id. */
  id: string
  checkout: Checkout
}

/** The types of payment instruments that a payment token can stand for. Link is the wallet of Stripe. */
export const INSTRUMENT_TYPES = ['card', 'link'] as const
export type InstrumentType = (typeof INSTRUMENT_TYPES)[number]

export interface ChargeRequest {
  /** This server's own id of the charge. The provider uses another id. */
  id: string
  orderId: string
  bookingId: string
  amount: number
  currency: string
  instrument: InstrumentType
  description: string
}

export interface ChargeConfirmation {
  /** This server's own id of the charge. The provider uses another id. */
  id: string
  reference: string
  token: string
  /** The URL that the browser opens after the buyer has confirmed the payment at the bank. */
  returnUrl: string
}

/**
 * The state of a charge at the provider. `open` means that the provider waits for another request of this server.
 * `ended` means that the provider will never take money for the charge.
 */
export interface Charge {
  status: 'open' | 'processing' | 'requires_action' | 'succeeded' | 'ended'
  /** The provider's id of the charge. */
  reference: string
  payment: ReceivedPayment | undefined
  /** The URL of the page where the buyer confirms the payment. Undefined if the bank requires no confirmation. */
  url: string | undefined
}

export interface ChargeNotice {
  /** This server's own id of the charge. The provider uses another id. */
  chargeId: string
  charge: Charge
}

/** A refund that failed, so the buyer did not get the money. The bank may reject a refund days after the request. */
export interface FailedRefund {
  /** This server's own id of the refund. The provider uses another id. */
  refund: string
  why: string
}

export interface RefundRequest {
  /** This server's own id of the refund. The provider uses another id. */
  id: string
  /** The provider's id of the payment to refund. */
  receipt: string
  bookingId: string
  amount: number
  currency: string
  /**
   * Set if the server may have requested this refund before. The earlier request may have succeeded even if the
   * provider's answer was lost.
   */
  isRetry: boolean
}

/** This error means that the provider did not do the requested work. The message is for the log, not for buyers. */
export class ProviderError extends Error {
  /** True if the provider would refuse the same request every time. The server then does not repeat the request. */
  readonly isFinal: boolean
  /** The reason why the bank declined the buyer's card, as a text for the buyer. */
  readonly forBuyer: string | undefined

  constructor(message: string, { isFinal, forBuyer }: { isFinal: boolean; forBuyer?: string | undefined }) {
    super(message)
    this.isFinal = isFinal
    this.forBuyer = forBuyer
  }
}

/**
 * This error means that a notification does not have the provider's correct signature, or that the notification is too
 * old.
 */
export class ForgedNoticeError extends Error {}

/**
 * Calls the payment provider. Then tells the backoff (the pause after failed calls) whether the provider responded. A
 * refusal by the provider also counts as a response.
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
