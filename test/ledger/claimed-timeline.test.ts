import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClaimedTime, Timeline } from '../../src/core/ledger/claimed-periods.ts'

const span = fc.record({ from: fc.integer({ min: 0, max: 300 }), length: fc.integer({ min: 1, max: 12 }) })
const steps = fc.array(fc.record({ span, removes: fc.boolean() }), { minLength: 1, maxLength: 400 })

test('a timeline says what a list says in which everything is compared with everything', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const timeline = new Timeline(4)
      let list: ClaimedTime[] = []
      for (const [number, { span, removes }] of taken.entries()) {
        const [oldest] = list
        if (removes && oldest) {
          timeline.remove(oldest)
          list = list.slice(1)
          continue
        }
        const one = { from: span.from, to: span.from + span.length, claim: String(number) }
        const rivals = list.filter((other) => other.from < one.to && one.from < other.to)
        const found = timeline.insert(one)
        if (rivals.length === 0) list.push(one)
        expect(found === undefined ? 0 : rivals.includes(found) ? 1 : -1).toBe(Math.min(rivals.length, 1))
      }
    }),
  )
})

test('a history of any length and in any order is gone through in little time', () => {
  const timeline = new Timeline()
  const count = 200_000
  const begun = performance.now()
  for (let nth = count; nth > 0; nth--) timeline.insert({ from: nth, to: nth + 1, claim: String(nth) })
  expect(timeline.insert({ from: 5, to: 7, claim: 'rival' })?.claim).toBe('5')
  for (let nth = 1; nth <= count; nth++) timeline.remove({ from: nth, to: nth + 1, claim: String(nth) })
  expect(timeline.insert({ from: 0, to: count, claim: 'all' })).toBeUndefined()
  // In one piece it would take far longer than this on any machine.
  expect(performance.now() - begun).toBeLessThan(5_000)
})
