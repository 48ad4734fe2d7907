import { isShareUsed, letOthers } from '../basics/long-work.ts'
import type { Database } from '../db/database.ts'
import { type ClaimHolder, claimsOf, claimsWithin, type TakenTime } from '../ledger/claims.ts'
import { type OwnSeats, type SessionRow, seatsOf, sessionsBetween } from '../ledger/seats.ts'
import { DAY } from '../time/units.ts'
import { type AvailableTime, availableOf, type Busy } from './available-times.ts'
import { longestOf } from './durations.ts'
import { type Plan, resourcesOf } from './plan.ts'
import { scheduledTimes } from './scheduled-times.ts'
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

/**
 * The available times within the range, the earliest first, in batches: what is taken is read from the database only as far
 * as the caller iterates, mostly in one round trip.
 */
export async function* availableTimesInBatches(
  db: Database,
  plan: Plan,
  { wanted, ...search }: Search & { wanted: number },
): AsyncIterable<AvailableTime[]> {
  const { range, party } = search
  if (plan.service.type === 'group') return yield await sessionTimes(db, plan, search)
  for await (const days of batches(plan, range, wanted)) {
    const whole: Span = [days[0]?.[0] ?? range[0], days.at(-1)?.[1] ?? range[1]]
    yield await availableOn(days, plan, await busyFor(db, plan, whole, search), party)
  }
}

async function availableOn(days: readonly Span[], plan: Plan, busy: Busy, party: number): Promise<AvailableTime[]> {
  const found: AvailableTime[] = []
  for (const day of days) {
    await letOthers()
    for (const time of availableOf(scheduledTimes(plan, day), plan, busy, party)) {
      found.push(time)
      if (isShareUsed()) await letOthers()
    }
  }
  return found
}

/** Classes within the range that have room for so many, or are full. */
export async function sessionTimes(
  db: Database,
  plan: Plan,
  { range: [from, to], party, now, except }: Search,
): Promise<AvailableTime[]> {
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

/** The earliest time with room. */
export async function firstAvailableTime(
  db: Database,
  plan: Plan,
  { fits, ...search }: Search & { fits: (time: AvailableTime) => boolean },
): Promise<AvailableTime | undefined> {
  for await (const found of availableTimesInBatches(db, plan, { ...search, wanted: FIRST_BATCH })) {
    const time = found.find((one) => fits(one) && one.capacity?.remaining !== 0)
    if (time) return time
  }
}

/** The most scheduled times in one batch: what is taken is read for all of it. */
const MOST_IN_BATCH = 4_000

/** Batches of whole days: the first is large enough if half of it is taken, each further one is four times larger. */
async function* batches(plan: Plan, [from, to]: Span, wanted: number): AsyncIterable<Span[]> {
  if (from >= to) return
  let [days, count, enough]: [Span[], number, number] = [[], 0, Math.min(2 * wanted, MOST_IN_BATCH)]
  for (const date of daysWithin(plan.zone, [from, to])) {
    await letOthers()
    const day = withinDays(plan.zone, [date], [from, to])
    days.push(day)
    count += scheduledTimes(plan, day).length
    if (count < enough) continue
    yield days
    ;[days, count, enough] = [[], 0, Math.min(4 * enough, MOST_IN_BATCH)]
  }
  if (count > 0) yield days
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
  } satisfies AvailableTime
}

/** What is taken of everything the service may take up; where the use of the day ranks, from a day around the range. */
export async function busyFor(
  db: Database,
  plan: Plan,
  range: Span,
  { now, except }: Pick<Search, 'now' | 'except'>,
): Promise<Busy> {
  const around = plan.requirements.every(({ selectable }) => selectable) ? 0 : DAY
  const time = { from: range[0] - plan.before - around, to: range[1] + longestOf(plan) + plan.after + around }
  const busy = new Map<string, { taken: Span[]; held: Span[] }>()
  const own = except ? await claimsOf(db, except, now) : []
  const isOwn = (one: TakenTime) =>
    own.some(({ resource_id, from, to }) => resource_id === one.resource_id && from === one.from && to === one.to)
  for (const one of await claimsWithin(db, resourcesOf(plan), time, now)) {
    if (isShareUsed()) await letOthers()
    if (isOwn(one)) continue
    const { resource_id, from, to, held } = one
    const of = busy.get(resource_id) ?? { taken: [], held: [] }
    const last = of.taken.at(-1)
    // What is for those who wait may be taken in part.
    if (last && from < last[1]) of.taken.splice(-1, 1, [last[0], Math.max(last[1], to)])
    else of.taken.push([from, to])
    if (held) of.held.push([from, to])
    busy.set(resource_id, of)
  }
  return busy
}
