import { sql } from 'kysely'
import { netOf, refunded } from '../payments/payment.ts'
import type { BookingRow } from './booking-row.ts'
import { after, isUnresolved } from './lifecycle.ts'

type Expiry = Pick<BookingRow, 'status' | 'expires_at' | 'release_at'>

/** When an unresolved booking gives up its claims. See docs/decisions/0113. */
export const releaseOf = ({ expires_at, release_at }: Pick<Expiry, 'expires_at' | 'release_at'>): Date | null =>
  expires_at && release_at && release_at > expires_at ? release_at : expires_at

/** The same in SQL, for rows whose `expires_at` is not null. */
export const releaseColumn = sql<Date>`greatest(expires_at, release_at)`

/** Whether a stored booking is not due to be given up. */
export const isUnexpired = (now: Date) => sql<boolean>`(expires_at is null or ${releaseColumn} > ${now})`

/** Whether it was not resolved in time, even where that has not been stored yet. */
export function hasExpired(booking: Expiry, now: Date): boolean {
  const release = releaseOf(booking)
  return isUnresolved(booking.status) && release !== null && release <= now
}

/** Whether its time to be paid is over, and the provider has still to say whether it was paid before. */
export const isBeingChecked = (booking: Expiry, now: Date): boolean =>
  isUnresolved(booking.status) && booking.expires_at !== null && booking.expires_at <= now && !hasExpired(booking, now)

/**
 * The booking as it is at this instant: one that was not resolved in time counts as canceled from its release on, even
 * where that has not been stored yet. Whatever was paid goes back.
 */
export function bookingAsOf(booking: BookingRow, now: Date): BookingRow {
  const release = releaseOf(booking)
  return release && hasExpired(booking, now) ? expiredAt(booking, release) : booking
}

export function expiredAt(booking: BookingRow, at: Date): BookingRow {
  const { status, record } = booking
  const refund = netOf(record.payment)
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
      ...(record.payment && { payment: refunded(record.payment, refund) }),
    },
  }
}
