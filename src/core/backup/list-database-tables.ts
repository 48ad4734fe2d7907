import type pg from 'pg'
import type { Section } from './file-format.ts'

interface Found extends Section {
  refers_to: string[]
}

const OURS = `c.relnamespace = 'public'::regnamespace and c.relpersistence = 'p'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/**
 * Lists the tables to back up, with all columns except generated columns. Unlogged tables are left out, because
 * PostgreSQL empties them after a crash. If a table has foreign keys, it comes after the referenced tables.
 */
export async function tablesOf(client: pg.Client): Promise<Section[]> {
  const { rows } = await client.query<Found>(`
    select c.relname::text as table, array_agg(a.attname::text order by a.attnum) as columns,
      array(select r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as refers_to
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and ${OURS} group by c.oid order by c.relname`)
  return parentsFirst(rows).map(({ table, columns }) => ({ table, columns }))
}

function parentsFirst(tables: Found[]): Found[] {
  const [placed, left] = [new Set<string>(), [...tables]]
  const ordered: Found[] = []
  while (left.length > 0) {
    const next = left.findIndex(({ refers_to }) => refers_to.every((parent) => placed.has(parent)))
    const [table] = left.splice(next, 1)
    if (next === -1 || !table)
      throw new Error('The foreign keys of tables form a cycle, so no table can be loaded first.')
    placed.add(table.table)
    ordered.push(table)
  }
  return ordered
}

/** Returns the last value of each database sequence. Leaves out sequences that were never used. */
export async function sequencesOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string | null }>(`
    select c.relname::text as name, s.last_value::text as last from pg_class c
    join pg_sequences s on s.schemaname = 'public' and s.sequencename = c.relname
    where c.relkind = 'S' and ${OURS} order by 1`)
  return Object.fromEntries(rows.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])))
}

/**
 * Whether the database has no tables and no views, except tables and views of PostgreSQL extensions. A backup can be
 * restored only into such a database.
 */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_class c where c.relkind in ('r', 'p', 'v', 'm') and ${OURS} limit 1`,
  )
  return rowCount === 0
}
