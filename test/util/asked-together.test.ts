import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { QueryBatcher } from '../../src/infra/util/query-batcher.ts'

const asking = (query: string, subjects: string[] = [], at = 0) => ({ query, subjects, at })

test('[nothing is older than the question] who asks in one turn is answered together, who asks later anew', async () => {
  let found = 0
  const together = new QueryBatcher<number>()
  const ask = (question: string) => together.ask(asking(question), async () => ++found)
  const first = [ask('a'), ask('a'), ask('b')]
  expect(found).toBe(0)
  expect(await Promise.all(first)).toEqual([1, 1, 2])
  expect(await ask('a')).toBe(3)
})

test('[nothing is older than the question] who asks while the answer is on its way has one of their own', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const together = new QueryBatcher<string>()
  const first = together.ask(asking('a'), () => promise)
  await setImmediate()
  const second = together.ask(asking('a'), async () => 'newer')
  expect(await second).toBe('newer')
  resolve('older')
  expect(await first).toBe('older')
})

test('[nothing is older than the question] a failure is that of those who asked together', async () => {
  const together = new QueryBatcher<string>()
  const failing = [1, 2].map(() => together.ask(asking('a'), () => Promise.reject(new Error('gone'))))
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await together.ask(asking('a'), async () => 'there')).toBe('there')
})

describe('who asks the same about other things', () => {
  const names = Array.from({ length: 500 }, (_, nth) => `name_${nth}`)

  /** Says about what is asked at once, when these all ask in one turn. */
  async function askedBy(...all: string[][]): Promise<string[][]> {
    const asked: string[][] = []
    const together = new QueryBatcher<number>()
    await Promise.all(all.map((about) => together.ask(asking('a', about), async (names) => asked.push(names))))
    return asked
  }

  test('is answered with them', async () => {
    expect(await askedBy(names.slice(1, 3), names.slice(2, 4), names.slice(1, 2))).toEqual([names.slice(1, 4)])
  })

  test('waits for no more than sixty-four things', async () => {
    const [many, few, one] = [names.slice(100, 400), names.slice(0, 64), names.slice(300, 301)]
    expect(await askedBy(many, few, one, many, few)).toEqual([many, few, one])
    expect(await askedBy(few, names.slice(0, 65))).toEqual([few, names.slice(0, 65)])
  })

  test('is never asked for twice, whoever comes in between', async () => {
    const [one, other] = [names.slice(0, 40), names.slice(40, 80)]
    expect(await askedBy(one, other, one, other, one)).toEqual([one, other])
    expect(await askedBy(one, names.slice(1, 41))).toEqual([names.slice(0, 41)])
    const [alone, full, next] = [names.slice(90, 91), names.slice(0, 64), names.slice(91, 92)]
    expect(await askedBy(full, alone, names.slice(100, 164), next)).toEqual([
      full,
      [...alone, ...next],
      names.slice(100, 164),
    ])
  })

  test('[nothing is older than the question] is told how things stand at the latest moment that one named', async () => {
    const together = new QueryBatcher<number>()
    const ask = (at: number, ...about: string[]) => together.ask(asking('a', about, at), async (_, latest) => latest)
    expect(await Promise.all([ask(2, 'one'), ask(5, 'one'), ask(3, 'other')])).toEqual([5, 5, 5])
  })
})
