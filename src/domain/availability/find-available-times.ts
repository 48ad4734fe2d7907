import { type ClaimHolder, claimsOf, claimsWithin, type TakenTime, takenIn } from '../../core/ledger/claims.ts'
import { type OwnSeats, type SessionRow, seatsOf, sessionsBetween } from '../../core/ledger/seats.ts'
import type { Database } from '../../infra/db/database.ts'
import { DAY, HOUR } from '../../infra/time/units.ts'
import { isShareUsed, letOthers } from '../../infra/util/long-work.ts'
import { type AvailableTime, availableTime, type OpenTime } from './available-times.ts'
import { type Busy, busyOf, OccupiedLines, occupied } from './busy.ts'
import { BusyAsNeeded, isMostlyUnseen, lookedAtFirst } from './busy-as-needed.ts'
import { longestOf } from './durations.ts'
import { type Plan, resourcesOf } from './plan.ts'
import type { ScheduledTime } from './scheduled-in-order.ts'
import { scheduledOneByOne } from './scheduled-times.ts'
import type { Span } from './spans.ts'
import { daysWithin, withinDays } from './working-hours.ts'

/** The part of the calendar that can be booked now, of what was asked for. */
export const bookable = ({ minAdvance, maxAdvance }: Plan, [from, to]: Span, now: Date): Span => [
  Math.max(from, now.getTime() + minAdvance),
  Math.min(to, now.getTime() + maxAdvance + 1),
]

/** Which available times are looked for. */
export interface Search {
  range: Span
  party: number
  now: Date
  /** Who looks for another time than the one they have: what they give up by moving is free to them. */
  except?: ClaimHolder | undefined
}

/** How many are wanted, and which of them will do. */
interface Wanted {
  wanted: number
  fits?: (time: OpenTime) => boolean
}

/** From here on everybody will be looked at. */
const MANY_WANTED = 1_000

/**
 * The available times within the range that will do, the earliest first, in batches: what is taken is read from the database
 * only as far as the caller iterates, mostly in one round trip, and no more times are reckoned than are wanted.
 */
export async function* availableTimesInBatches(
  db: Database,
  plan: Plan,
  { wanted, fits = () => true, ...search }: Search & Wanted,
): AsyncIterable<AvailableTime[]> {
  const { range, party } = search
  if (plan.service.type === 'group') return yield (await sessionTimes(db, plan, search)).filter(fits)
  let isFewEnough = wanted < MANY_WANTED && isMostlyUnseen(plan)
  for await (const days of batches(plan, range, wanted)) {
    const busy = new BusyAsNeeded(plan, (ids) => busyFor(db, plan, days, { ...search, ids }))
    await busy.read(isFewEnough ? lookedAtFirst(scheduledOneByOne(plan, days)) : undefined)
    const look = (scheduled: ScheduledTime) => {
      const time = availableTime(plan, busy, scheduled, party)
      return time && fits(time) ? time : undefined
    }
    yield* foundAmong(scheduledOneByOne(plan, days), (scheduled) => busy.see(() => look(scheduled)), wanted)
    // Where much is taken it mostly is on the days that follow, too.
    isFewEnough &&= busy.reads < 2
  }
}

/** As many as are wanted, and what is left if that is not enough: found by turns with others. */
async function* foundAmong(
  times: Iterable<ScheduledTime>,
  look: (scheduled: ScheduledTime) => AvailableTime | undefined | Promise<AvailableTime | undefined>,
  wanted: number,
): AsyncIterable<AvailableTime[]> {
  let found: AvailableTime[] = []
  let hasEnough = false
  for (const scheduled of times) {
    if (isShareUsed()) await letOthers()
    const seen = look(scheduled)
    const time = seen instanceof Promise ? await seen : seen
    if (!time) continue
    found.push(time)
    if (hasEnough || found.length < wanted) continue
    yield found
    ;[found, hasEnough] = [[], true]
  }
  yield found
}

/** Classes within the range that have room for so many, or are full. */
export async function sessionTimes(
  db: Database,
  plan: Plan,
  { range: [from, to], party, now, except }: Search,
): Promise<OpenTime[]> {
  if (from >= to) return []
  const sessions = await sessionsBetween(db, plan.service.id, new Date(from), new Date(to), now)
  const own = except ? await seatsOf(db, except, now) : undefined
  const seen = own ? sessions.map((session) => without(own, session)) : sessions
  return seen.map(timeOfSession).filter(({ capacity }) => capacity.remaining === 0 || capacity.remaining >= party)
}

/** A class as it is to whoever has these places of it. */
const without = ({ session_id, spots, held }: OwnSeats, session: SessionRow): SessionRow =>
  session.id === session_id ? { ...session, taken: session.taken - spots, held: session.held - held } : session

/** How many times are wanted of the first batch when one is enough. */
const FIRST_BATCH = 100

/** A calendar of hundreds of people is not read to its end for one page, nor for one call. */
export const MOST_BATCHES = 40

interface Fitting extends Search {
  fits: (time: OpenTime) => boolean
}

/** The earliest time that fits, be it full or free, as far as it is looked for. */
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

/** The earliest of them with room. */
export const firstAvailableTime = (db: Database, plan: Plan, { fits, ...search }: Fitting, most?: number) =>
  firstTime(db, plan, { ...search, fits: (time) => time.capacity?.remaining !== 0 && fits(time) }, most)

/** The most scheduled times in one batch: what is taken is read for all of it. */
const MOST_IN_BATCH = 4_000

/** Batches of whole days: the first is large enough if half of it is taken, each further one is four times larger. */
async function* batches(plan: Plan, [from, to]: Span, wanted: number): AsyncIterable<Span> {
  if (from >= to) return
  let [first, count, enough] = [from, 0, Math.min(2 * wanted, MOST_IN_BATCH)]
  for (const date of daysWithin(plan.zone, [from, to])) {
    if (isShareUsed()) await letOthers()
    const day = withinDays(plan.zone, [date], [from, to])
    count += scheduledOneByOne(plan, day)
      .take(enough - count)
      .reduce((sum) => sum + 1, 0)
    if (count < enough) continue
    yield [first, day[1]]
    ;[first, count, enough] = [day[1], 0, Math.min(4 * enough, MOST_IN_BATCH)]
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
  } satisfies OpenTime
}

interface BusySearch extends Pick<Search, 'now' | 'except'> {
  /** Whether it will be asked who is used least on a day. */
  ranks?: boolean
  /** Of whom alone it is asked. */
  ids?: readonly string[]
}

/** What is taken of everything the service may take up; where the use of the day ranks, from a day around the range. */
export async function busyFor(
  db: Database,
  plan: Plan,
  range: Span,
  { now, except, ranks = false, ids = resourcesOf(plan) }: BusySearch,
): Promise<Busy> {
  const around = ranks && plan.requirements.some(({ selectable }) => !selectable) ? DAY : 0
  // Whole hours: who looks at the same days mostly asks for the same time, a moment later and of a somewhat longer service, too.
  const time = {
    from: Math.floor((range[0] - plan.before - around) / HOUR) * HOUR,
    to: Math.ceil((range[1] + longestOf(plan) + plan.after + around) / HOUR) * HOUR,
  }
  const own = except ? await claimsOf(db, except, now) : []
  const lines = await claimsWithin(db, ids, time, now)
  return busyOf((id) => {
    const taken = lines.get(id)
    if (!taken) return undefined
    if (own.length === 0) return new OccupiedLines(taken)
    const isOwn = ({ from, to }: TakenTime) =>
      own.some((one) => one.resource === id && one.from === from && one.to === to)
    return occupied(takenIn(taken).filter((one) => !isOwn(one)))
  })
}
