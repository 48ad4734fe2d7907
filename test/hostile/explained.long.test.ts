import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { testShop } from '../support/desk.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'
import { anybody, closures, onLeave, rental } from './large-definitions.ts'

/**
 * Milliseconds of processor time that others wait; and how often the work of two queries, with the wish and without, it may be,
 * beside what is too little for the clock of a thread to tell.
 */
const AT_MOST = { turn: 60, work: 3, untold: 10 }

const all = (count: number) => sql`
  insert into claims (resource_id, during, holder_kind, holder_id)
  select 'staff_' || nth, tstzrange('2026-11-20', '2027-02-01'), 'block', 'blk_' || nth
  from generate_series(0, ${count - 1}) nth`

interface Wishes {
  resource_id?: string
  location_id?: string
  start_date?: string
  end_date?: string
}

test.each<[string, BusinessDefinition, Wishes, string, ReturnType<typeof all>?]>([
  ['one of 500 people, who is away', onLeave(500, 'PT30M'), { resource_id: 'staff_0' }, 'nobody_there'],
  [
    'one of two places of 500 people, which is shut',
    onLeave(500, 'PT30M', ['loc_open', 'loc_shut']),
    { location_id: 'loc_shut' },
    'closed',
  ],
  ['any of 500 people, who are all taken', anybody(), {}, 'taken', all(500)],
  [
    'one of 20 people at ten places with 1,500 closures, who are all taken',
    closures(),
    { resource_id: 'staff_0' },
    'taken',
    all(20),
  ],
  [
    'a bike of 50 for up to 14 days, by the minute',
    rental(),
    { start_date: '2026-11-24T10:07:00Z', end_date: '2026-11-24T10:08:00Z' },
    'other_times',
  ],
])('[no single request stalls the server] a week is explained of %s', async (_, definition, asked, code, taken) => {
  const shop = await testShop(definition)
  await taken?.execute(shop.runtime.db)
  const week = { service_id: 'svc_one', start_date: '2026-11-24', end_date: '2026-11-30' }
  const { resource_id, location_id, ...anyhow } = asked
  const calls: [string, object][] = [
    ['query', { ...week, ...asked }],
    ['query', { ...week, ...anyhow }],
    ['explain', { ...week, ...asked }],
  ]
  const done: { turn: number; work: number }[][] = [[], [], []]
  for (let attempt = 0; attempt < 5; attempt++)
    for (const [nth, [path, input]] of calls.entries()) {
      // Another definition is reckoned anew.
      await shop.apply({ ...definition, business: { ...definition.business, name: `Studio ${nth} ${attempt}` } })
      await shop.runtime.business.get()
      const [longest, before] = [longestTurn(), process.threadCpuUsage()]
      const { body } = await shop.rest('POST', `/availability/${path}`, input)
      const { user, system } = process.threadCpuUsage(before)
      done[nth]?.push({ turn: longest(), work: (user + system) / 1000 })
      if (path === 'explain') expect(body.reasons[0].code).toBe(code)
    }
  const [wished, any, explained] = done.map((all) => Math.min(...all.map(({ work }) => work)))
  expect(Math.min(...(done[2] ?? []).map(({ turn }) => turn))).toBeLessThan(AT_MOST.turn * slowness())
  expect(explained).toBeLessThan(AT_MOST.work * ((wished ?? 0) + (any ?? 0)) + AT_MOST.untold)
})
