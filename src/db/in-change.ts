import { Change } from './change.ts'
import type { OpenDatabase } from './database.ts'

/** Makes a change of the work: when it fails nothing of it stays. */
export async function inChange<T>(db: OpenDatabase, work: (change: Change) => Promise<T>): Promise<T> {
  const change = new Change(db)
  try {
    const result = await work(change)
    await change.commit()
    return result
  } catch (error) {
    await change.rollback()
    throw error
  }
}
