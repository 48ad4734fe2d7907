import { type Selectable, sql } from 'kysely'
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
import { keptAmountOf, type Payment, withRefund } from '../pricing/payment-amounts.ts'
import { after, isUnresolved } from './lifecycle.ts'

export type BookingRow = Omit<Selectable<Bookings>, 'status' | 'record' | 'people' | 'buyer_account'> & {
  status: Booking['status']
  record: BookingRecord
  people: People
}

/**
 * The terms that the buyer and the business agreed when the booking was created, and the later changes. The names and
 * contact data of the booking are in `People` instead.
 */
export interface BookingRecord {
  service: Pick<ServiceDefinition, 'name' | 'type' | 'channel' | 'media'>
  zone: string
  slot_id: string
  resources: { id: string; type: string; name: string }[]
  location?: { id: string; name: string }
  party_size: number
  confirmation_mode: NonNullable<Booking['confirmation_mode']>
  policies: ServiceDefinition['policies']
  deposit_refundable: boolean
  /** The time that the buyer has for the payment, in milliseconds. */
  payment_window: number
  /**
   * The time that the buyer has for the payment after the business has approved the booking, in milliseconds. Bookings
   * from before this setting existed do not have this value.
   */
  window_after_approval?: number
  payment?: Payment
  /**
   * Set if a platform bought the booking in a UCP (Universal Commerce Protocol) checkout. The platform then reads the
   * payment in the order of the checkout, and not in the booking.
   */
  order?: { id: string; checkout: string }
  tasks: Task[]
  /**
   * The waiver is a text that the buyer must accept. The intake is a list of questions that the buyer must answer. If
   * the staff must approve the booking, the buyer sees the waiver and the intake only after the approval.
   */
  waiver?: ServiceDefinition['waiver']
  intake?: ServiceDefinition['intake']
  cancellation?: Cancellation
  no_show?: NoShow
  dispute?: Dispute
  messages?: Message[]
  reschedules: number
  /**
   * Set if the buyer has booked a better time from the waitlist. The buyer can then cancel this booking without the fee
   * for a late cancellation.
   */
  fee_waived?: true
  /**
   * The number of moves of the booking, plus one if the booking is canceled. Calendar files contain this number as
   * SEQUENCE, so that calendar programs recognize the newest version.
   */
  sequence: number
  return_request?: PostPaymentReturnRequest
  /** The language of the buyer as a BCP 47 tag, such as `de-CH`. */
  locale?: string
  links_renewed?: number
  /**
   * A digest (hash) of the web form or of the AI assistant's request that made the booking. With the digest, the server
   * recognizes a second copy of the same form or request.
   */
  sent_form?: string
  /**
   * The time when the buyer reported a manual payment, such as a bank transfer. From then on, the booking keeps its
   * slot until the staff decide. At the start of the booking, the reservation ends at the latest.
   */
  payment_claimed_at?: string
  /** The time when the buyer confirmed that they will come. A move to another time removes this value. */
  attending?: string
  overridden?: string[]
}

/**
 * The personal data of a booking. Besides this object, only the search text of the booking contains names and contact
 * data.
 */
export interface People {
  buyer: BookingBuyer
  recipient?: BookingBuyer
  delivery_address?: DeliveryAddress
  notes?: string
  /** The answers to the intake questions, by question id. */
  answers?: Record<string, string>
  /**
   * Who entered the phone number of the buyer. If this property is missing, the caller who made the booking entered the
   * number.
   */
  number_from?: 'staff' | 'buyer'
  /**
   * Digests (hashes) of the email addresses that this booking contained earlier. When the server erases the data of a
   * person, it compares the digests, and so also finds this booking.
   */
  earlier?: string[]
  /** Set if the server has erased the personal data of the booking. The property `buyer` then contains placeholders. */
  erased?: true
}

export interface Task {
  type: 'waiver' | 'intake' | 'payment'
  status: 'pending' | 'completed'
}

type Expiry = Pick<BookingRow, 'status' | 'expires_at' | 'release_at'>

/**
 * Returns the time when an unconfirmed booking releases its slot, so that other buyers can book the slot. This time can
 * be later than the deadline of the booking, for example while the server checks a payment. See docs/decisions/0113.
 */
export const releaseOf = ({ expires_at, release_at }: Pick<Expiry, 'expires_at' | 'release_at'>): Date | null =>
  expires_at && release_at && release_at > expires_at ? release_at : expires_at

/**
 * SQL for the time when a booking releases its slot. The SQL expresses the same rule as the function `releaseOf`. Use
 * it only for rows whose `expires_at` is not null.
 */
export const releaseColumn = sql<Date>`greatest(expires_at, release_at)`

export const isUnexpired = (now: Date) => sql<boolean>`(expires_at is null or ${releaseColumn} > ${now})`

/**
 * Tells whether an unconfirmed booking has expired. Its stored status can still be unconfirmed, because the server
 * stores the expiry later.
 */
export function hasExpired(booking: Expiry, now: Date): boolean {
  const release = releaseOf(booking)
  return isUnresolved(booking.status) && release !== null && release <= now
}

/**
 * Tells whether the server waits for the payment provider. The buyer's time to pay is over, but the provider must first
 * report whether the buyer paid in time.
 */
export const isBeingChecked = (booking: Expiry, now: Date): boolean =>
  isUnresolved(booking.status) && booking.expires_at !== null && booking.expires_at <= now && !hasExpired(booking, now)

/**
 * Returns the booking in its state at the instant `now`. An unconfirmed booking after its release time counts as
 * canceled, and all its payments count as refunded. The server may store the cancellation later.
 */
export function bookingAsOf(booking: BookingRow, now: Date): BookingRow {
  const release = releaseOf(booking)
  return release && hasExpired(booking, now) ? expiredAt(booking, release) : booking
}

export function expiredAt(booking: BookingRow, at: Date): BookingRow {
  const { status, record } = booking
  const refund = keptAmountOf(record.payment)
  return {
    ...booking,
    status: after(status, 'expire'),
    expires_at: null,
    release_at: null,
    revision: booking.revision + 1,
    updated_at: at,
    record: {
      ...record,
      tasks: [],
      sequence: record.sequence + 1,
      cancellation: {
        reason: status === 'pending' ? 'It was not confirmed in time.' : 'It was not completed in time.',
        canceled_by: 'system',
        fee: 0,
        refund_amount: refund,
        canceled_at: at.toISOString(),
      },
      ...(record.payment && { payment: withRefund(record.payment, refund) }),
    },
  }
}

export type StoredBooking = Omit<BookingRow, Instants> & { [I in Instants]: string }
type Instants = 'starts_at' | 'ends_at' | 'created_at' | 'updated_at' | 'reminded_until'

export const revivedBooking = (row: StoredBooking): BookingRow => ({
  ...row,
  starts_at: new Date(row.starts_at),
  ends_at: new Date(row.ends_at),
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
  reminded_until: new Date(row.reminded_until),
  expires_at: row.expires_at && new Date(row.expires_at),
  release_at: row.release_at ? new Date(row.release_at) : null,
})
