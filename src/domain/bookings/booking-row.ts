import type { Selectable } from 'kysely'
import type { Bookings } from '../../infra/db/schema.generated.ts'
import type {
  Booking,
  BookingBuyer,
  Cancellation,
  DeliveryAddress,
  Dispute,
  Message,
  NoShow,
  PostPaymentReturnRequest,
  ServiceDefinition,
} from '../../protocol/types.generated.ts'
import type { Payment } from '../payments/payment.ts'

export type BookingRow = Omit<Selectable<Bookings>, 'status' | 'record' | 'people' | 'buyer_account'> & {
  status: Booking['status']
  record: BookingRecord
  people: People
}

/** The terms agreed when the booking was created, and later changes. The record names no person. */
export interface BookingRecord {
  service: Pick<ServiceDefinition, 'name' | 'type' | 'channel' | 'media'>
  zone: string
  slot_id: string
  resources: { id: string; type: string; name: string }[]
  location?: { id: string; name: string }
  party_size: number
  confirmation_mode: Booking['confirmation_mode']
  policies: ServiceDefinition['policies']
  deposit_refundable: boolean
  /** Milliseconds that the buyer has to pay. */
  payment_window: number
  /** Milliseconds to pay after the business has approved. Missing in bookings from before this setting existed. */
  window_after_approval?: number
  payment?: Payment
  tasks: Task[]
  /** Tasks of the buyer. If the staff must approve the booking first, the buyer sees them only after the approval. */
  waiver?: ServiceDefinition['waiver']
  intake?: ServiceDefinition['intake']
  cancellation?: Cancellation
  no_show?: NoShow
  dispute?: Dispute
  messages?: Message[]
  reschedules: number
  /** A late cancellation costs nothing, because the buyer has got a better time from the waitlist. */
  fee_waived?: true
  /** How often the time changed or the booking was canceled. Calendars use it as SEQUENCE. */
  sequence: number
  return_request?: PostPaymentReturnRequest
  /** The buyer's language, BCP 47. */
  locale?: string
  links_renewed?: number
  /** Digest of the submitted form or of the assistant's input. It identifies a duplicate submission. */
  sent_form?: string
  /**
   * When the buyer reported a payment by hand. The booking then keeps its time until the staff decide, at the latest until
   * it begins.
   */
  payment_claimed_at?: string
  overridden?: string[]
}

/** The people of the booking. No other part of a booking names people. */
export interface People {
  buyer: BookingBuyer
  recipient?: BookingBuyer
  delivery_address?: DeliveryAddress
  notes?: string
  /** Answers to the intake questions, by question id. */
  answers?: Record<string, string>
  /** Who entered the buyer's phone number. If missing, the party that made the booking. */
  number_from?: 'staff' | 'buyer'
  /** Digests of the mail addresses of previous contacts. The erasure of a person also searches for them. */
  earlier?: string[]
  /** `buyer` is a placeholder. */
  erased?: true
}

export interface Task {
  type: 'waiver' | 'intake' | 'payment'
  status: 'pending' | 'completed'
}
