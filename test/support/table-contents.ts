import { sql } from 'kysely'
import type { Database } from '../../src/infra/db/database.ts'

/** Tables with rows for a call that remain when its unit of work fails. */
const TABLES_OF_CALLS = ['principals', 'rate_limits', 'replies', 'seen_proofs']

/** All rows of the other tables, by table. */
export async function tableContents(db: Database): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by name`.execute(db)
  const names = tables.rows.map(({ name }) => name).filter((name) => !TABLES_OF_CALLS.includes(name))
  const read = async (name: string) => {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by row`.execute(
      db,
    )
    return [name, rows.map(({ row }) => row)] as const
  }
  return Object.fromEntries(await Promise.all(names.map(read)))
}
