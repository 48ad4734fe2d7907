import type { Database } from '../db/database.ts'
import { claimsWithin } from '../ledger/claims.ts'
import { type SessionRow, sessionsBetween } from '../ledger/seats.ts'
import { type Busy, type Offer, offers } from './offers.ts'
import { type Plan, resourcesOf } from './plan.ts'
import type { Span } from './spans.ts'

/** The part of the calendar that can be booked now, of what was asked for. */
export const bookable = ({ minAdvance, maxAdvance }: Plan, [from, to]: Span, now: Date): Span => [
  Math.max(from, now.getTime() + minAdvance),
  Math.min(to, now.getTime() + maxAdvance + 1),
]

/** The times that can be had within the range, and for what many share those that are full. One round trip. */
export async function findOffers(db: Database, plan: Plan, range: Span, party: number, now: Date): Promise<Offer[]> {
  if (range[0] >= range[1]) return []
  if (plan.service.type === 'group') {
    const sessions = await sessionsBetween(db, plan.service.id, new Date(range[0]), new Date(range[1]), now)
    return sessions.map(sessionOffer).filter(({ capacity }) => capacity.remaining === 0 || capacity.remaining >= party)
  }
  return offers(plan, await busyFor(db, plan, range, now), range, party)
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

const DAY = 86_400_000

/** What is taken of everything the service may take up, a day around the range included: use of the day ranks. */
export async function busyFor(db: Database, plan: Plan, range: Span, now: Date): Promise<Busy> {
  const longest = plan.durations.at(-1) ?? 0
  const time = { from: range[0] - plan.before - DAY, to: range[1] + longest + plan.after + DAY }
  const busy = new Map<string, { taken: Span[]; held: Span[] }>()
  for (const { resource_id, from, to, held } of await claimsWithin(db, resourcesOf(plan), time, now)) {
    const of = busy.get(resource_id) ?? { taken: [], held: [] }
    of.taken.push([from, to])
    if (held) of.held.push([from, to])
    busy.set(resource_id, of)
  }
  return busy
}
