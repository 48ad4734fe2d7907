import { next, type Step } from '../../bookings/lifecycle.ts'
import type { BookingRow } from '../../bookings/record.ts'
import { Outcome } from '../../protocol/errors.ts'

/** Where the step leads from where the booking is; refused when it leads nowhere. */
export function stepFrom({ status }: BookingRow, step: Step, done: string): BookingRow['status'] {
  const reached = next(status, step)
  if (reached === undefined)
    throw new Outcome('invalid_transition', `A booking that is ${status.replaceAll('_', ' ')} cannot be ${done}.`)
  return reached
}
