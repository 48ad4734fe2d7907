import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { random } from '../race/random.ts'
import { onBothBindings } from '../support/both-bindings.ts'
import { slowness } from '../support/slowness.ts'
import { list, registry } from './directory.ts'
import { fed } from './services.ts'

const server = await registry()
const { db } = server.runtime

const LONG = 'donaudampfschifffahrtsgesellschaft'
await list(db, 'reg_one', {}, [
  fed('short', { name: 'Yoga' }),
  fed('usual', { name: 'Massage' }),
  fed('compound', { name: 'Ganzkörpermassagebehandlung' }),
  fed('long', { name: LONG }),
])

/** Words that share everything with one another but for a few of sixty letters. */
const letters = 'abcdefghijklmnopqrstuvwxyz'
const stem = Array.from({ length: 60 }, (_, nth) => letters[(nth * 7 + ((nth * nth) % 11)) % 26]).join('')
const numbers = random(1)
const slipped = (word: string, slips: number): string => {
  const at = Math.floor(numbers.next() * word.length)
  return slips === 0 ? word : slipped(word.slice(0, at) + numbers.pick([...letters]) + word.slice(at + 1), slips - 1)
}

onBothBindings(server, (call) => {
  const found = async (query: string): Promise<string[]> => {
    const { payload } = await call('usp_registry_search_services', { query })
    return payload.services.map(({ service_id }: { service_id: string }) => service_id).sort()
  }

  test.each([
    ['a letter too few', 'masage', ['usual']],
    ['the first letter wrong', 'nassage', ['usual']],
    ['the last letter wrong', 'massagi', ['usual']],
    ['two swapped in the middle', 'masasge', ['usual']],
    ['one slip at the beginning, one in the middle', 'nasszge', ['usual']],
    ['one slip in the middle, one at the end', 'maszagi', ['usual']],
    ['a short one', 'yuga', ['short']],
    ['the first of a short one', 'joga', ['short']],
    ['within a longer one', 'massagebehandlung', ['compound']],
    ['two slips in a long one', 'donaudampfschiffahrtsgeselschaft', ['long']],
    ['what is like nothing', 'xylophon', []],
    ['three letters are too few to be meant otherwise', 'yog', ['short']],
    ['three letters that nobody has', 'yug', []],
  ])('[REG-062] %s', async (_, query, ids) => {
    expect(await found(query)).toEqual(ids)
  })

  test('[REG-062] the word itself, and what holds it', async () => {
    expect(await found('massage')).toEqual(['compound', 'usual'])
  })
})

test('[no stored value stalls the server] words made to be alike do not make a search slow', async () => {
  const words = Array.from({ length: 60_000 }, () => slipped(stem, 6))
  for (let from = 0; from < words.length; from += 5_000)
    await sql`insert into registry_words select unnest(${words.slice(from, from + 5_000)}::text[]) on conflict do nothing`.execute(
      db,
    )
  await sql`analyze registry_words`.execute(db)
  const asked = Array.from({ length: 8 }, () => `z${slipped(stem, 1).slice(1)}`)
  const meant = sql<{ found: string }>`select found from registry_query(${asked}::text[])`
  const start = performance.now()
  const { rows } = await meant.execute(db)
  expect(rows).toHaveLength(asked.length)
  expect(performance.now() - start).toBeLessThan(1_000 * slowness())
})
