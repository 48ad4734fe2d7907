import type { Selectable } from 'kysely'
import type { UcpCheckouts } from '../../infra/db/schema.generated.ts'
import type {
  Booking,
  DeliveryAddress,
  Message,
  ServiceDefinition,
  UcpBuyer,
  UcpTerm,
} from '../../protocol/types.generated.ts'
import type { BookingRecord } from '../bookings/booking-row.ts'
import type { Payment } from '../pricing/payment-amounts.ts'
import type { CheckoutStatus } from './lifecycle.ts'

export type CheckoutRow = Omit<Selectable<UcpCheckouts>, 'status' | 'request' | 'people' | 'agreed' | 'faults'> & {
  status: CheckoutStatus
  request: CheckoutRequest
  people: CheckoutPeople | null
  agreed: Agreed
  faults: Message[]
}

/** The data about the purchase that the platform sent, without personal data. */
export interface CheckoutRequest {
  line_id: string
  /** The price that the platform showed to the buyer. */
  shown_price?: number
  resource_ids: string[]
}

/** The personal data of a UCP checkout, as the platform sent them. They may be incomplete. */
export interface CheckoutPeople {
  buyer: UcpBuyer
  recipient?: UcpBuyer
  delivery_address?: DeliveryAddress
  notes?: string
  /** The buyer's answers to the intake questions, by question id. */
  answers?: Record<string, string>
}

/**
 * The terms on which platform and business agreed in a UCP checkout: service, slot, price and payment. Amounts are in
 * minor units, such as cents.
 */
export interface Agreed {
  service: { id: string; name: string; type: string }
  slot: Booking['slot']
  zone: string
  resources: { id: string; type: string; name: string }[]
  party: number
  confirmation_mode: NonNullable<Booking['confirmation_mode']>
  /** The terms of the booking. Checkouts of earlier versions lack them, and then the current terms apply. */
  terms?: Pick<BookingRecord, 'policies' | 'deposit_refundable'>
  currency: string
  price: ShownPrice
  /** The payment for the booking. Undefined if the service is free. */
  payment?: Payment
  /** When the buyer pays. Undefined if the whole price is due when the platform completes the checkout. */
  term?: UcpTerm
  /** Whether the buyer pays the whole price at the visit. The platform then needs no payment instrument. */
  is_offline: boolean
  cancellation: {
    /** The cancellation terms for the buyer. */
    terms: string
    /** Whether the platform must show the terms to the buyer, because canceling may cost something. */
    must_be_shown: boolean
    /** Set if the business keeps the deposit after a cancellation. */
    keeps_deposit?: true
  }
  /** The tasks that the buyer must complete on a page of this server before the platform can complete the checkout. */
  tasks: CheckoutTask[]
  waiver?: ServiceDefinition['waiver']
  intake?: ServiceDefinition['intake']
}

export interface CheckoutTask {
  type: 'waiver' | 'intake'
  status: 'pending' | 'completed'
}

export interface ShownPrice {
  /** The price for one person or item, as the catalogue shows it. */
  unit: number
  quantity: number
  subtotal: number
  tax: number
  /** Whether the subtotal includes the tax. Otherwise, the tax is a separate line. */
  isTaxIncluded: boolean
  total: number
}

/** The amount that the server charges when the platform completes the checkout. */
export const dueNow = ({ agreed: { payment } }: Pick<CheckoutRow, 'agreed'>): number => payment?.due ?? 0
