import { DAY } from '../../../infra/time/units.ts'
import { Outcome } from '../../../protocol/errors.ts'
import { LONGEST_TIME } from '../../availability/limits.ts'

/** Wherever a booking goes each day of it is looked at: with one of two hundred years nobody else has a turn meanwhile. */
export function refuseEndless(start: number, end: number): void {
  if (end - start > LONGEST_TIME)
    throw new Outcome('validation_error', `It can last ${LONGEST_TIME / DAY} days at most.`, '$.end')
}
