import { sql } from 'kysely'
import pg from 'pg'
import type { Database, OpenDatabase } from './database.ts'
import { hasDiskSpace } from './disk-space.ts'
import { type Ran, schemaFault, unknownFault } from './migrations.ts'

const NO_SUCH_TABLE = '42P01'

/** A sentence why this version cannot work with the schema of the database; undefined when it can. */
export async function findSchemaFault(db: Database): Promise<string | undefined> {
  return schemaFault((await look(db)).ran)
}

/** The same for commands that concern all stored data. */
export async function findUnknownMigrationFault(db: Database): Promise<string | undefined> {
  const { ran } = await look(db)
  return schemaFault(ran) ?? unknownFault(ran)
}

/** A sentence why the server cannot work with its database at present; undefined when it can. */
export async function findDatabaseFault(db: OpenDatabase): Promise<string | undefined> {
  try {
    const { ran, isReadOnly } = await look(db)
    const schema = schemaFault(ran)
    if (schema === undefined && isReadOnly) return 'The database accepts no changes: it is a standby, or read-only.'
    if (schema === undefined && !(await hasDiskSpace(db)))
      return 'The disk of the database is full: it accepts no changes.'
    return schema
  } catch {
    return 'The database does not answer.'
  }
}

async function look(db: Database): Promise<{ ran: Ran[]; isReadOnly: boolean }> {
  try {
    const { rows } = await sql<{ ran: Ran[] | null; closed: boolean }>`
      select (select json_agg(json_build_object('name', name, 'needs', to_jsonb(m) -> 'needs') order by name) from migrations m) as ran,
        current_setting('transaction_read_only') = 'on' as closed`.execute(db)
    return { ran: rows[0]?.ran ?? [], isReadOnly: rows[0]?.closed ?? false }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NO_SUCH_TABLE) return { ran: [], isReadOnly: false }
    throw error
  }
}
