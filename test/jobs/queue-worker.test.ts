import { setTimeout as pass } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startLoop } from '../../src/core/jobs/background-loop.ts'
import { startWorker, type Work, workAll } from '../../src/core/jobs/queue-worker.ts'
import { testAnnouncements } from '../support/announcements.ts'
import { freshDatabase } from '../support/database.ts'

const announcements = testAnnouncements(await freshDatabase())
const logged: string[] = []
const log = pino({}, { write: (line: string) => void logged.push(line) })

/** Work on numbers; every fifth fails. */
function counting(count: number, more: Partial<Work<number>> = {}) {
  const left = Array.from({ length: count }, (_, index) => index)
  const seen = { most: 0, now: 0, done: [] as number[] }
  const work: Work<number> = {
    name: 'counting',
    atOnce: 3,
    idOf: String,
    take: async (most) => left.splice(0, Math.min(2, most)),
    async work(item) {
      seen.now++
      seen.most = Math.max(seen.most, seen.now)
      await pass(2)
      seen.now--
      seen.done.push(item)
      if (item % 5 === 0) throw new Error(`five divides ${item}`)
      return undefined
    },
    ...more,
  }
  return { left, seen, work }
}

test('all that is due is done, no more at once than there may be, whatever fails', async () => {
  const { seen, work } = counting(20)
  await workAll({ log }, work)
  expect(seen.done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(seen.most).toBe(3)
  expect(logged.filter((line) => line.includes('five divides'))).toHaveLength(4)
})

test('it says again and again that what is long under way still is', async () => {
  const renewed: number[][] = []
  const { work } = counting(1, {
    work: () => pass(1_500, undefined),
    renew: async (items) => void renewed.push(items),
  })
  await workAll({ log }, work)
  expect(renewed).toEqual([[0]])
})

test('who has nothing to do says nothing', async () => {
  let renewals = 0
  const { work } = counting(0, { renew: async () => renewals++ })
  const worker = startWorker({ log }, work, { every: 60_000, announced: { announcements, channel: 'deliveries' } })
  await pass(1_500)
  await worker.close()
  expect(renewals).toBe(0)
})

test('one that is closed takes no more, and finishes what it has begun', async () => {
  const { left, seen, work } = counting(1_000, {
    work: (item) => pass(20).then(() => void seen.done.push(item)) as Promise<undefined>,
  })
  const worker = startWorker({ log }, work, { every: 60_000, announced: { announcements, channel: 'deliveries' } })
  await expect.poll(() => seen.done.length).toBeGreaterThan(3)
  await worker.close()
  const taken = 1_000 - left.length
  expect(taken).toBeLessThan(1_000)
  expect(seen.done).toHaveLength(taken)
  await pass(100)
  expect(seen.done).toHaveLength(taken)
})

test('turns are never taken two at once; who is woken during one takes another, however often, once', async () => {
  let [now, most, turns] = [0, 0, 0]
  const running = startLoop({ name: 'turns', every: 60_000, log }, async () => {
    most = Math.max(most, ++now)
    await pass(20)
    now--
    turns++
    throw new Error('and it fails')
  })
  for (let times = 0; times < 5; times++) running.wake()
  await expect.poll(() => turns).toBe(2)
  await pass(100)
  expect([turns, most]).toEqual([2, 1])
  running.wake()
  await expect.poll(() => turns).toBe(3)
  await running.close()
  running.wake()
  await pass(50)
  expect(turns).toBe(3)
})

test('[an outcome is written until it is accepted] an item is done once, however often its outcome cannot be written', async () => {
  const [done, written]: [number[], number[]] = [[], []]
  let refusals = 4
  const { work } = counting(1, {
    async work(item) {
      done.push(item)
      return async () => {
        if (refusals-- > 0) throw new Error('the database is away')
        written.push(item)
      }
    },
  })
  await workAll({ log }, work)
  expect([done, written]).toEqual([[0], [0]])
  expect(logged.filter((line) => line.includes('the database is away'))).toHaveLength(1)
})

test('[an outcome is written until it is accepted] the lease is renewed meanwhile, and an item taken again is not done again', async () => {
  const [done, renewed]: [number[], number[][]] = [[], []]
  let isAway = true
  const work: Work<number> = {
    name: 'taken again',
    atOnce: 3,
    idOf: String,
    // The lease has lapsed, so the queue hands out the same item again.
    take: async () => (isAway ? [7] : []),
    async work(item) {
      done.push(item)
      return async () => {
        if (isAway) throw new Error('the database is away')
      }
    },
    renew: async (items) => void renewed.push(items),
  }
  const worker = startWorker({ log }, work, { every: 20 })
  await expect.poll(() => renewed.length).toBeGreaterThan(0)
  isAway = false
  await worker.close()
  expect([done, renewed[0]]).toEqual([[7], [7]])
})

test('[an outcome is written until it is accepted] a worker that is closed tries once more and ends', async () => {
  let tries = 0
  const { work } = counting(1, {
    work: async () => async () => {
      tries++
      throw new Error('the database is away')
    },
  })
  const worker = startWorker({ log }, work, { every: 60_000 })
  await expect.poll(() => tries).toBe(2)
  const before = performance.now()
  await worker.close()
  expect(performance.now() - before).toBeLessThan(5_000)
  expect(tries).toBe(3)
})
