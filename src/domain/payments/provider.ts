import type { Language } from '../../infra/i18n/languages.ts'
import type { LineItem } from './payment.ts'

/** Someone who takes money on a page of their own, tells of it and gives it back. Where the staff take it there is none. */
export interface Provider {
  /** Opens a page for exactly this payment; asked again under the same id it answers with the same page. */
  open(wish: CheckoutRequest): Promise<Checkout>
  read(reference: string): Promise<Checkout>
  /** Ends it, so that nobody can pay there any more; what was paid before is told. */
  close(reference: string): Promise<Checkout>
  /** What a notification tells of a checkout or a refund of ours; thrown when it does not come from the provider. */
  notified(body: Buffer, signature: string, now: Date): Notice | FailedRefund | undefined
  /** Gives money back, once for each id, and says how the provider names it. */
  refund(wish: RefundWish): Promise<string>
}

export interface CheckoutRequest {
  /** Ours. */
  id: string
  bookingId: string
  currency: string
  /** In words for the buyer, tax included. */
  items: LineItem[]
  description: string
  /** That of the buyer. */
  language: Language
  expiresAt: Date
  /** Where the browser comes back to, having paid or not. */
  done: string
  back: string
}

export interface Checkout {
  /** The provider's id of it. */
  reference: string
  status: 'open' | 'paid' | 'closed'
  /** Where the buyer pays, while it is open. */
  url: string | undefined
  /** What came in. */
  payment: Received | undefined
}

/** In the minor units that the rest of the server reckons in. */
export interface Received {
  reference: string
  amount: number
  currency: string
  /** By the provider's clock; undefined where it does not say. */
  paidAt: Date | undefined
}

export interface Notice {
  /** Our id of the checkout. */
  id: string
  checkout: Checkout
}

/** What the provider had given back did not arrive: the bank may refuse it days later. */
export interface FailedRefund {
  /** Our id of it. */
  refund: string
  why: string
}

export interface RefundWish {
  /** Ours. */
  id: string
  /** What was received. */
  receipt: string
  bookingId: string
  amount: number
  currency: string
  /** Whether it was asked for before, with an answer that may have been lost. */
  again: boolean
}

/** The provider cannot do it, for now or at all. The text is for the log. */
export class ProviderError extends Error {
  /** Whether asking again will not help. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal }: { isFinal: boolean }) {
    super(message)
    this.isFinal = isFinal
  }
}

/** A notification that is not from whom it should be, or too old. */
export class ForgedNotice extends Error {}
