import type { CheckContext, Platform } from '../../run/check-context.ts'
import { bookingOf } from '../transactions/slots-and-bookings.ts'
import { join } from '../transactions/waitlist-steps.ts'
import { eventWith } from './received-events.ts'

/** Makes a booking and cancels it at once. */
export async function bookAndCancel(c: CheckContext, { caller }: Platform = c.platform) {
  const booked = await c.book(undefined, { caller })
  bookingOf(await caller.call('cancelBooking', { booking_id: booked.booking.id }))
  return booked
}

/** Makes a booking, cancels it, and waits for the cancellation event. */
export async function bookAndReceiveCancellation(c: CheckContext) {
  const booked = await bookAndCancel(c)
  const matches = { event: 'booking.canceled', booking_id: booked.booking.id }
  return { ...booked, received: await eventWith(c.platform.hosted, matches) }
}

/**
 * Adds two entries to a waitlist and removes the first. Waits for the event with the new position of the second entry.
 */
export async function receiveChangedPosition(c: CheckContext) {
  const { entry: first } = await join(c)
  const { entry } = await join(c)
  ;(await c.caller.call('leaveWaitlist', { entry_id: first.id })).success()
  const matches = { event: 'waitlist.position_changed', entry_id: entry.id }
  return { entry, received: await eventWith(c.platform.hosted, matches) }
}
