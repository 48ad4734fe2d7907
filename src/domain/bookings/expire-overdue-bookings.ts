import type { Dependencies } from '../../protocol/dependency-types.ts'
import { lockAndExpire } from './lock-and-save-booking.ts'
import { bookingsOverdue } from './queries.ts'
import { PROVIDER_GRACE_MS } from './release-after-payment-window.ts'

/** One run of this job expires at most this many bookings. The next run continues with the other bookings. */
const BATCH = 500

/**
 * Expires bookings past their deadline, each in its own transaction. If the payment provider has not answered yet
 * whether the buyer paid, the booking instead gets a few more minutes.
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
