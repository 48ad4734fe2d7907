import type { Runtime } from '../runtime.ts'
import { lockAndSettle } from './change-booking.ts'
import { bookingsOverdue } from './queries.ts'

/** At one go; the rest follows with the next. */
const MOST = 500

/** Writes down that bookings were given up whose time to be resolved has passed, each in a transaction of its own. */
export async function expireOverdue(runtime: Runtime, now: Date): Promise<void> {
  for (const id of await bookingsOverdue(runtime.db, now, MOST))
    await runtime
      .makeChange((tx) => lockAndSettle(tx, id, undefined, now))
      .catch((error) => runtime.log.warn({ err: error, booking: id }, 'a booking cannot be expired'))
}
