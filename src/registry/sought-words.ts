import { type RawBuilder, sql } from 'kysely'
import { searchWords } from '../catalog/search.ts'
import type { Database } from '../db/database.ts'

/** The words of a query as PostgreSQL looks for them. */
export interface SoughtWords {
  anything: string
  found: string
  alike: string | null
  each: string
  count: number
}

/**
 * What there is that the words may mean. It is asked before the search itself: a search that is planned with the very
 * words is planned by how common they are.
 */
export async function soughtWords(db: Database, query = ''): Promise<SoughtWords | undefined> {
  const words = searchWords(query)
  if (words.length === 0) return undefined
  const { rows } = await sql<SoughtWords>`
    select anything::text, found::text, alike::text, each::text, cardinality(each) as count
    from registry_query(${words}::text[]) /* kept */`.execute(db)
  return rows[0]
}

/** At least half of the words are found. */
export function answersTo({ anything, each, count }: SoughtWords, column: RawBuilder<unknown>): RawBuilder<boolean> {
  const one = sql<boolean>`${column} @@ ${anything}::tsquery`
  if (count <= 2) return one
  return sql`${one} and (select count(*) from unnest(${each}::tsquery[]) as word where ${column} @@ word) * 2 >= ${count}`
}

/** The better it answers, the lower; all the same without words. */
export const rankBy = (words: SoughtWords | undefined, column: RawBuilder<unknown>): RawBuilder<number> =>
  words ? sql`-registry_relevance(${column}, ${words.found}::tsquery, ${words.alike}::tsquery, ${words.count})` : sql`0`
