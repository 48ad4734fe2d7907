import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Throttle } from '../../../infra/util/time-slice.ts'
import type { Plan, Requirement } from '../plan.ts'
import type { Span } from '../spans.ts'
import type { PartsOfDays } from './parts-of-days.ts'

/**
 * The counts of free times in one run. If hundreds of services use the same person at the same times, the run counts
 * that person once.
 */
type ChoiceCounts = LRUCache<string, PartsOfDays>

/** The most entries in the cache of counts. An entry covers four weeks and takes about 5 KB. */
const MAX_CACHED = 5_000

const newChoiceCounts = (): ChoiceCounts => new LRUCache({ max: MAX_CACHED })

/**
 * The selectable requirement, if the service has exactly one. In that case the times of each candidate can be counted
 * separately.
 */
export function onlySelectable({ requirements }: Plan): Requirement | undefined {
  const [first, ...others] = requirements.filter(({ selectable }) => selectable)
  return others.length === 0 ? first : undefined
}

/**
 * A hash of everything that determines the times of one selectable resource. Services with the same hash share their
 * counts.
 */
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
