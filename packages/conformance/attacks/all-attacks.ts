import type { Check } from '../checks/check.ts'
import { guessingAttacks } from './guessing.ts'
import { hostileConnectionAttacks } from './hostile-connections.ts'
import { hostileInputAttacks } from './hostile-inputs.ts'
import { paceOf } from './pace.ts'

/** Checks that attack the server. They send at most `perSecond` hostile requests in a second. */
export function allAttacks(perSecond: number): Check[] {
  const pace = paceOf(perSecond)
  return [...hostileInputAttacks(pace), ...hostileConnectionAttacks(pace), ...guessingAttacks(pace)]
}
