import { expect, test } from 'vitest'
import { planOf } from '../../src/availability/plan.ts'
import { choiceOf } from '../../src/doors/book/choice.ts'
import { fairestFirst } from '../../src/doors/book/fair-choice.ts'
import { timesAt } from '../../src/doors/book/free-times.ts'
import { claimTake } from '../../src/ledger/claims.ts'
import { testShop } from '../support/desk.ts'
import { salon } from './visitor.ts'

const HOUR = 3_600_000

test.each([
  ['the night before', '2026-11-30T18:00:00-05:00', '2026-12-01T00:15:00-05:00'],
  ['the night after', '2026-12-01T23:45:00-05:00', '2026-12-02T06:00:00-05:00'],
])('[anyone, spread fairly] whoever is busy all of %s has not much to do that day', async (_, began, ended) => {
  const shop = await testShop(salon())
  const [{ db }, now, plan] = [shop.runtime, shop.time.now, planOf(salon(), 'svc_haircut')]
  if (!plan) throw new Error('there are no haircuts')
  const take = (resource: string, from: string, to: string) => {
    const claim = { resources: [resource], time: { from: Date.parse(from), to: Date.parse(to) } }
    return db.transaction().execute((tx) => claimTake(tx, { ...claim, holder: { kind: 'block', id: resource } }, now))
  }
  await take('staff_alex', began, ended)
  await take('staff_jane', '2026-12-01T10:00:00-05:00', '2026-12-01T11:00:00-05:00')
  const start = Date.parse('2026-12-01T15:00:00-05:00')
  const choice = choiceOf(plan, new URLSearchParams({ place: 'loc_downtown' }))
  const times = await timesAt(db, plan, { choice, now }, { start, end: start + HOUR })
  const [first] = await fairestFirst(db, plan, times, now)
  expect(first?.picks).toEqual(['staff_alex'])
})
