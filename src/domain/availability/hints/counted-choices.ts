import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Throttle } from '../../../infra/util/time-slice.ts'
import type { Plan, Requirement } from '../plan.ts'
import type { Span } from '../spans.ts'
import type { PartsOfDays } from './parts-of-days.ts'

/** Counts of one run. A person who does hundreds of services at the same times is counted once. */
type ChoiceCounts = LRUCache<string, PartsOfDays>

/** Four weeks of one entry take about 5 KB. */
const MAX_CACHED = 5_000

const newChoiceCounts = (): ChoiceCounts => new LRUCache({ max: MAX_CACHED })

/** The only selectable requirement, if there is exactly one. The times of its candidates can then be counted separately. */
export function onlySelectable({ requirements }: Plan): Requirement | undefined {
  const [first, ...others] = requirements.filter(({ selectable }) => selectable)
  return others.length === 0 ? first : undefined
}

/** Hash of everything that determines the times of one choice. Services with the same hash share their counts. */
export function basisOf(plan: Plan, range: Span): string {
  const { service, business: _, requirements, resourceDurations, ...times } = plan
  const selectable = onlySelectable(plan)
  const needed = requirements.map(
    (one) => one !== selectable && [one.selectable, ...one.candidates.map(({ id }) => id)],
  )
  const basis = [service.type, service.capacity, range, times, [...resourceDurations], needed]
  return hash('sha256', JSON.stringify(basis), 'base64url')
}

export class HintRun {
  readonly counted: ChoiceCounts = newChoiceCounts()
  readonly pace = new Throttle()
}
