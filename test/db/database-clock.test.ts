import { pino } from 'pino'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../src/infra/db/database.ts'
import { databaseClock } from '../../src/infra/db/database-clock.ts'
import { freshDatabase } from '../support/database.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const db = openDatabase(await freshDatabase(), 1, () => {})
afterAll(() => db.destroy())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})
const [today, elapsed] = [Date.now, performance.now.bind(performance)]
const clockOf = (ahead: number) => vi.spyOn(Date, 'now').mockImplementation(() => today() + ahead)
/** How far off the truth it is; this machine's clock is right but for what a test does to it. */
const off = (now: Date) => Math.abs(now.getTime() - today())

async function kept() {
  const lines: string[] = []
  const clock = databaseClock(pino({}, { write: (line: string) => void lines.push(line) }))
  await clock.check(db)
  return { ...clock, lines, stop: clock.keep(db) }
}

test('[the database tells the time] a machine whose clock is set while it runs changes nothing within seconds, until it is right again', async () => {
  const { now, fault, assertChangesAllowed, lines, stop } = await kept()
  expect(fault()).toBeUndefined()
  clockOf(3 * HOUR)
  expect(off(now())).toBeLessThan(1_000)
  await expect.poll(fault).toMatch(/10800 s ahead of the database's/)
  expect(assertChangesAllowed).toThrow()
  expect(lines.filter((line) => line.includes('10800 s ahead'))).toHaveLength(1)
  expect(off(now())).toBeLessThan(1_000)
  clockOf(0)
  await expect.poll(fault).toBeUndefined()
  expect(assertChangesAllowed).not.toThrow()
  stop()
})

test('[the database tells the time] it is asked each minute, and what runs unevenly here is put right', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { now, stop } = await kept()
  // As after a minute in which this machine counted half a minute too many, for which nobody has set anything.
  clockOf(30_000)
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed() + 30_000)
  expect(off(now())).toBeGreaterThan(29_000)
  const asked = vi.spyOn(db, 'getExecutor')
  await vi.advanceTimersByTimeAsync(2_500)
  expect(asked).not.toHaveBeenCalled()
  expect(off(now())).toBeGreaterThan(29_000)
  clockOf(MINUTE + 1)
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed() + MINUTE + 1)
  await vi.advanceTimersByTimeAsync(1_000)
  await expect.poll(() => off(now())).toBeLessThan(1_000)
  stop()
})

test('[the database tells the time] a machine that slept asks when it wakes', async () => {
  const { now, stop } = await kept()
  // What runs on evenly stood still for as long.
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed() - HOUR)
  expect(off(now())).toBeGreaterThan(HOUR - 1_000)
  await expect.poll(() => off(now())).toBeLessThan(1_000)
  stop()
})
