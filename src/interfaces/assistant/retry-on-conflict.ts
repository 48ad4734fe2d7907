import { revisionOf } from '../../domain/bookings/booking.ts'
import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { type ToolContext, ToolError } from './tool.ts'

/** Each try fails when another writer changed the booking first. */
const MOST_TRIES = 10

/**
 * Repeats `change` while it returns undefined, which means that another writer changed the booking after it was read.
 */
export async function retryOnConflict<T>(change: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const changed = await change()
    if (changed !== undefined) return changed
  }
  throw new ToolError('Other calls keep changing this booking. Call again in a minute.')
}

/** Makes the change conditional on the revision that was read. */
export const ifUnchangedSince = (booking: BookingRow, { means }: ToolContext) => ({
  headers: { 'if-match': revisionOf(means.tag, booking) },
})

/** For `catch`: turns a revision mismatch into undefined. */
export function undefinedIfStale(error: unknown): undefined {
  if (!(error instanceof ProtocolError) || error.code !== 'revision_mismatch') throw error
}
