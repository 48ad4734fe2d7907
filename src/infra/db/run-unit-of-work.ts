import type { OpenDatabase } from './database.ts'
import type { Outbox } from './queued-mail-types.ts'
import { UnitOfWork } from './unit-of-work.ts'

/**
 * Runs a function as one unit of work (a transaction), and commits it. If the function throws an error, rolls back all
 * its changes.
 */
export async function runUnitOfWork<T>(
  db: OpenDatabase,
  work: (change: UnitOfWork) => Promise<T>,
  outbox?: Outbox,
): Promise<T> {
  const change = new UnitOfWork(db, outbox)
  try {
    const result = await work(change)
    await change.commit()
    return result
  } catch (error) {
    await change.rollback()
    throw error
  } finally {
    change.releaseSlots()
  }
}
