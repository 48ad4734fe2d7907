import { revisionOf } from '../../domain/bookings/booking.ts'
import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { type Asked, Unable } from './tool.ts'

/** Each time that somebody else was faster. */
const MOST_TRIES = 10

/** Reads a booking and changes it as it was read, which gives nothing where somebody changed it meanwhile: then all is done anew. */
export async function untilUnchanged<T>(change: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const changed = await change()
    if (changed !== undefined) return changed
  }
  throw new Unable('Others keep changing this booking. Call again in a minute.')
}

/** Only of the booking as it was read. */
export const asRead = (booking: BookingRow, { means }: Asked) => ({
  headers: { 'if-match': revisionOf(means.tag, booking) },
})

/** For `catch`. */
export function unlessStale(error: unknown): undefined {
  if (!(error instanceof ProtocolError) || error.code !== 'revision_mismatch') throw error
}
