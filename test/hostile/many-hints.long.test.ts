import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { hintStates } from '../../src/domain/availability/hints/queries.ts'
import { refreshHints } from '../../src/domain/availability/hints/refresh-availability-hints.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { testServer } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'
import { anybody, mostTimes } from './large-definitions.ts'

/** Milliseconds of processor time. */
const AT_MOST = 60
/** The same of a run of one minute, whatever it leaves to the next. */
const MOST_OF_A_RUN = 6_000

const SERVICES = 40

/** So many services of the same people: each booking changes the calendar of them all. */
function severalOf({ services, ...definition }: BusinessDefinition): BusinessDefinition {
  const copies = Array.from({ length: SERVICES }, (_, nth) => services.map((one) => ({ ...one, id: `svc_${nth}` })))
  return { ...definition, services: copies.flat() }
}

test.each([
  ['40,000 times a day', mostTimes],
  ['500 people of whom anybody will do', anybody],
])('[no stored value stalls the server] hints of forty services of %s', async (_, definition) => {
  const { runtime, time } = await testServer(severalOf(definition()))
  const { db } = runtime
  // Many days have to be looked through to their end.
  await sql`
    insert into claims (resource_id, during, holder_kind, holder_id)
    select 'staff_' || nth, tstzrange('2026-11-20', '2026-12-05'), 'block', 'blk_' || nth
    from generate_series(0, 499) nth`.execute(db)
  await runtime.business.get()
  const longest = longestTurn()
  const before = process.threadCpuUsage()
  await refreshHints(runtime, time.now)
  const { user, system } = process.threadCpuUsage(before)
  const turn = longest()
  expect(turn).toBeLessThan(AT_MOST * slowness())
  expect((user + system) / 1000).toBeLessThan(MOST_OF_A_RUN * slowness())
  const isMade = async () => (await hintStates(db)).filter(({ generated_at }) => generated_at).length
  const first = await isMade()
  expect(first).toBeGreaterThan(0)
  await refreshHints(runtime, time.now)
  expect(await isMade()).toBeGreaterThan(Math.min(first, SERVICES - 1))
})
