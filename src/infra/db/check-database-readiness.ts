import { sql } from 'kysely'
import pg from 'pg'
import { MINUTE } from '../time/time-units.ts'
import type { Database, OpenDatabase } from './database.ts'
import { isDiskFull } from './database-failures.ts'
import { type Ran, schemaFault, unknownFault } from './migration-files.ts'

const NO_SUCH_TABLE = '42P01'

/** Explains why this program version cannot use the schema of the database. Returns undefined if the schema fits. */
export async function findSchemaFault(db: Database): Promise<string | undefined> {
  return schemaFault((await readState(db)).ran)
}

/**
 * Works like `findSchemaFault`, but also reports database migrations that this program version does not know. Commands
 * that process all data must know all migrations.
 */
export async function findUnknownMigrationFault(db: Database): Promise<string | undefined> {
  const { ran } = await readState(db)
  return schemaFault(ran) ?? unknownFault(ran)
}

/** Explains why the server cannot work with its database at present. Returns undefined if the database is ready. */
export async function findDatabaseFault(db: OpenDatabase): Promise<string | undefined> {
  try {
    const { ran, isReadOnly } = await readState(db)
    const schema = schemaFault(ran)
    if (schema === undefined && isReadOnly) return 'The database accepts no changes: it is a standby, or read-only.'
    if (schema === undefined && !(await hasDiskSpace(db)))
      return 'The disk of the database is full: it accepts no changes.'
    return schema
  } catch {
    return 'The database does not answer.'
  }
}

async function readState(db: Database): Promise<{ ran: Ran[]; isReadOnly: boolean }> {
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

const lookedAt = new WeakMap<OpenDatabase, number>()

/**
 * Whether the database disk has space for a write. The function tries a write once a minute, and at each call while the
 * disk is full. Without this test, a server without requests would not notice a full disk or new free space.
 */
export async function hasDiskSpace(db: OpenDatabase): Promise<boolean> {
  const now = performance.now()
  if (!db.driver.isDiskFull && now - (lookedAt.get(db) ?? Number.NEGATIVE_INFINITY) < MINUTE) return true
  lookedAt.set(db, now)
  try {
    await db.transaction().execute(async (tx) => {
      // The test write does not wait for the standby databases, because a lost standby says nothing about the disk of
      // the primary.
      await sql`set local synchronous_commit = off`.execute(tx)
      await GROW_A_FILE.execute(tx)
    })
  } catch (error) {
    if (isDiskFull(error)) return false
  }
  // After any other error, the state of the disk is unknown, and the server assumes free space. If the disk is full,
  // the next write reports this.
  db.driver.isDiskFull = false
  return true
}

/** SQL for the test write. It writes enough data to need new disk space. */
const GROW_A_FILE = sql`
  create temporary table room on commit drop as select repeat(md5(n::text), 30) as filled from generate_series(1, 1000) n`
