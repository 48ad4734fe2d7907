import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { DAY, MINUTE } from '../../infra/time/time-units.ts'
import { checkoutsOfBooking } from '../payments/queries.ts'
import { allocationKeep } from './allocate-booking-slot.ts'
import { type BookingRow, bookingAsOf, expiredAt, isBeingChecked } from './booking-row.ts'
import { releaseUpdate } from './queries.ts'

/**
 * If all servers are down, a booking keeps its slot for this number of milliseconds after the buyer's time to pay. Only
 * a running server can ask the payment provider whether the buyer paid in time.
 */
const RELEASE_WITHOUT_SERVER_MS = DAY
/**
 * The server waits at most this number of milliseconds for the payment provider to say whether the buyer paid. The wait
 * begins when a server notices that the buyer's time to pay is over.
 */
export const PROVIDER_GRACE_MS = 5 * MINUTE

/**
 * Reserves the slot of a booking for longer, before the buyer opens the payment page. If the buyer then pays in time,
 * the booking stays valid, even if the server learns of the payment late. Returns false if the reservation has already
 * expired.
 */
export async function keepForCheckout(tx: UnitOfWork, booking: BookingRow, now: Date): Promise<boolean> {
  const { expires_at, release_at } = booking
  if (expires_at === null || (release_at && release_at > expires_at)) return true
  return keepUntil(tx, booking, new Date(expires_at.getTime() + RELEASE_WITHOUT_SERVER_MS), now)
}

/**
 * Returns the current state of a locked booking. After the buyer's time to pay, the booking expires as soon as all its
 * payment pages are closed. If the payment provider does not answer, the booking expires some minutes later.
 */
export async function bookingAfterWindow(tx: UnitOfWork, booking: BookingRow, now: Date): Promise<BookingRow> {
  if (!isBeingChecked(booking, now)) return bookingAsOf(booking, now)
  if ((await checkoutsOfBooking(tx, booking.id)).length === 0) return expiredAt(booking, now)
  const release_at = new Date(now.getTime() + PROVIDER_GRACE_MS)
  if (booking.release_at && booking.release_at <= release_at) return booking
  return (await keepUntil(tx, booking, release_at, now)) ? { ...booking, release_at } : expiredAt(booking, now)
}

async function keepUntil(tx: UnitOfWork, booking: BookingRow, until: Date, now: Date): Promise<boolean> {
  await releaseUpdate(tx, booking.id, until)
  return allocationKeep(tx, booking, until, now)
}
