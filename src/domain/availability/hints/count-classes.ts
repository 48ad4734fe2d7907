import { sessionsBetween } from '../../../core/ledger/seats.ts'
import type { Database } from '../../../infra/db/database.ts'
import { timeOfSession } from '../find-available-times.ts'
import type { Plan } from '../plan.ts'
import type { Span } from '../spans.ts'
import type { HintRun } from './hint-run.ts'
import { addCount, type PartsOfDays } from './parts-of-days.ts'

export async function countClasses(
  db: Database,
  { service, zone }: Plan,
  { range: [from, to], now }: { range: Span; now: Date },
  { pace }: HintRun,
): Promise<PartsOfDays> {
  const days: PartsOfDays = new Map()
  for (const session of await sessionsBetween(db, service.id, new Date(from), new Date(to), now)) {
    if (pace.isUsed()) await pace.rest()
    const { start, capacity } = timeOfSession(session)
    addCount(days, zone, start, { all: capacity.total, free: capacity.remaining })
  }
  return days
}
