import { sessionsBetween } from '../../../core/ledger/class-session-seats.ts'
import type { Database } from '../../../infra/db/database.ts'
import { BusinessRefusal, invalidInput, type ProtocolError } from '../../../protocol/errors.ts'
import { assignDistinct } from '../../availability/assign-distinct-resources.ts'
import { type AvailableTime, availableTimes, type SearchedTime } from '../../availability/available-times.ts'
import { readOccupancy, timeOfSession } from '../../availability/find-available-times.ts'
import type { Plan } from '../../availability/service-scheduling-plan.ts'
import { planWithoutRules } from './drop-overridden-booking-rules.ts'
import type { RequestedTime } from './read-slot-request.ts'
import { overrideAdvice, type Rule } from './slot-request.ts'

interface Found {
  plan: Plan
  time: AvailableTime
  needed: Rule[]
}

/**
 * Each attempt to find the requested time ignores one of these sets of rules. The other rules do not affect the search.
 */
const sets: Rule[][] = [[], ['capacity'], ['hours'], ['capacity', 'hours']]

/**
 * Finds the requested time, and overrides as few rules as necessary. The server refuses the request if it would have to
 * override a rule that the request does not name.
 */
export async function resolveTime(
  db: Database,
  requested: RequestedTime,
  { party, override }: { party: number; override: readonly Rule[] },
  now: Date,
): Promise<Found> {
  const isAllowed = (set: Rule[]) => set.every((rule) => override.includes(rule))
  for (const needed of [...sets.filter(isAllowed), ...sets.filter((set) => !isAllowed(set))]) {
    const plan = planWithoutRules(requested.plan, needed, party)
    const time = await scheduledTimeAt(db, { ...requested, plan }, party, now)
    if (!time) continue
    if (isAllowed(needed)) return { plan, time, needed }
    throw refused(needed.filter((rule) => !override.includes(rule)))
  }
  throw new BusinessRefusal(
    'slot_unavailable',
    'These resources are not available together at one location.',
    '$.resource_ids',
  )
}

/**
 * Finds the class session that begins at the requested time. Refuses the request if there is no such class session,
 * because a booking cannot create one.
 */
export async function resolveSession(db: Database, { plan, start }: RequestedTime, now: Date): Promise<Found> {
  const [session] = await sessionsBetween(db, plan.service.id, { from: start, to: start + 1 }, now)
  if (!session)
    throw new BusinessRefusal('slot_unavailable', 'No class of this service begins at this time.', '$.start')
  return { plan, time: timeOfSession(session), needed: [] }
}

/**
 * Finds a time of the service at the requested start, and prefers a free time. If all times are occupied, the function
 * returns an occupied time. The server then refuses the booking later.
 */
async function scheduledTimeAt(
  db: Database,
  { plan, start, end, location }: RequestedTime,
  party: number,
  now: Date,
): Promise<AvailableTime | undefined> {
  const fits = (time: SearchedTime) =>
    time.end === end &&
    (location === undefined || time.location === location) &&
    assignDistinct(time.choices()) !== undefined
  const scheduled = availableTimes(plan, new Map(), [start, start + 1], party).filter(fits)
  if (scheduled.length < 2) return scheduled[0]
  const busy = await readOccupancy(db, plan, [start, start + 1], { now })
  return availableTimes(plan, busy, [start, start + 1], party).find(fits) ?? scheduled[0]
}

function refused(missing: Rule[]): BusinessRefusal | ProtocolError {
  const how = overrideAdvice(missing)
  return missing.includes('hours')
    ? invalidInput(`A person or thing that it needs is not working then. ${how}`, '$.start')
    : new BusinessRefusal('capacity_exceeded', `The party is too large for one place. ${how}`, '$.party_size')
}
