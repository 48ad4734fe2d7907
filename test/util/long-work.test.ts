import { expect, test } from 'vitest'
import { isTimeSliceUsed, yieldToEventLoop } from '../../src/infra/util/yield-to-event-loop.ts'
import { spendMillisecond } from '../support/busy-millisecond.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'

/** Milliseconds of processor time. */
const AT_MOST = 20

test('thirty at once keep others waiting no longer than one, and none of them waits for another to end', async () => {
  const steps = Array<number>(30).fill(0)
  const work = async (nth: number) => {
    while ((steps[nth] ?? 0) < 30) {
      if (isTimeSliceUsed()) await yieldToEventLoop()
      spendMillisecond()
      steps[nth] = (steps[nth] ?? 0) + 1
    }
    return Math.min(...steps)
  }
  const longest = longestTurn()
  const leastOfOthers = await Promise.all(steps.map((_, nth) => work(nth)))
  expect(longest()).toBeLessThan(AT_MOST * slowness())
  expect(Math.min(...leastOfOthers)).toBeGreaterThan(0)
})

test('who does little is held up by nobody', async () => {
  await new Promise((resolve) => setImmediate(resolve))
  let turns = 0
  const turn = setImmediate(() => turns++)
  for (let steps = 0; steps < 100; steps++) if (isTimeSliceUsed()) await yieldToEventLoop()
  clearImmediate(turn)
  expect(turns).toBe(0)
})

test('of what is soon done much goes on in one turn', async () => {
  while (!isTimeSliceUsed()) spendMillisecond()
  let turns = 0
  const count = () => {
    turns++
    turn = setImmediate(count)
  }
  let turn = setImmediate(count)
  await Promise.all(Array.from({ length: 100 }, yieldToEventLoop))
  clearImmediate(turn)
  expect(turns).toBeLessThan(10)
})
