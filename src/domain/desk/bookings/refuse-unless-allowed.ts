import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { next, type Step } from '../../bookings/lifecycle.ts'

export function refuseUnlessAllowed({ status }: BookingRow, step: Step, done: string): void {
  if (next(status, step) === undefined)
    throw new BusinessRefusal(
      'invalid_transition',
      `A booking that is ${status.replaceAll('_', ' ')} cannot be ${done}.`,
    )
}
