import type { Database } from '../../infra/db/database.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { EXPLAIN_LIMITS, SEARCH_AHEAD_MS } from './availability-limits.ts'
import { type AvailableDay, availableDays } from './available-days.ts'
import type { AvailableTime, SearchedTime } from './available-times.ts'
import { availableTimesInBatches, bookableRange } from './find-available-times.ts'
import type { Plan } from './service-scheduling-plan.ts'
import {
  type AvailabilityRequest,
  matchesRequest,
  planFor,
  type Reason,
  whyNever,
  whyUnavailable,
} from './unavailable-reasons.ts'

export const DIFFERENCES = ['earlier', 'later', 'resource', 'location', 'duration'] as const

export type Difference = (typeof DIFFERENCES)[number]

interface Explanation {
  /**
   * The first free times that match the request. If the list has a free time, the lists `reasons` and `instead` are
   * empty.
   */
  free: AvailableTime[]
  reasons: Reason[]
  instead: { differs: Difference; time: AvailableTime }[]
}

export async function explain(
  db: Database,
  plan: Plan,
  request: AvailabilityRequest,
  { now, queues }: { now: Date; queues: boolean },
): Promise<Explanation> {
  const free = whyNever(plan, request) ? [] : await firstTimes(db, plan, request, { now })
  if (free.length > 0) return { free, reasons: [], instead: [] }
  return {
    free,
    reasons: await whyNot(db, plan, request, { now, queues }),
    instead: [...(await nearest(db, plan, request, now)), ...(await dropOneWish(db, plan, request, now))],
  }
}

async function whyNot(
  db: Database,
  plan: Plan,
  request: AvailabilityRequest,
  { now, queues }: { now: Date; queues: boolean },
) {
  const never = whyNever(plan, request)
  if (never) return [never]
  const why = await whyUnavailable(db, plan, request, now)
  const isFull = why === 'taken' || why === 'fully_booked'
  if (isFull && request.party > 1 && (await firstTimes(db, plan, { ...request, party: 1 }, { now })).length > 0)
    return ['party_too_large' as const]
  // A waitlist entry is for only one person. Therefore the answer does not suggest the waitlist of a service that
  // requires several people for each booking.
  const isOpen = isFull && queues && (plan.service.capacity?.min ?? 1) === 1
  return [why, ...(isOpen ? ['waitlist_open' as const] : [])]
}

/** Finds alternatives: the last free time before the requested range, and the first free time after the range. */
async function nearest(
  db: Database,
  plan: Plan,
  request: AvailabilityRequest,
  now: Date,
): Promise<Explanation['instead']> {
  if (whyNever(plan, request)) return []
  const [begin, to] = request.range
  const [, from] = bookableRange(plan, [begin, begin], now)
  const earlier = await lastTime(db, plan, { ...request, range: [from - EXPLAIN_LIMITS.before * DAY, from] }, now)
  const [later] = await firstTimes(
    db,
    plan,
    { ...request, range: [to, Math.max(to, now.getTime()) + SEARCH_AHEAD_MS] },
    { now },
  )
  return [
    ...(earlier ? [{ differs: 'earlier' as const, time: earlier }] : []),
    ...(later ? [{ differs: 'later' as const, time: later }] : []),
  ]
}

/**
 * Finds alternatives: free times within the requested range that differ from the request in one point. The point is the
 * resource (person, room or item), the location or the duration.
 */
async function dropOneWish(
  db: Database,
  plan: Plan,
  request: AvailabilityRequest,
  now: Date,
): Promise<Explanation['instead']> {
  const found: Explanation['instead'] = []
  for (const differs of ['resource', 'location', 'duration'] as const) {
    const without = { ...request, [differs]: undefined }
    if (request[differs] === undefined || whyNever(plan, without)) continue
    const { property, count } = ALTERNATIVES[differs]
    const most = Math.min(count(plan, request), EXPLAIN_LIMITS.listed)
    const times = most > 0 ? await firstTimes(db, plan, without, { now, property, most }) : []
    found.push(...times.map((time) => ({ differs, time })))
  }
  return found
}

/**
 * To find alternatives, the search ignores one part of the request, such as the location. `property` reads this part
 * from a free time. `count` returns the number of possible alternatives, so that the search can stop after the last
 * one.
 */
const ALTERNATIVES = {
  resource: {
    property: ({ picks }: AvailableTime) => picks.join(),
    count({ service, requirements }: Plan, { resource }: AvailabilityRequest) {
      if (service.type === 'group') return EXPLAIN_LIMITS.listed
      const kinds = requirements.filter(({ selectable }) => selectable)
      return Math.max(1, ...kinds.map(({ candidates }) => candidates.filter(({ id }) => id !== resource).length))
    },
  },
  location: {
    property: ({ location }: AvailableTime) => location,
    count: ({ locations }: Plan, { location }: AvailabilityRequest) =>
      locations.filter((one) => one !== location).length,
  },
  duration: {
    property: ({ start, end }: AvailableTime) => end - start,
    count: ({ durations }: Plan, { duration }: AvailabilityRequest) =>
      durations.filter((one) => one !== duration).length,
  },
}

const fits = (time: SearchedTime, request: AvailabilityRequest): boolean =>
  time.capacity?.remaining !== 0 && matchesRequest(time, request)

const FIRST_BATCH = 50

interface Selection {
  now: Date
  /**
   * Returns the property of a free time in which the alternatives differ, such as the location. If several free times
   * have the same value, the search returns only the earliest of these times.
   */
  property?(time: AvailableTime): unknown
  most?: number
}

async function firstTimes(
  db: Database,
  plan: Plan,
  request: AvailabilityRequest,
  { now, property = (time) => time, most = EXPLAIN_LIMITS.listed }: Selection,
): Promise<AvailableTime[]> {
  const search = {
    range: bookableRange(plan, request.range, now),
    party: request.party,
    now,
    wanted: FIRST_BATCH,
    fits: (time: SearchedTime) => fits(time, request),
  }
  const found = new Map<unknown, AvailableTime>()
  for await (const times of availableTimesInBatches(db, planFor(plan, request), search))
    for (const time of times) {
      if (!found.has(property(time))) found.set(property(time), time)
      if (found.size === most) return [...found.values()]
    }
  return [...found.values()]
}

async function lastTime(
  db: Database,
  plan: Plan,
  request: AvailabilityRequest,
  now: Date,
): Promise<AvailableTime | undefined> {
  const days: AvailableDay[] = []
  const search = { range: bookableRange(plan, request.range, now), party: request.party, now }
  for await (const day of availableDays(db, planFor(plan, request), search)) days.push(day)
  for (const day of days.reverse()) {
    const time = (await day.times()).findLast((one) => fits(one, request))
    if (time) return time
  }
}
