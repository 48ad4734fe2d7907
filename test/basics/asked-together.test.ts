import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AskedTogether } from '../../src/basics/asked-together.ts'

test('[nothing is older than the question] who asks in one turn is answered together, who asks later anew', async () => {
  let found = 0
  const together = new AskedTogether<number>()
  const ask = (question: string) => together.ask(question, async () => ++found)
  const first = [ask('a'), ask('a'), ask('b')]
  expect(found).toBe(0)
  expect(await Promise.all(first)).toEqual([1, 1, 2])
  expect(await ask('a')).toBe(3)
})

test('[nothing is older than the question] who asks while the answer is on its way has one of their own', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const together = new AskedTogether<string>()
  const first = together.ask('a', () => promise)
  await setImmediate()
  const second = together.ask('a', async () => 'newer')
  expect(await second).toBe('newer')
  resolve('older')
  expect(await first).toBe('older')
})

test('[nothing is older than the question] a failure is that of those who asked together', async () => {
  const together = new AskedTogether<string>()
  const failing = [1, 2].map(() => together.ask('a', () => Promise.reject(new Error('gone'))))
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await together.ask('a', async () => 'there')).toBe('there')
})
