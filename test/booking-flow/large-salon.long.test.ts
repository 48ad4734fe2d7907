import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { anybody, hall } from '../hostile/large-definitions.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testShop } from '../support/desk.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'
import { visitor } from './visitor.ts'

/** Milliseconds of processor time that a page may take. */
const AT_MOST = 150

const staff = Array.from({ length: 100 }, (_, nth) => ({
  id: `staff_${nth}`,
  type: 'staff' as const,
  name: `Stylist ${nth}`,
}))
const cut: ServiceDefinition = service('svc_cut', {
  resources: [{ type: 'staff', name: 'Stylist', selectable: true, options: staff.map(({ id }) => id) }],
})
cut.policies.booking_window = { ...cut.policies.booking_window, slot_interval: 'PT15M', max_advance: 'P1Y' }
const shop = await testShop(businessWith([cut], { resources: staff }), { env: { TRUST_PROXY: '127.0.0.1' } })
const browser = visitor(shop)

test.each([
  ['the weeks in which we are', ''],
  ['other weeks', '?from=2027-03-01'],
  ['a day', '?day=2027-03-02'],
  ['somebody', '?with=staff_7&from=2027-04-01'],
  ['two of a kind, of whom one comes', '?with=staff_1&with=staff_2'],
  ['weeks that are over', '?from=2026-01-01'],
])('[no single request stalls the server] a service of a hundred people, %s', async (_, query) => {
  const turns: number[] = []
  for (let count = 0; count < 3; count++) {
    const before = process.threadCpuUsage()
    expect((await browser.open(`/book/svc_cut${query}`)).status).toBe(200)
    const { user, system } = process.threadCpuUsage(before)
    turns.push((user + system) / 1000)
  }
  // The first may be met by what is done once.
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})

/** Milliseconds of processor time that are spent without anybody else having a turn. */
const MOST_OF_A_TURN = 60

test.each([
  ['500 people of whom anybody will do', anybody()],
  ['20 rooms, of which one is taken for up to a week', hall()],
])('[no single request stalls the server] %s, all taken for weeks, thirty times at once', async (_, definition) => {
  const shop = await testShop(definition, { env: { TRUST_PROXY: '127.0.0.1' } })
  await sql`
    insert into claims (resource_id, during, holder_kind, holder_id)
    select id, tstzrange('2026-11-20', '2026-12-15'), 'block', 'blk_' || id
    from unnest(${(definition.resources ?? []).map(({ id }) => id)}::text[]) id`.execute(shop.runtime.db)
  const browser = visitor(shop)
  const open = async () => (await browser.open('/book/svc_one')).status
  expect(await open()).toBe(200)
  const longest = longestTurn()
  const found = new Set(await Promise.all(Array.from({ length: 30 }, open)))
  const turn = longest()
  expect(found).toEqual(new Set([200]))
  expect(turn).toBeLessThan(MOST_OF_A_TURN * slowness())
})
