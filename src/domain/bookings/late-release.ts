import type { Change } from '../../infra/db/change.ts'
import { DAY, MINUTE } from '../../infra/time/units.ts'
import { checkoutsOfBooking } from '../payments/queries.ts'
import { allocationKeep } from './booking-allocation.ts'
import { bookingAsOf, expiredAt, isBeingChecked } from './booking-as-of.ts'
import type { BookingRow } from './booking-row.ts'
import { releaseUpdate } from './queries.ts'

/** Milliseconds that a booking keeps its time after its window while no server is running that could ask the provider. */
const WHILE_DOWN = DAY
/** Milliseconds to ask a provider that does not answer, from when a server first sees that the window is over. */
export const GRACE = 5 * MINUTE

/** Before its buyer is led to the provider, so that a payment in time is found however late. False where its time is gone. */
export async function keepForCheckout(tx: Change, booking: BookingRow, now: Date): Promise<boolean> {
  const { expires_at, release_at } = booking
  if (expires_at === null || (release_at && release_at > expires_at)) return true
  return keepUntil(tx, booking, new Date(expires_at.getTime() + WHILE_DOWN), now)
}

/**
 * A locked booking as it is now. After its window it is given up as soon as the provider has closed all of its checkouts, and at
 * the latest when the grace is over.
 */
export async function bookingAfterWindow(tx: Change, booking: BookingRow, now: Date): Promise<BookingRow> {
  if (!isBeingChecked(booking, now)) return bookingAsOf(booking, now)
  if ((await checkoutsOfBooking(tx, booking.id)).length === 0) return expiredAt(booking, now)
  const release_at = new Date(now.getTime() + GRACE)
  if (booking.release_at && booking.release_at <= release_at) return booking
  return (await keepUntil(tx, booking, release_at, now)) ? { ...booking, release_at } : expiredAt(booking, now)
}

async function keepUntil(tx: Change, booking: BookingRow, until: Date, now: Date): Promise<boolean> {
  await releaseUpdate(tx, booking.id, until)
  return allocationKeep(tx, booking, until, now)
}
