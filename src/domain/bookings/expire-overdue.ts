import type { Means } from '../../protocol/means.ts'
import { lockAndExpire } from './change-booking.ts'
import { GRACE } from './late-release.ts'
import { bookingsOverdue } from './queries.ts'

/** At one go; the rest follows with the next. */
const MOST = 500

/**
 * Writes down that bookings were given up whose time to be resolved has passed, each in a transaction of its own. Where the provider
 * has still to say whether one was paid, its grace begins.
 */
export async function expireOverdue(means: Means<'db' | 'log' | 'makeChange'>, now: Date): Promise<void> {
  const graceEnd = new Date(now.getTime() + GRACE)
  for (const id of await bookingsOverdue(means.db, { now, graceEnd, most: MOST }))
    await means
      .makeChange((tx) => lockAndExpire(tx, id, undefined, now))
      .catch((error) =>
        means.log.warn({ err: error, booking: id }, 'A booking could not be expired; it is tried again.'),
      )
}
