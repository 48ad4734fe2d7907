import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * What nobody says any more is not kept as a word that could have been meant. One that somebody begins to use at this very
 * moment may go, too: it is still found as it stands, and forgiven its misspellings when its catalogue changes next.
 */
export async function forgetWords(db: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // All there is must be read for it.
    await sql`set local statement_timeout = '5min'`.execute(tx)
    await sql`
      delete from registry_words where word not in (select word from ts_stat(
        'select search_words from indexed_services union all select search_words from registrations'))`.execute(tx)
  })
}
