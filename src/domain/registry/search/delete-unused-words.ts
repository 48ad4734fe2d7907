import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { allowLong } from '../../../infra/db/prepared-statements.ts'
import { chunks } from '../../../infra/util/split-into-chunks.ts'

/** One transaction deletes at most this many words. Crawls cannot write to the index until the transaction ends. */
const MOST = 10_000

/**
 * Deletes search words that no registration and no service contains. Otherwise, the search for words similar to a
 * mistyped word would also find unused words.
 */
export async function deleteUnusedWords(db: Database): Promise<void> {
  const words = await unusedWords(db)
  for (const batch of chunks(words, MOST)) await wordsDelete(db, batch)
}

const unusedWords = (db: Database): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    // This query reads the whole index, so it gets a longer timeout.
    await allowLong(tx, '5min')
    const { rows } = await sql<{ word: string }>`
      select word from registry_words where word not in (select word from ts_stat(
        'select search_words from indexed_services union all select search_words from registrations'))`.execute(tx)
    return rows.map(({ word }) => word)
  })

async function wordsDelete(db: Database, words: string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await allowLong(tx, '5min')
    // Since the query, a crawl may have used one of these words again without adding it to this table. Therefore the
    // lock stops further writes to the table, and the deletion checks each word again.
    await sql`lock table registry_words in share row exclusive mode`.execute(tx)
    await sql`
      delete from registry_words where word = any (${words}::text[])
        and not exists (select from indexed_services where search_words @@ quote_literal(word)::tsquery)
        and not exists (select from registrations where search_words @@ quote_literal(word)::tsquery)`.execute(tx)
  })
}
