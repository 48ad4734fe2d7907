import { expect, test } from 'vitest'
import { deleteUnusedWords } from '../../src/domain/registry/search/delete-unused-words.ts'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { CENTRE, list, north, registry } from './directory.ts'
import { fed } from './services.ts'

const server = await registry()
const { db } = server.runtime
const channel = { type: 'at_business_location' } as const

await list(db, 'reg_harps', { location: north(0) }, [
  fed('misspelled', { name: 'Kythara', channel }),
  fed('described', { name: 'Lesson', description: { plain: 'With a kithara.' }, channel }),
  fed('titled', { name: 'Lesson', categories: [{ taxonomy: 'merchant', id: 'kithara' }], channel }),
  fed('named', { name: 'Kithara', channel }),
  fed('german', { name: 'Rückenmassage', localized: { name: { fr: 'Massage du dos', ja: 'もみほぐし' } }, channel }),
  fed('quoted', { name: "O'Neill's \\ 100% & more!", channel }),
])
const syllables = ['ba', 'ce', 'di', 'fo', 'gu']
const many = syllables.flatMap((one) => syllables.flatMap((two) => syllables.map((three) => `qu${one}${two}${three}`)))
await list(db, 'reg_many', { location: north(0) }, [fed('many', { name: many.join(' '), type: 'many', channel })])

const found = async (call: Caller, query: string, more = {}): Promise<string[]> => {
  const { payload } = await call('usp_registry_search_services', { query, ...more })
  expect(payload).not.toHaveProperty('messages')
  return payload.services.map(({ service_id }: { service_id: string }) => service_id)
}

onBothBindings(server, (call) => {
  test('[REG-062] what has it in the name comes first, then the category, the description, and what is like it', async () => {
    const ids = ['named', 'titled', 'described', 'misspelled']
    expect(await found(call, 'kithara')).toEqual(ids)
    expect(await found(call, 'kithar')).toEqual(ids)
    for (const location of [{ coordinates: CENTRE }, { coordinates: CENTRE, radius_km: 1 }])
      expect(await found(call, 'kithara', { location })).toEqual(ids)
  })

  test('[REG-062] a word that nobody uses stands for what is like it', async () => {
    expect(await found(call, 'kithaar')).toEqual(['named', 'titled', 'described'])
    expect(await found(call, 'lessno')).toEqual(['described', 'titled'])
  })

  test.each(['massage', 'RUCKEN', 'rückenmasage', 'dos', 'ほぐし'])(
    '[REG-062] %s is found in any script, within other words and in translations',
    async (query) => {
      expect(await found(call, query)).toEqual(['german'])
    },
  )

  test('[REG-062] what begins with very many words still finds each of them', async () => {
    for (const query of ['qu', 'quba', many[124] ?? '']) expect(await found(call, query)).toEqual(['many'])
  })

  test.each([
    ["o'neill", ['quoted']],
    ["o\\'NEILL\\", ['quoted']],
    ['100%', ['quoted']],
    ['(more & !100) | dos:* <-> x', ['quoted']],
    ["'); drop table registrations; --", []],
  ])('the query %j is nothing but its words', async (query, ids) => {
    expect(await found(call, query)).toEqual(ids)
  })
})

test('[REG-037] [REG-062] words that nobody says any more are forgotten, others stay', async () => {
  const known = async () => (await db.selectFrom('registry_words').select('word').execute()).map(({ word }) => word)
  await list(db, 'reg_brief', { name: 'Ephemera' }, [fed('brief', { name: 'Kithara ephemeral' })])
  await deleteUnusedWords(db)
  expect(await known()).toEqual(expect.arrayContaining(['ephemera', 'ephemeral', 'kithara']))
  await db.deleteFrom('registrations').where('id', '=', 'reg_brief').execute()
  await deleteUnusedWords(db)
  expect((await known()).filter((word) => word.startsWith('ephemera'))).toEqual([])
  expect(await known()).toContain('kithara')
})
