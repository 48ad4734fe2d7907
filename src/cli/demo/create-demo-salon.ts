import { applyDefinition } from '../../domain/definition/apply-definition.ts'
import { syncSessions } from '../../domain/definition/sync-class-sessions.ts'
import { logBegin } from '../../domain/desk/demo/demo-data-audit-log.ts'
import { runUnitOfWork } from '../../infra/db/run-unit-of-work.ts'
import { DAY } from '../../infra/time/time-units.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { Runtime } from '../../server/build-dependencies.ts'
import { PAST_DAYS } from './simulated-days.ts'

/**
 * Stores the definition of the demo salon with a date four weeks ago, so that its classes of the past weeks exist. Also
 * marks the database, and the server makes the demo data only in a marked database. No other database ever gets this
 * mark.
 */
export async function openDemoSalon(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  definition: BusinessDefinition,
): Promise<void> {
  const now = clock()
  await applyDefinition(db, definition, new Date(now.getTime() - PAST_DAYS * DAY))
  await syncSessions({ db, makeChange: (work) => runUnitOfWork(db, work) }, now)
  await runUnitOfWork(db, async (tx) => logBegin(tx, now))
}
