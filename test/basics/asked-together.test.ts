import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AskedTogether } from '../../src/basics/asked-together.ts'

test('[nothing is older than the question] who asks in one turn is answered together, who asks later anew', async () => {
  let found = 0
  const together = new AskedTogether<number>()
  const ask = (question: string) => together.ask(question, [], async () => ++found)
  const first = [ask('a'), ask('a'), ask('b')]
  expect(found).toBe(0)
  expect(await Promise.all(first)).toEqual([1, 1, 2])
  expect(await ask('a')).toBe(3)
})

test('[nothing is older than the question] who asks while the answer is on its way has one of their own', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const together = new AskedTogether<string>()
  const first = together.ask('a', [], () => promise)
  await setImmediate()
  const second = together.ask('a', [], async () => 'newer')
  expect(await second).toBe('newer')
  resolve('older')
  expect(await first).toBe('older')
})

test('[nothing is older than the question] a failure is that of those who asked together', async () => {
  const together = new AskedTogether<string>()
  const failing = [1, 2].map(() => together.ask('a', [], () => Promise.reject(new Error('gone'))))
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await together.ask('a', [], async () => 'there')).toBe('there')
})

test('[nothing is older than the question] who asks the same about other things is answered with them', async () => {
  const asked: number[][] = []
  const together = new AskedTogether<number, number>()
  const ask = (...about: number[]) => together.ask('a', about, async (all) => asked.push(all))
  expect(await Promise.all([ask(1, 2), ask(2, 3), ask(1)])).toEqual([1, 1, 1])
  expect(await ask(4)).toBe(2)
  expect(asked).toEqual([[1, 2, 3], [4]])
})

test('nobody waits for more than sixty-four things of others', async () => {
  const asked: number[][] = []
  const together = new AskedTogether<number, number>()
  const ask = (from: number, to: number) => together.ask('a', numbers.slice(from, to), async (all) => asked.push(all))
  const numbers = Array.from({ length: 500 }, (_, nth) => nth)
  await Promise.all([ask(0, 60), ask(60, 64), ask(20, 64), ask(64, 65), ask(100, 400), ask(300, 400), ask(400, 401)])
  expect(asked).toEqual([numbers.slice(0, 64), numbers.slice(64, 65), numbers.slice(100, 400), [400]])
})
