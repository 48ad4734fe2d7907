import { sql } from 'kysely'
import { keptAmountOf, withRefund } from '../payments/payment.ts'
import type { BookingRow } from './booking-row.ts'
import { after, isUnresolved } from './lifecycle.ts'

type Expiry = Pick<BookingRow, 'status' | 'expires_at' | 'release_at'>

/** When an unresolved booking releases its claims. See docs/decisions/0113. */
export const releaseOf = ({ expires_at, release_at }: Pick<Expiry, 'expires_at' | 'release_at'>): Date | null =>
  expires_at && release_at && release_at > expires_at ? release_at : expires_at

/** The same in SQL, for rows whose `expires_at` is not null. */
export const releaseColumn = sql<Date>`greatest(expires_at, release_at)`

export const isUnexpired = (now: Date) => sql<boolean>`(expires_at is null or ${releaseColumn} > ${now})`

/** Whether an unresolved booking has expired, even if the database does not show it yet. */
export function hasExpired(booking: Expiry, now: Date): boolean {
  const release = releaseOf(booking)
  return isUnresolved(booking.status) && release !== null && release <= now
}

/** Whether the payment window is over, but the provider has not yet reported whether the buyer paid in time. */
export const isBeingChecked = (booking: Expiry, now: Date): boolean =>
  isUnresolved(booking.status) && booking.expires_at !== null && booking.expires_at <= now && !hasExpired(booking, now)

/**
 * The booking at this instant. An unresolved booking counts as canceled from its release on, even if the database does not
 * show it yet. All payments go back.
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
