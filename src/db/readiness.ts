import { sql } from 'kysely'
import pg from 'pg'
import type { Database, OpenDatabase } from './database.ts'
import { type Ran, schemaFault } from './migrations.ts'
import { hasRoom } from './room.ts'

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
    if (schema === undefined && !(await hasRoom(db))) return 'The disk of the database is full: it takes no changes.'
    return schema
  } catch {
    return 'The database does not answer.'
  }
}

async function look(db: Database): Promise<{ schema: string | undefined; isReadOnly: boolean }> {
  try {
    const { rows } = await sql<{ ran: Ran[] | null; closed: boolean }>`
      select (select json_agg(json_build_object('name', name, 'needs', to_jsonb(m) -> 'needs') order by name) from migrations m) as ran,
        current_setting('transaction_read_only') = 'on' as closed`.execute(db)
    return { schema: schemaFault(rows[0]?.ran ?? []), isReadOnly: rows[0]?.closed ?? false }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NO_SUCH_TABLE)
      return { schema: schemaFault([]), isReadOnly: false }
    throw error
  }
}
