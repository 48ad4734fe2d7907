import { type OperationNodeSource, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/** An insert and the table it is for. */
type Insert = readonly [table: string, insert: OperationNodeSource & { execute(): Promise<unknown> }]

/** What is still to be written in a transaction. */
const waiting = new WeakMap<Database, Insert[]>()

/** From now on what is written down later waits for `writeNow`. */
export const writeTogether = (tx: Database): void => void waiting.set(tx, [])

/**
 * Inserts what nobody reads within the transaction. Where the transaction gathers such rows they go out at its end, all in
 * one statement; elsewhere at once. Two rows of one table keep their order.
 */
export async function writeLater(tx: Database, ...[table, insert]: Insert): Promise<void> {
  const gathered = waiting.get(tx)
  if (!gathered) return void (await insert.execute())
  if (gathered.some(([other]) => other === table)) await writeNow(tx)
  gathered.push([table, insert])
}

/** Writes what has gathered, and along with it what comes last. */
export async function writeNow(tx: Database, last?: RawBuilder<unknown>): Promise<void> {
  const inserts = waiting.get(tx)?.splice(0) ?? []
  if (inserts.length === 0 && !last) return
  const parts = inserts.map(([table, insert]) => sql`${sql.ref(table)} as (${insert})`)
  const gathered = parts.length > 0 ? sql`with ${sql.join(parts)}` : sql``
  await sql`${gathered} ${last ?? sql`select`} /* kept */`.execute(tx)
}
