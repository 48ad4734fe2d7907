import type { Change, MakeChange } from '../../../infra/db/change.ts'

class NothingStays extends Error {}

/** Dry run: returns the result of the work and rolls it back. */
export async function rehearsed<T extends object>(
  makeChange: MakeChange,
  work: (db: Change) => Promise<T>,
): Promise<T> {
  const kept: { result?: T } = {}
  try {
    return await makeChange<T>(async (db) => {
      kept.result = await work(db)
      throw new NothingStays()
    })
  } catch (error) {
    if (error instanceof NothingStays && kept.result !== undefined) return kept.result
    throw error
  }
}
