import type { RunUnitOfWork, UnitOfWork } from '../../../infra/db/unit-of-work.ts'

class RollbackError extends Error {}

/** Dry run: returns the result of the work and rolls it back. */
export async function dryRun<T extends object>(
  makeChange: RunUnitOfWork,
  work: (db: UnitOfWork) => Promise<T>,
): Promise<T> {
  const kept: { result?: T } = {}
  try {
    return await makeChange<T>(async (db) => {
      kept.result = await work(db)
      throw new RollbackError()
    })
  } catch (error) {
    if (error instanceof RollbackError && kept.result !== undefined) return kept.result
    throw error
  }
}
