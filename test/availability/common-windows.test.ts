import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonWindows } from '../../src/domain/availability/generate-scheduled-times.ts'
import { intersection, type Span } from '../../src/domain/availability/time-spans.ts'

/** Somebody's hours: apart from each other, or touching. */
const hours = fc
  .uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: 6 })
  .map((hours) => hours.sort((one, other) => one - other))
  .map((hours) => hours.flatMap((to, index): Span[] => (index % 2 ? [[hours[index - 1] ?? 0, to]] : [])))

/** Everybody who would do, of each kind that is needed. */
const needed = fc.array(fc.array(hours, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })

/** By trying one after the other. */
const tried = (kinds: Span[][][]): Span[] =>
  kinds
    .reduce<Span[][]>(
      (found, people) => found.flatMap((some) => people.map((one) => intersection(some, one))),
      [[[0, 12]]],
    )
    .flat()

const longest = (windows: Span[]) => {
  const ends = new Map<number, number>()
  for (const [from, to] of windows) ends.set(from, Math.max(to, ends.get(from) ?? 0))
  return [...ends].sort(([one], [other]) => one - other)
}

test('[a service of many people is reckoned at once] windows are those of every choice of people', () => {
  fc.assert(
    fc.property(needed, (kinds) => {
      const windows = commonWindows([[[0, 12]], ...kinds.map((people) => people.flat())])
      expect(longest(windows)).toEqual(longest(tried(kinds)))
    }),
    { numRuns: 2_000 },
  )
})

test('[a service of many people is reckoned at once] twelve kinds of twelve people with hours of their own', () => {
  const kinds = Array.from({ length: 12 }, (_, kind) =>
    Array.from({ length: 12 }, (_, person): Span => [kind * 12 + person, 1_000 + person]),
  )
  const expected = Array.from({ length: 12 }, (_, person): Span => [132 + person, 1_000 + person])
  expect(commonWindows([[[0, 2_000]], ...kinds])).toEqual(expected)
})
