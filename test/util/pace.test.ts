import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Throttle } from '../../src/infra/util/yield-to-event-loop.ts'
import { spendMillisecond } from '../support/busy-millisecond.ts'

async function restsOf(work: () => unknown): Promise<{ worked: number; rested: number }> {
  const pace = new Throttle()
  let rested = 0
  const began = performance.now()
  for (let steps = 0; steps < 100; steps++) {
    if (pace.isUsed()) {
      const from = performance.now()
      await pace.rest()
      rested += performance.now() - from
    }
    await work()
  }
  return { worked: performance.now() - began - rested, rested }
}

test.each([
  ['it works', spendMillisecond],
  ['others work for it', () => pass(1)],
])('who has a pace rests as long as %s', async (_, work) => {
  const { worked, rested } = await restsOf(work)
  // The last share is followed by no rest.
  expect(rested).toBeGreaterThan((worked - 20) * 0.9)
})

test('nobody rests for long, whatever a step took', async () => {
  const pace = new Throttle()
  await pass(400)
  const from = performance.now()
  await pace.rest()
  expect(performance.now() - from).toBeLessThan(300)
})

test('several have a pace each', async () => {
  const alone = await restsOf(() => pass(1))
  const together = await Promise.all([restsOf(() => pass(1)), restsOf(() => pass(1))])
  // A busy machine lengthens the work, and with it the rests.
  for (const { worked, rested } of together) expect(rested / worked).toBeGreaterThan(alone.rested / alone.worked / 2)
})
