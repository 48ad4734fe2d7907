import { sql } from 'kysely'
import pg from 'pg'
import type { Database, OpenDatabase } from './database.ts'
import { isDiskFull } from './failures.ts'
import { schemaFault } from './migrations.ts'

const NO_SUCH_TABLE = '42P01'

/** Why this version cannot work with the schema that the database has, in a sentence; nothing when it can. */
export async function findSchemaFault(db: Database): Promise<string | undefined> {
  return (await look(db)).schema
}

/** Why the server cannot serve with its database at present, in a sentence; nothing when it can. */
export async function findDatabaseFault(db: OpenDatabase): Promise<string | undefined> {
  try {
    const { schema, isReadOnly } = await look(db)
    if (schema === undefined && isReadOnly)
      return 'The database takes no changes: it is a standby, or closed for writing.'
    return schema ?? (await findFullDisk(db))
  } catch {
    return 'The database does not answer.'
  }
}

/**
 * Where a change found no room: whether there is some by now. Nobody else would find out, since a server that is not ready is sent
 * nothing to write.
 */
async function findFullDisk(db: OpenDatabase): Promise<string | undefined> {
  if (!db.driver.isFull) return undefined
  try {
    await db.transaction().execute((tx) => NEEDS_ROOM.execute(tx))
  } catch (error) {
    if (isDiskFull(error)) return 'The disk of the database is full: it takes no changes.'
  }
  // Where it failed for another reason nobody knows, and the next change says so.
  db.driver.isFull = false
}

/** So much that a file has to grow for it. */
const NEEDS_ROOM = sql`
  create temporary table room on commit drop as select repeat(md5(n::text), 30) as filled from generate_series(1, 1000) n`

async function look(db: Database): Promise<{ schema: string | undefined; isReadOnly: boolean }> {
  try {
    const { rows } = await sql<{ ran: string[]; closed: boolean }>`
      select array(select name from migrations order by name) as ran,
        current_setting('transaction_read_only') = 'on' as closed`.execute(db)
    return { schema: schemaFault(rows[0]?.ran ?? []), isReadOnly: rows[0]?.closed ?? false }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NO_SUCH_TABLE)
      return { schema: schemaFault([]), isReadOnly: false }
    throw error
  }
}
