import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { Throttle } from '../../../infra/util/yield-to-event-loop.ts'
import type { Plan, Requirement } from '../service-scheduling-plan.ts'
import type { Span } from '../time-spans.ts'
import type { HintDays } from './free-and-full-time-counter.ts'
import { bytesOf, type StartsByDuration } from './free-start-bits.ts'
import type { PartsOfDays } from './free-times-by-day-part.ts'

/**
 * The times of a service if the buyer chooses a certain person or room. `days` contains the number of free times in
 * each part of the coming days. `starts` contains the free starts.
 */
export interface ChoiceTimes {
  days: PartsOfDays
  starts: StartsByDuration
}

/**
 * Caches the numbers of free times while the server computes availability hints (summaries of free times) for many
 * services. If one person provides hundreds of services at the same times, the server counts these times once.
 */
type ChoiceCounts = LRUCache<string, ChoiceTimes>

/** All cached counts together use at most this many bytes of memory. The counts of four weeks use about 5 KB. */
const MAX_CACHED_BYTES = 25_000_000
const DAYS_BYTES = 5_000

const newChoiceCounts = (): ChoiceCounts =>
  new LRUCache({ maxSize: MAX_CACHED_BYTES, sizeCalculation: ({ starts }) => DAYS_BYTES + bytesOf(starts) })

/**
 * A service may require several resources, such as a person and a room. If buyers choose exactly one of these
 * resources, returns its requirement with the candidates. Otherwise, returns undefined. The server counts the times of
 * each candidate separately.
 */
export function onlySelectable({ requirements }: Plan): Requirement | undefined {
  const [first, ...others] = requirements.filter(({ selectable }) => selectable)
  return others.length === 0 ? first : undefined
}

/**
 * Hash of all data that determine the available times of a service. Services with the same hash have the same times, so
 * they share one count.
 */
export function basisOf(plan: Plan, range: Span, days: HintDays): string {
  const { service, business: _, requirements, resourceDurations, ...times } = plan
  const alone = onlySelectable(plan)
  const needed = requirements.map((one) => one !== alone && [one.selectable, ...one.candidates.map(({ id }) => id)])
  const basis = [service.type, service.capacity, range, days, times, [...resourceDurations], needed]
  return hash('sha256', JSON.stringify(basis), 'base64url')
}

export class HintRun {
  readonly counted: ChoiceCounts = newChoiceCounts()
  readonly pace = new Throttle()
}
