import type { RunUnitOfWork, UnitOfWork } from '../../../infra/db/unit-of-work.ts'

class RollbackError extends Error {}

/** Runs an operation as a dry run: rolls back all its changes, and returns its result. */
export async function dryRun<T extends object>(
  makeChange: RunUnitOfWork,
  work: (db: UnitOfWork) => Promise<T>,
): Promise<T> {
  const outcome: { result?: T } = {}
  try {
    return await makeChange<T>(async (db) => {
      outcome.result = await work(db)
      throw new RollbackError()
    })
  } catch (error) {
    if (error instanceof RollbackError && outcome.result !== undefined) return outcome.result
    throw error
  }
}
