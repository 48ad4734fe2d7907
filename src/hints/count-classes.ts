import { timeOfSession } from '../availability/find-available-times.ts'
import type { Plan } from '../availability/plan.ts'
import type { Span } from '../availability/spans.ts'
import { isShareUsed, letOthers } from '../basics/long-work.ts'
import type { Database } from '../db/database.ts'
import { sessionsBetween } from '../ledger/seats.ts'
import { addCount, type PartsOfDays } from './parts-of-days.ts'

/** The places in classes that begin within the range. */
export async function countClasses(
  db: Database,
  { service, zone }: Plan,
  [from, to]: Span,
  now: Date,
): Promise<PartsOfDays> {
  const days: PartsOfDays = new Map()
  for (const session of await sessionsBetween(db, service.id, new Date(from), new Date(to), now)) {
    if (isShareUsed()) await letOthers()
    const { start, capacity } = timeOfSession(session)
    addCount(days, zone, start, { all: capacity.total, free: capacity.remaining })
  }
  return days
}
