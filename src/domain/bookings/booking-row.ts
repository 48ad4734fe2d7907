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
 * The terms that buyer and business agreed when the booking was created, and all later changes. This record contains no
 * personal data, because `People` contains them.
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
  /** How long the buyer has to pay, in milliseconds. */
  payment_window: number
  /**
   * The time to pay after the business has approved the booking, in milliseconds. Older bookings, from before this
   * setting existed, do not have this value.
   */
  window_after_approval?: number
  payment?: Payment
  /**
   * Set if a platform bought the booking in a UCP (Universal Commerce Protocol) checkout. The platform then sees the
   * payment in the order of the checkout, not in the booking.
   */
  order?: { id: string; checkout: string }
  tasks: Task[]
  /**
   * The waiver that the buyer must accept, and the intake questions that the buyer must answer. If the staff must
   * approve the booking, the buyer sees both only after the approval.
   */
  waiver?: ServiceDefinition['waiver']
  intake?: ServiceDefinition['intake']
  cancellation?: Cancellation
  no_show?: NoShow
  dispute?: Dispute
  messages?: Message[]
  reschedules: number
  /**
   * Set if the buyer has booked a better time from the waitlist. The buyer can then cancel this booking late without a
   * fee.
   */
  fee_waived?: true
  /**
   * The number of moves of the booking, plus one after a cancellation. Calendar files contain this number as SEQUENCE.
   */
  sequence: number
  return_request?: PostPaymentReturnRequest
  /** The language of the buyer as a BCP 47 tag, such as `de-CH`. */
  locale?: string
  links_renewed?: number
  /**
   * A digest (hash) of the form or of the AI assistant's request that made the booking. With the digest, the server
   * recognizes a second copy of the same request.
   */
  sent_form?: string
  /**
   * The time when the buyer reported a manual payment, such as a bank transfer. From then on, the booking keeps its
   * slot until the staff decide, but not beyond its start.
   */
  payment_claimed_at?: string
  overridden?: string[]
}

/** The personal data of a booking. Names and contact data are stored in no other part of a booking. */
export interface People {
  buyer: BookingBuyer
  recipient?: BookingBuyer
  delivery_address?: DeliveryAddress
  notes?: string
  /** The answers to the intake questions, by question id. */
  answers?: Record<string, string>
  /**
   * Who entered the buyer's phone number. If this value is missing, the caller who made the booking entered the number.
   */
  number_from?: 'staff' | 'buyer'
  /**
   * Digests (hashes) of the email addresses that this booking contained before. When the server erases the data of a
   * person, it also finds this booking by the digests.
   */
  earlier?: string[]
  /** Set if the server has erased the personal data of the booking. `buyer` then contains placeholders. */
  erased?: true
}

export interface Task {
  type: 'waiver' | 'intake' | 'payment'
  status: 'pending' | 'completed'
}

type Expiry = Pick<BookingRow, 'status' | 'expires_at' | 'release_at'>

/**
 * Returns the time when an unconfirmed booking releases its slot, so other buyers can book it. This time can be later
 * than the deadline of the booking. See docs/decisions/0113.
 */
export const releaseOf = ({ expires_at, release_at }: Pick<Expiry, 'expires_at' | 'release_at'>): Date | null =>
  expires_at && release_at && release_at > expires_at ? release_at : expires_at

/**
 * SQL for the time when a booking releases its slot. The function `releaseOf` contains the same rule. Use this SQL only
 * for rows whose `expires_at` is not null.
 */
export const releaseColumn = sql<Date>`greatest(expires_at, release_at)`

export const isUnexpired = (now: Date) => sql<boolean>`(expires_at is null or ${releaseColumn} > ${now})`

/** Tells whether an unconfirmed booking has expired. Its stored status may not show the expiry yet. */
export function hasExpired(booking: Expiry, now: Date): boolean {
  const release = releaseOf(booking)
  return isUnresolved(booking.status) && release !== null && release <= now
}

/**
 * Returns true if the buyer's time to pay is over, but the server still waits for the payment provider. The provider
 * must first report whether the buyer paid in time.
 */
export const isBeingChecked = (booking: Expiry, now: Date): boolean =>
  isUnresolved(booking.status) && booking.expires_at !== null && booking.expires_at <= now && !hasExpired(booking, now)

/**
 * Returns the booking in its state at the instant `now`. After its release time, an unconfirmed booking counts as
 * canceled, and all its payments count as refunded. The stored status may not show the cancellation yet.
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
