import type { SnapshotBody } from '../../core/events/event-body.ts'
import { refundsOf } from '../payments/payment.ts'
import { type BookingWireDependencies, toBooking } from './booking.ts'
import type { BookingRow } from './booking-row.ts'
import { revivedBooking, type StoredBooking } from './stored-booking.ts'

export const bookingBody =
  (making: BookingWireDependencies): SnapshotBody =>
  (snapshot, { type, id }) => {
    const booking = revivedBooking(snapshot as StoredBooking)
    const refund = type === 'booking.refund_issued' ? refundOf(booking) : {}
    return { booking_id: id, ...refund, data: toBooking(booking, making) }
  }

/** The amount of the refund and the total, at the top level where receivers find them easily. */
const refundOf = ({ record: { payment } }: BookingRow) =>
  payment && { ...refundsOf(payment), currency: payment.currency }
