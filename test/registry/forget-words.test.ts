import { expect, test } from 'vitest'
import { forgetWords } from '../../src/registry/forget-words.ts'
import { indexedUpsert } from '../../src/registry/index-queries.ts'
import { indexedService } from '../../src/registry/indexed-service.ts'
import { START } from '../support/server.ts'
import { list, registry } from './directory.ts'
import { fed } from './services.ts'

const { db } = (await registry()).runtime

test('[REG-062] a word that somebody begins to use while words are forgotten stays', async () => {
  await list(db, 'reg_one')
  await db
    .insertInto('registry_words')
    .values([{ word: 'unsaid' }, { word: 'begun' }])
    .execute()
  const tx = await db.startTransaction().execute()
  await indexedUpsert(tx, 'reg_one', [indexedService(fed('svc', { name: 'Begun' }), null)], START)
  const forgetting = forgetWords(db)
  await new Promise((resolve) => setTimeout(resolve, 500))
  await tx.commit().execute()
  await forgetting
  const words = await db.selectFrom('registry_words').select('word').execute()
  const known = words.map(({ word }) => word)
  expect(known).toContain('begun')
  expect(known).not.toContain('unsaid')
})
