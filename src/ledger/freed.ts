import { sql } from 'kysely'
import { isRefusal } from '../db/connection.ts'
import type { Database } from '../db/database.ts'

const freeing = new WeakSet<Database>()

/** Remembers that the transaction gave back time or places: at its end they are offered to those who wait. */
export const noteFreed = (tx: Database): void => void freeing.add(tx)

export const hasFreed = (tx: Database): boolean => freeing.has(tx)

/** Whether time or places were refused because those who wait have yet to be asked. */
export const isLineFirst = (error: unknown): boolean => isRefusal(error) && error.message === 'line_first'

/** Takes away everything that has lapsed. What else these resources may be needed for is locked along with it. */
export async function lapsedEnd(tx: Database, resources: readonly string[], now: Date): Promise<void> {
  noteFreed(tx)
  await sql`select end_lapsed(${resources}::text[], ${now}::timestamptz)`.execute(tx)
}
