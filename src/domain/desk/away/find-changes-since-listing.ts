import { invalidInput } from '../../../protocol/errors.ts'
import { revisionOf } from '../../bookings/booking-response.ts'
import { type BookingRow, bookingAsOf } from '../../bookings/booking-row.ts'
import type { SessionState } from '../hours/class-session-queries.ts'
import type { ClearTimeContext } from './clear-bookings-for-absence.ts'

export type Changed = { why: 'new' | 'changed' | 'not_affected' | 'taken' } & (
  | { booking_id: string }
  | { session_id: string }
)

interface Found {
  rows: readonly BookingRow[]
  affected: readonly BookingRow[]
  classes: readonly SessionState[]
}

/**
 * Lists the bookings and classes that have changed since the staff read the list of affected bookings. Such a booking
 * or class is new, changed or no longer affected by the absence.
 */
export function changesSince({ input, tag, now }: ClearTimeContext, { rows, affected, classes }: Found): Changed[] {
  const { bookings = [], sessions = [] } = input
  const decided = new Set(bookings.map(({ booking_id }) => booking_id))
  const chosen = new Set(sessions.map(({ session_id }) => session_id))
  if (decided.size < bookings.length || chosen.size < sessions.length)
    throw invalidInput('Each booking and each class can have only one decision.', '$.bookings')
  const whyOf = (id: string, revision: string): Changed['why'] | undefined => {
    const row = rows.find((one) => one.id === id)
    if (row && revisionOf(tag, bookingAsOf(row, now)) !== revision) return 'changed'
    return affected.some((one) => one.id === id) ? undefined : 'not_affected'
  }
  const whyOfClass = (id: string, taken: number): Changed['why'] | undefined => {
    const found = classes.find((one) => one.id === id)
    if (!found) return 'not_affected'
    return found.taken === taken ? undefined : 'changed'
  }
  return [
    ...affected.flatMap(({ id }) => (decided.has(id) ? [] : { booking_id: id, why: 'new' as const })),
    ...classes.flatMap(({ id }) => (chosen.has(id) ? [] : { session_id: id, why: 'new' as const })),
    ...bookings.flatMap(({ booking_id, revision }) => {
      const why = whyOf(booking_id, revision)
      return why ? { booking_id, why } : []
    }),
    ...sessions.flatMap(({ session_id, taken }) => {
      const why = whyOfClass(session_id, taken)
      return why ? { session_id, why } : []
    }),
  ]
}
