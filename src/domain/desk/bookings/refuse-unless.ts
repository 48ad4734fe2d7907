import { Outcome } from '../../../protocol/errors.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { next, type Step } from '../../bookings/lifecycle.ts'

export function refuseUnless({ status }: BookingRow, step: Step, done: string): void {
  if (next(status, step) === undefined)
    throw new Outcome('invalid_transition', `A booking that is ${status.replaceAll('_', ' ')} cannot be ${done}.`)
}
