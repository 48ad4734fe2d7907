import type { Database } from '../db/database.ts'
import { claimsWithin } from '../ledger/claims.ts'
import { type SessionRow, sessionsBetween } from '../ledger/seats.ts'
import { DAY } from '../time/units.ts'
import { daysLater, startOfDay } from '../time/zone.ts'
import { longestOf } from './durations.ts'
import { daysWithin } from './hours.ts'
import { type Busy, type Offer, offers } from './offers.ts'
import { openingsWithin } from './openings.ts'
import { type Plan, resourcesOf } from './plan.ts'
import type { Span } from './spans.ts'

/** The part of the calendar that can be booked now, of what was asked for. */
export const bookable = ({ minAdvance, maxAdvance }: Plan, [from, to]: Span, now: Date): Span => [
  Math.max(from, now.getTime() + minAdvance),
  Math.min(to, now.getTime() + maxAdvance + 1),
]

/**
 * The times that can be had within the range, and for what many share those that are full. They come in parts, the
 * earliest first: what is taken is read from the database as far as somebody goes on asking, mostly in one round trip.
 */
export async function* offersInParts(
  db: Database,
  plan: Plan,
  range: Span,
  party: number,
  now: Date,
  wanted: number,
): AsyncIterable<Offer[]> {
  if (range[0] >= range[1]) return
  if (plan.service.type === 'group') {
    const sessions = await sessionsBetween(db, plan.service.id, new Date(range[0]), new Date(range[1]), now)
    yield sessions.map(sessionOffer).filter(({ capacity }) => capacity.remaining === 0 || capacity.remaining >= party)
    return
  }
  for (const part of parts(plan, range, wanted)) yield offers(plan, await busyFor(db, plan, part, now), part, party)
}

/** So many times are looked at first, to find one. */
const FEW = 100

/** The earliest time with room. */
export async function firstOffer(
  db: Database,
  plan: Plan,
  range: Span,
  party: number,
  now: Date,
  fits: (offer: Offer) => boolean,
): Promise<Offer | undefined> {
  for await (const found of offersInParts(db, plan, range, party, now, FEW)) {
    const offer = found.find((one) => fits(one) && one.capacity?.remaining !== 0)
    if (offer) return offer
  }
}

/** Times that are looked at in one go: others have their turn while the database is asked for the next. */
const MOST = 4_000

/** Whole days, at first so many that what is wanted is there though half of it be taken, then ever more of them. */
function* parts(plan: Plan, [from, to]: Span, wanted: number): Iterable<Span> {
  let [start, end, openings, enough] = [from, from, 0, Math.min(2 * wanted, MOST)]
  for (const day of daysWithin(plan.zone, [from, to])) {
    const until = Math.min(to, startOfDay(plan.zone, daysLater(day, 1)))
    openings += openingsWithin(plan, [end, until]).length
    end = until
    if (openings < enough) continue
    yield [start, end]
    ;[start, openings, enough] = [end, 0, Math.min(4 * enough, MOST)]
  }
  if (openings > 0) yield [start, end]
}

export function sessionOffer(session: SessionRow) {
  const { id, starts_at, ends_at, location_id, resource_ids, capacity: total, taken, held } = session
  return {
    start: starts_at.getTime(),
    end: ends_at.getTime(),
    location: location_id ?? undefined,
    picks: resource_ids,
    choices: [],
    session: id,
    capacity: { total, remaining: total - taken, held },
  } satisfies Offer
}

/** What is taken of everything the service may take up; where the use of the day ranks, from a day around the range. */
export async function busyFor(db: Database, plan: Plan, range: Span, now: Date): Promise<Busy> {
  const around = plan.requirements.every(({ selectable }) => selectable) ? 0 : DAY
  const time = { from: range[0] - plan.before - around, to: range[1] + longestOf(plan) + plan.after + around }
  const busy = new Map<string, { taken: Span[]; held: Span[] }>()
  for (const { resource_id, from, to, held } of await claimsWithin(db, resourcesOf(plan), time, now)) {
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
