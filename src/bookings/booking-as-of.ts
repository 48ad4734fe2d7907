import { netOf, refunded } from '../payments/payment.ts'
import type { BookingRow } from './booking-row.ts'
import { after, isUnresolved } from './lifecycle.ts'

/** Whether it was not resolved in time, even where that has not been stored yet. */
export const hasExpired = ({ status, expires_at }: Pick<BookingRow, 'status' | 'expires_at'>, now: Date): boolean =>
  isUnresolved(status) && expires_at !== null && expires_at <= now

/**
 * The booking as it is at this instant: one that was not resolved in time counts as canceled from its expiry on, even
 * where the expiry has not been stored yet. Whatever was paid goes back.
 */
export function bookingAsOf(booking: BookingRow, now: Date): BookingRow {
  const { status, expires_at, record } = booking
  if (!expires_at || !hasExpired(booking, now)) return booking
  const refund = netOf(record.payment)
  return {
    ...booking,
    status: after(status, 'expire'),
    expires_at: null,
    revision: booking.revision + 1,
    updated_at: expires_at,
    record: {
      ...record,
      tasks: [],
      sequence: record.sequence + 1,
      cancellation: {
        reason: status === 'pending' ? 'It was not confirmed in time.' : 'It was not completed in time.',
        canceled_by: 'system',
        fee: 0,
        refund_amount: refund,
        canceled_at: expires_at.toISOString(),
      },
      ...(record.payment && { payment: refunded(record.payment, refund) }),
    },
  }
}
