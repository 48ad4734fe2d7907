import { type OwnSeats, type SessionRow, seatsOf, sessionsBetween } from '../../core/ledger/class-session-seats.ts'
import {
  type ClaimedSpan,
  type ClaimHolder,
  claimsOf,
  claimsWithin,
  decodeClaims,
} from '../../core/ledger/resource-claims.ts'
import type { Database } from '../../infra/db/database.ts'
import { DAY, HOUR } from '../../infra/time/time-units.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import { MAX_ADVANCE_MS } from './availability-limits.ts'
import { type AvailableTime, availableTime, type SearchedTime } from './available-times.ts'
import { scheduledLazily } from './cached-scheduled-times.ts'
import type { ScheduledTime } from './generate-scheduled-times.ts'
import { isLazyWorthwhile, LazyOccupancy, resourcesToReadFirst } from './load-occupancy-on-demand.ts'
import { EncodedOccupancy, memoizedOccupancy, type Occupancy, occupancyOf } from './resource-occupancy.ts'
import { maxDuration } from './service-durations.ts'
import { type Plan, resourcesOf } from './service-scheduling-plan.ts'
import type { Span } from './time-spans.ts'
import { daysWithin, withinDays } from './working-hours-and-closures.ts'

/**
 * Returns the part of a time range in which buyers can book now. This part begins after the minimum notice of the
 * service. It ends at the booking horizon (how far ahead buyers can book), if the service states one, and covers at most
 * five years.
 */
export const bookableRange = ({ minAdvance, maxAdvance }: Plan, [from, to]: Span, now: Date): Span => [
  Math.max(from, now.getTime() + minAdvance),
  Math.min(to, now.getTime() + maxAdvance + 1, Math.max(from, now.getTime()) + MAX_ADVANCE_MS + 1),
]

export interface Search {
  range: Span
  party: number
  now: Date
  /**
   * A booking, hold (a short reservation) or waitlist offer for which the server searches another time. In this search,
   * its own reserved time counts as free. Example: a buyer moves a booking.
   */
  except?: ClaimHolder | undefined
}

interface Wanted {
  wanted: number
  fits?: (time: SearchedTime) => boolean
}

/**
 * If a caller wants at least this many available times, the server reads the reserved times of all resources in one
 * query. For fewer times, the server may read the reserved times step by step.
 */
const EAGER_FROM_WANTED = 1_000

/**
 * Yields the available times within the range that the function `fits` accepts, earliest first, in batches. The server
 * reads reserved times step by step, while the caller iterates. Usually, one database query is enough.
 */
export async function* availableTimesInBatches(
  db: Database,
  plan: Plan,
  { wanted, fits = () => true, ...search }: Search & Wanted,
): AsyncIterable<AvailableTime[]> {
  const { range, party } = search
  if (plan.service.type === 'group') return yield (await sessionTimes(db, plan, search)).filter(fits)
  let isFewEnough = wanted < EAGER_FROM_WANTED && isLazyWorthwhile(plan)
  for await (const days of dayBatches(plan, range, wanted)) {
    const busy = new LazyOccupancy(plan, (ids) => readOccupancy(db, plan, days, { ...search, ids }))
    await busy.read(isFewEnough ? resourcesToReadFirst(scheduledLazily(plan, days)) : undefined)
    const findTime = (scheduled: ScheduledTime) => {
      const time = availableTime(plan, busy, scheduled, party)
      return time && fits(time) ? time : undefined
    }
    yield* matchesInBatches(
      scheduledLazily(plan, days),
      (scheduled) => busy.withLoaded(() => findTime(scheduled)),
      wanted,
    )
    // If the server needed a second query, many people or rooms are reserved on these days. Later days are probably
    // similar. Therefore, for later days, the server reads the reserved times of all resources in one query.
    isFewEnough &&= busy.reads < 2
  }
}

/**
 * Yields the first `wanted` matching times as one batch, and all further matching times as a second batch. During the
 * search, the server gives other work a turn on the event loop.
 */
async function* matchesInBatches(
  times: Iterable<ScheduledTime>,
  match: (scheduled: ScheduledTime) => AvailableTime | undefined | Promise<AvailableTime | undefined>,
  wanted: number,
): AsyncIterable<AvailableTime[]> {
  let found: AvailableTime[] = []
  let hasEnough = false
  for (const scheduled of times) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    const result = match(scheduled)
    const time = result instanceof Promise ? await result : result
    if (!time) continue
    found.push(time)
    if (hasEnough || found.length < wanted) continue
    yield found
    ;[found, hasEnough] = [[], true]
  }
  yield found
}

/** The class sessions within the range that are full, or that have enough free seats for all people of the booking. */
export async function sessionTimes(
  db: Database,
  plan: Plan,
  { range: [from, to], party, now, except }: Search,
): Promise<SearchedTime[]> {
  if (from >= to) return []
  const sessions = await sessionsBetween(db, plan.service.id, { from, to }, now)
  const ownSeats = except ? await seatsOf(db, except, now) : undefined
  const adjusted = ownSeats ? sessions.map((session) => withoutOwnSeats(ownSeats, session)) : sessions
  return adjusted.map(timeOfSession).filter(({ capacity }) => capacity.remaining === 0 || capacity.remaining >= party)
}

const withoutOwnSeats = ({ session_id, spots, held }: OwnSeats, session: SessionRow): SessionRow =>
  session.id === session_id ? { ...session, taken: session.taken - spots, held: session.held - held } : session

const FIRST_BATCH = 100

/**
 * One search reads at most this many batches of days. Without a limit, a search in a large calendar would take too
 * long.
 */
export const MAX_BATCHES = 40

interface Fitting extends Search {
  fits: (time: SearchedTime) => boolean
}

/**
 * Finds the earliest time that the function `fits` accepts, even if the time is fully booked. The search ends after
 * `most` batches of days without such a time.
 */
export async function firstTime(
  db: Database,
  plan: Plan,
  search: Fitting,
  most = Number.POSITIVE_INFINITY,
): Promise<AvailableTime | undefined> {
  let batches = 0
  for await (const [time] of availableTimesInBatches(db, plan, { ...search, wanted: FIRST_BATCH }))
    if (time || ++batches === most) return time
}

export const firstAvailableTime = (db: Database, plan: Plan, { fits, ...search }: Fitting, most?: number) =>
  firstTime(db, plan, { ...search, fits: (time) => time.capacity?.remaining !== 0 && fits(time) }, most)

/**
 * One database query reads the reserved times of a batch of days. The server ends a batch when its days contain this
 * many scheduled times.
 */
const MAX_TIMES_PER_BATCH = 4_000

/**
 * Splits the range into batches of whole days. The first batch has about twice the wanted number of times, so it is
 * enough even if half of its times are reserved. Each later batch is four times larger, up to the limit
 * `MAX_TIMES_PER_BATCH`.
 */
async function* dayBatches(plan: Plan, [from, to]: Span, wanted: number): AsyncIterable<Span> {
  if (from >= to) return
  let [first, count, enough] = [from, 0, Math.min(2 * wanted, MAX_TIMES_PER_BATCH)]
  for (const date of daysWithin(plan.zone, [from, to])) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    const day = withinDays(plan.zone, [date], [from, to])
    count += scheduledLazily(plan, day)
      .take(enough - count)
      .reduce((sum) => sum + 1, 0)
    if (count < enough) continue
    yield [first, day[1]]
    ;[first, count, enough] = [day[1], 0, Math.min(4 * enough, MAX_TIMES_PER_BATCH)]
  }
  if (count > 0) yield [first, to]
}

export function timeOfSession(session: SessionRow) {
  const { id, starts_at, ends_at, location_id, resource_ids, capacity: total, taken, held } = session
  return {
    start: starts_at.getTime(),
    end: ends_at.getTime(),
    location: location_id ?? undefined,
    picks: resource_ids,
    choices: () => [],
    session: id,
    capacity: { total, remaining: total - taken, held },
  } satisfies SearchedTime
}

interface BusySearch extends Pick<Search, 'now' | 'except'> {
  /**
   * If true, the server also reads the reserved times one day before and one day after the range. With these times, the
   * caller can prefer people or rooms that have few bookings around this day.
   */
  ranks?: boolean
  ids?: readonly string[]
}

/** Reads the times within the range at which the people, rooms and items of a service are reserved. */
export async function readOccupancy(
  db: Database,
  plan: Plan,
  range: Span,
  { now, except, ranks = false, ids = resourcesOf(plan) }: BusySearch,
): Promise<Occupancy> {
  const around = ranks && plan.requirements.some(({ selectable }) => !selectable) ? DAY : 0
  // The server rounds the range to whole hours. Calls with slightly different ranges then ask for the same range, and
  // can share one database query.
  const time = {
    from: Math.floor((range[0] - plan.before - around) / HOUR) * HOUR,
    to: Math.ceil((range[1] + maxDuration(plan) + plan.after + around) / HOUR) * HOUR,
  }
  const ownClaims = except ? await claimsOf(db, except, now) : []
  const lines = await claimsWithin(db, ids, time, now)
  return memoizedOccupancy((id) => {
    const taken = lines.get(id)
    if (!taken) return undefined
    if (ownClaims.length === 0) return new EncodedOccupancy(taken)
    const isOwn = ({ from, to }: ClaimedSpan) =>
      ownClaims.some((one) => one.resource === id && one.from === from && one.to === to)
    return occupancyOf(decodeClaims(taken).filter((one) => !isOwn(one)))
  })
}
