import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { type Shop, testShop } from '../support/desk.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'
import { anybody, onLeave } from './large-definitions.ts'

/** Milliseconds of processor time. */
const AT_MOST = 60

test.each([
  ['one of 50 people, every quarter of an hour', onLeave(50, 'PT15M'), { resource_id: 'staff_0' }],
  ['one of 500 people, every half an hour', onLeave(500, 'PT30M'), { resource_id: 'staff_0' }],
  ['one of two places of 500 people', onLeave(500, 'PT30M', ['loc_open', 'loc_shut']), { location_id: 'loc_shut' }],
])('[no single request stalls the server] a month without hours of %s', async (_, definition, asked) => {
  const shop = await testShop(definition)
  expect(await longestTurnOf(shop, definition, asked, 'The service has no working hours in this range.')).toBeLessThan(
    AT_MOST * slowness(),
  )
})

test('[no single request stalls the server] a month of 500 people, of whom none is free and anybody will do', async () => {
  const shop = await testShop(anybody())
  await sql`
    insert into claims (resource_id, during, holder_kind, holder_id)
    select 'staff_' || nth, tstzrange('2026-11-20', '2027-02-01'), 'block', 'blk_' || nth
    from generate_series(0, 499) nth`.execute(shop.runtime.db)
  expect(await longestTurnOf(shop, anybody(), {}, 'Everything is booked then.')).toBeLessThan(AT_MOST * slowness())
})

async function longestTurnOf(shop: Shop, definition: BusinessDefinition, asked: object, why: string): Promise<number> {
  const query = { service_id: 'svc_one', start_date: '2026-11-24', end_date: '2026-12-24', ...asked }
  const turns: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    // Another definition is reckoned anew.
    await shop.apply({ ...definition, business: { ...definition.business, name: `Studio ${attempt}` } })
    await shop.runtime.business.get()
    const longest = longestTurn()
    const { body } = await shop.rest('POST', '/availability/query', query)
    turns.push(longest())
    expect(body.messages.at(-1).content).toContain(why)
  }
  return Math.min(...turns)
}
