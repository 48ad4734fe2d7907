import { DAY } from '../../../infra/time/units.ts'
import { Outcome } from '../../../protocol/errors.ts'
import { LONGEST_TIME } from '../../availability/limits.ts'

/** The server examines every day of a booking. A booking of two hundred years would block all other requests. */
export function refuseEndless(start: number, end: number): void {
  if (end - start > LONGEST_TIME)
    throw new Outcome('validation_error', `It can last ${LONGEST_TIME / DAY} days at most.`, '$.end')
}
