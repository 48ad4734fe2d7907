import type { Database } from '../../infra/db/database.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { SearchedTime } from './available-times.ts'
import { matchesWish, type SlotWish } from './filter-times-by-resource.ts'
import { bookableRange, sessionTimes } from './find-available-times.ts'
import { narrowPlan, type Plan } from './service-scheduling-plan.ts'
import { namedResources } from './time-slot-response.ts'
import type { Span } from './time-spans.ts'
import { isEverScheduled, whyNeverAvailable, whyOutsideWindow } from './why-never-available.ts'
import { whyUnscheduled } from './why-not-scheduled.ts'

export interface AvailabilityRequest extends SlotWish {
  range: Span
  party: number
  /** The duration that the caller wants, in milliseconds. */
  duration?: number | undefined
}

export const REASONS = [
  ...(['past', 'too_soon', 'too_far_ahead', 'closed', 'nobody_there', 'not_at_once', 'other_times'] as const),
  ...(['taken', 'fully_booked', 'no_class', 'waitlist_open', 'party_too_large', 'party_too_small'] as const),
  ...(['not_at_location', 'not_with_resource', 'not_for_so_long', 'service_suspended', 'service_archived'] as const),
] as const

export type Reason = (typeof REASONS)[number]

export function whyNever(plan: Plan, request: AvailabilityRequest): Reason | undefined {
  const { party, duration, resource = '' } = request
  if (party < (plan.service.capacity?.min ?? 1)) return 'party_too_small'
  const lengths = plan.resourceDurations.has(resource) ? [plan.resourceDurations.get(resource)] : plan.durations
  if (duration !== undefined && !lengths.includes(duration)) return 'not_for_so_long'
  const never = whyNeverAvailable(plan, request)
  return never === 'not_enough_room' ? 'party_too_large' : never
}

export const planFor = (plan: Plan, { resource, location, duration }: AvailabilityRequest): Plan =>
  narrowPlan(plan, { ids: [resource], location, duration })

/**
 * Whether a time has the resource, the location and the duration that the caller wants. The function checks the
 * duration only for classes. For other services, the search itself finds only times of the wanted duration.
 */
export const matchesRequest = (time: SearchedTime, request: AvailabilityRequest): boolean =>
  matchesWish(time, request) &&
  (request.duration === undefined || time.session === undefined || time.end - time.start === request.duration)

/** The reason why the requested range has no free time. Call this function only if a search has found no free time. */
export async function whyUnavailable(
  db: Database,
  plan: Plan,
  request: AvailabilityRequest,
  now: Date,
): Promise<Reason> {
  const outside = whyOutsideWindow(plan, request.range, now)
  if (outside) return outside
  const range = bookableRange(plan, request.range, now)
  const fits = (time: SearchedTime) => matchesRequest(time, request)
  if (plan.service.type === 'group') {
    const classes = await sessionTimes(db, plan, { range, party: 1, now })
    return classes.some(fits) ? 'fully_booked' : 'no_class'
  }
  const searched = planFor(plan, request)
  if (!(await isEverScheduled(searched, range, fits))) return whyUnscheduled(searched, range, request.resource)
  return plan.service.type === 'reservation' ? 'fully_booked' : 'taken'
}

export function reasonText(
  { say, locale }: Localizer,
  plan: Plan,
  code: Reason,
  { resource }: Pick<AvailabilityRequest, 'resource'>,
): string {
  if (code === 'party_too_small') return say('why.party_too_small', { least: plan.service.capacity?.min ?? 1 })
  const [namedResource] = resource !== undefined && isNamed(code) ? namedResources(plan, [resource], locale) : []
  return namedResource && isNamed(code) ? say(TEXTS_WITH_NAME[code], { who: namedResource.name }) : say(`why.${code}`)
}

/**
 * Keys of the texts for a request that names a person, room or item. These texts say only that the named resource is
 * not available, because other resources may be free.
 */
const TEXTS_WITH_NAME = {
  nobody_there: 'why.nobody_there.with',
  taken: 'why.taken.with',
  fully_booked: 'why.taken.with',
} as const

const isNamed = (code: Reason): code is keyof typeof TEXTS_WITH_NAME => code in TEXTS_WITH_NAME
