import { expect, test } from 'vitest'
import { claimTake } from '../../src/core/ledger/resource-claims.ts'
import { testShop } from '../support/desk.ts'
import { haircutsAt } from './haircuts-at.ts'
import { salon } from './visitor.ts'

test.each([
  ['the night before', '2026-11-30T18:00:00-05:00', '2026-12-01T00:15:00-05:00'],
  ['the night after', '2026-12-01T23:45:00-05:00', '2026-12-02T06:00:00-05:00'],
])('[anyone, spread fairly] whoever is busy all of %s has not much to do that day', async (_, began, ended) => {
  const shop = await testShop(salon())
  const [{ db }, now] = [shop.runtime, shop.time.now]
  const take = (resource: string, from: string, to: string) => {
    const claim = { resources: [resource], time: { from: Date.parse(from), to: Date.parse(to) } }
    return db.transaction().execute((tx) => claimTake(tx, { ...claim, holder: { kind: 'block', id: resource } }, now))
  }
  await take('staff_alex', began, ended)
  await take('staff_jane', '2026-12-01T10:00:00-05:00', '2026-12-01T11:00:00-05:00')
  const first = await haircutsAt(shop, Date.parse('2026-12-01T15:00:00-05:00'))
  expect(await first()).toEqual(['staff_alex'])
})
