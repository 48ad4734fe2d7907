import type { Dependencies } from '../../protocol/dependencies.ts'
import { lockAndExpire } from './change-booking.ts'
import { bookingsOverdue } from './queries.ts'
import { PROVIDER_GRACE_MS } from './release-after-window.ts'

/** Bookings in one run. The next run takes the rest. */
const BATCH = 500

/**
 * Stores overdue bookings as expired, each in its own transaction. Where the provider has yet to report a payment, the
 * grace of the booking begins.
 */
export async function expireOverdue(dependencies: Dependencies<'db' | 'log' | 'makeChange'>, now: Date): Promise<void> {
  const graceEnd = new Date(now.getTime() + PROVIDER_GRACE_MS)
  for (const id of await bookingsOverdue(dependencies.db, { now, graceEnd, most: BATCH }))
    await dependencies
      .makeChange((tx) => lockAndExpire(tx, id, undefined, now))
      .catch((error) =>
        dependencies.log.warn({ err: error, booking: id }, 'A booking could not be expired; it is tried again.'),
      )
}
