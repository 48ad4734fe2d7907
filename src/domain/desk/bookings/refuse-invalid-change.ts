import { DAY } from '../../../infra/time/time-units.ts'
import { BusinessRefusal, invalidInput } from '../../../protocol/errors.ts'
import { MAX_DURATION_MS } from '../../availability/availability-limits.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { next, type Step } from '../../bookings/lifecycle.ts'

export function refuseUnlessAllowed({ status }: BookingRow, step: Step, done: string): void {
  if (next(status, step) === undefined)
    throw new BusinessRefusal(
      'invalid_transition',
      `A booking that is ${status.replaceAll('_', ' ')} cannot be ${done}.`,
    )
}

/**
 * Refuses a booking that is too long. The server checks each day of a booking, so a very long booking would delay other
 * requests.
 */
export function refuseTooLong(start: number, end: number): void {
  if (end - start > MAX_DURATION_MS) throw invalidInput(`It can last at most ${MAX_DURATION_MS / DAY} days.`, '$.end')
}
