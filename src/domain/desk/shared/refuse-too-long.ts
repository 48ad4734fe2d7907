import { DAY } from '../../../infra/time/units.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { MAX_DURATION_MS } from '../../availability/limits.ts'

/** The server examines every day of a booking. A booking of two hundred years would block all other requests. */
export function refuseTooLong(start: number, end: number): void {
  if (end - start > MAX_DURATION_MS)
    throw new BusinessRefusal('validation_error', `It can last at most ${MAX_DURATION_MS / DAY} days.`, '$.end')
}
