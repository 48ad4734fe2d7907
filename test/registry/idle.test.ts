import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startIndexer } from '../../src/domain/registry/indexing/crawl-due-catalogues.ts'
import { testAnnouncements } from '../support/announcements.ts'
import { freshDatabase } from '../support/database.ts'
import { testServer } from '../support/server.ts'
import { list } from './directory.ts'
import { withRegistry } from './listing-shop.ts'

const databaseUrl = await freshDatabase()
const { runtime } = await testServer(withRegistry, { databaseUrl })
const { db } = runtime
const announcements = testAnnouncements(databaseUrl)

const transactions = async () => {
  const { rows } = await sql<{ count: number }>`
    select xact_commit::integer as count from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]?.count ?? 0
}

test('[nobody pays for what there is not] a directory in which nothing is due asks the database now and then', async () => {
  const indexer = startIndexer(runtime, announcements)
  try {
    await list(db, 'reg_read')
    await sql`update registrations set next_index_at = '2100-01-01'`.execute(db)
    // What a connection did is counted a second later.
    await pass(2_000)
    const before = await transactions()
    await pass(3_000)
    expect((await transactions()) - before).toBeLessThan(50)
  } finally {
    await indexer.close()
  }
})
