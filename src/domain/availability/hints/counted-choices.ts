import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Plan, Requirement } from '../plan.ts'
import type { Span } from '../spans.ts'
import type { PartsOfDays } from './parts-of-days.ts'

/** What was counted at one go, so that of people who do hundreds of services at the same times each is counted once. */
export type CountedChoices = LRUCache<string, PartsOfDays>

/** Four weeks of one of them take some 5 KB. */
const MOST_KEPT = 5_000

export const countedChoices = (): CountedChoices => new LRUCache({ max: MOST_KEPT })

/** Those of whom one is chosen, and nobody else with them: the times with each are times of their own. */
export function chosenAlone({ requirements }: Plan): Requirement | undefined {
  const [first, ...others] = requirements.filter(({ selectable }) => selectable)
  return others.length === 0 ? first : undefined
}

/** Names what the times with one choice are made of: services of the same name have them in common. */
export function basisOf(plan: Plan, range: Span): string {
  const { service, business: _, requirements, lengths, ...times } = plan
  const alone = chosenAlone(plan)
  const needed = requirements.map((one) => one !== alone && [one.selectable, ...one.candidates.map(({ id }) => id)])
  const basis = [service.type, service.capacity, range, times, [...lengths], needed]
  return hash('sha256', JSON.stringify(basis), 'base64url')
}
