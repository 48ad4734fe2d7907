import { expect, test } from 'vitest'
import { limitConcurrency } from '../../src/infra/util/semaphore.ts'

test('so many work at once, the others after them in order, whoever fails', async () => {
  const inTurn = limitConcurrency(2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (number: number) =>
    inTurn(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (number === 1) throw new Error('failed')
      return number
    })
  const all = Promise.allSettled([0, 1, 2, 3, 4].map(work))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const endAt = async (index: number) => {
    ends[index]?.()
    await settle()
  }
  await settle()
  expect(begun).toEqual([0, 1])
  await endAt(1)
  expect(begun).toEqual([0, 1, 2])
  await endAt(0)
  expect(begun).toEqual([0, 1, 2, 3])
  for (const index of [2, 3]) await endAt(index)
  await endAt(4)
  expect((await all).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(await inTurn(async () => 'free')).toBe('free')
})
