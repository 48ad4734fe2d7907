import type { SnapshotBody } from '../../core/events/event-body.ts'
import { refundsOf } from '../payments/payment.ts'
import { type Making, toBooking } from './booking.ts'
import type { BookingRow } from './booking-row.ts'
import { revivedBooking, type StoredBooking } from './stored-booking.ts'

/** What an event tells of a booking, as it was then. */
export const bookingBody =
  (making: Making): SnapshotBody =>
  (snapshot, { type, id }) => {
    const booking = revivedBooking(snapshot as StoredBooking)
    const refund = type === 'booking.refund_issued' ? refundOf(booking) : {}
    return { booking_id: id, ...refund, data: toBooking(booking, making) }
  }

/** How much goes back, and in all, where nobody has to look for it. */
const refundOf = ({ record: { payment } }: BookingRow) =>
  payment && { ...refundsOf(payment), currency: payment.currency }
