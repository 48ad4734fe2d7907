import type { SnapshotBody } from '../events/event-body.ts'
import { refundsOf } from '../payments/payment.ts'
import { type Making, toBooking } from './booking.ts'
import type { BookingRow } from './booking-row.ts'

/** What an event tells of a booking, as it was then. */
export const bookingBody =
  (making: Making): SnapshotBody =>
  (snapshot, { type, id }) => {
    const booking = revived(snapshot as Stored)
    const refund = type === 'booking.refund_issued' ? refundOf(booking) : {}
    return { booking_id: id, ...refund, data: toBooking(booking, making) }
  }

/** How much goes back, and in all, where nobody has to look for it. */
const refundOf = ({ record: { payment } }: BookingRow) =>
  payment && { ...refundsOf(payment), currency: payment.currency }

/** A row that went through JSON, where instants are text. */
type Stored = Omit<BookingRow, Instants> & { [I in Instants]: string }
type Instants = 'starts_at' | 'ends_at' | 'created_at' | 'updated_at' | 'reminded_until'

const revived = (row: Stored): BookingRow => ({
  ...row,
  starts_at: new Date(row.starts_at),
  ends_at: new Date(row.ends_at),
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
  reminded_until: new Date(row.reminded_until),
  expires_at: row.expires_at && new Date(row.expires_at),
})
