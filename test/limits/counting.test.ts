import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { countCall } from '../../src/core/limits/rate-limits.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { countStatements } from '../support/count-statements.ts'
import { freshDatabase } from '../support/database.ts'

const minute = new Date('2026-11-20T12:00:00Z')

async function open(how: { migrated?: boolean } = {}) {
  const whole = openDatabase(await freshDatabase(how), 10, () => {}, { keepIdle: false })
  afterAll(() => whole.destroy())
  return { whole, ...countStatements(whole) }
}

test('[calls that come while others are counted] are counted together once those are, each under its own number', async () => {
  const { whole, db, counts } = await open()
  expect(await countCall(db, 'one', minute)).toBe(1)
  const calls = await whole.transaction().execute(async (tx) => {
    await sql`select from rate_limits where key = 'one' for update`.execute(tx)
    const under = [countCall(db, 'one', minute)]
    for (let nth = 0; nth < 6; nth++) {
      for (let tick = 0; tick < 4; tick++) await setImmediate()
      under.push(countCall(db, nth % 2 === 0 ? 'one' : 'other', minute))
    }
    return { under }
  })
  expect(await Promise.all(calls.under)).toEqual([2, 3, 1, 4, 2, 5, 3])
  expect(counts.statements).toBe(3)
  const next = new Date(minute.getTime() + 60_000)
  expect(await Promise.all([countCall(db, 'one', minute), countCall(db, 'one', next)])).toEqual([6, 1])
})

test('[calls that come while others are counted] all fail when their statement does, and so does the next', async () => {
  const { db } = await open({ migrated: false })
  const said = await Promise.allSettled([countCall(db, 'one', minute), countCall(db, 'two', minute)])
  expect(said.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(countCall(db, 'one', minute)).rejects.toThrow()
})

test('[no number of calls stalls the server] of those that were counted together a few go on in each turn', async () => {
  const { db } = await open()
  let [turn, isOver] = [0, false]
  const next = async () => {
    while (!isOver) {
      await setImmediate()
      turn++
    }
  }
  const turns = next()
  const wentOn = new Map<number, number>()
  const all = Array.from({ length: 400 }, async (_, nth) => {
    await countCall(db, `key ${nth % 3}`, minute)
    wentOn.set(turn, (wentOn.get(turn) ?? 0) + 1)
  })
  await Promise.all(all)
  isOver = true
  await turns
  expect(Math.max(...wentOn.values())).toBeLessThanOrEqual(32)
})
