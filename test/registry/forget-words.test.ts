import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { availabilityRanking } from '../../src/domain/registry/indexing/availability-ranking.ts'
import { indexedService } from '../../src/domain/registry/indexing/indexed-service.ts'
import { indexedUpsert } from '../../src/domain/registry/indexing/search-index-queries.ts'
import { deleteUnusedWords } from '../../src/domain/registry/search/delete-unused-words.ts'
import { START } from '../support/server.ts'
import { list, registry } from './directory.ts'
import { fed } from './services.ts'

const server = await registry()
const { db } = server.runtime

test('[REG-062] a word that somebody begins to use while words are forgotten stays', async () => {
  await list(db, 'reg_one')
  await db
    .insertInto('registry_words')
    .values([{ word: 'unsaid' }, { word: 'begun' }])
    .execute()
  const tx = await db.startTransaction().execute()
  const unknown = availabilityRanking(undefined, { timezone: 'UTC', now: START })
  await indexedUpsert(tx, 'reg_one', [{ ...indexedService(fed('svc', { name: 'Begun' }), null), ...unknown }], START)
  const forgetting = deleteUnusedWords(db)
  await new Promise((resolve) => setTimeout(resolve, 500))
  await tx.commit().execute()
  await forgetting
  const words = await db.selectFrom('registry_words').select('word').execute()
  const known = words.map(({ word }) => word)
  expect(known).toContain('begun')
  expect(known).not.toContain('unsaid')
})

test('[stored values stall nobody] words that are listed beyond a hundred thousand are found, but not kept', async () => {
  await sql`insert into registry_words select 'noise' || number from generate_series(1, 99999) number
    where (select count(*) from registry_words) = 0 or number > (select count(*) from registry_words)`.execute(db)
  await list(db, 'reg_late', { name: 'Zzlast Zzmore' }, [fed('svc_late', { name: 'Zzthird' })])
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from registry_words`.execute(db)
    return rows[0]?.count
  }
  expect(await count()).toBe(100_000)
  const { body } = await server.rest('POST', '/registry/search_services', { query: 'zzthird' })
  expect(body.services).toHaveLength(1)
  // They make room when nobody says them, all at once.
  await deleteUnusedWords(db)
  expect(await count()).toBeLessThan(100)
  await list(db, 'reg_later', { name: 'Zzroom' })
  expect(await db.selectFrom('registry_words').selectAll().where('word', '=', 'zzroom').execute()).toHaveLength(1)
})
