import type { Change, MakeChange } from '../../../infra/db/change.ts'

class NothingStays extends Error {}

/** What would come of this very change, of which nothing stays. */
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
