import { expect, test } from 'vitest'
import { makeBackoff } from '../../src/core/jobs/retry-backoff.ts'

let now = 0
const paceOf = (atOnce: number) => makeBackoff(atOnce, () => now)
const later = (seconds: number) => {
  now += seconds * 1_000
}

test('who answers is asked as much as there is room for', () => {
  const pace = paceOf(8)
  pace.answered()
  expect([pace.room(8), pace.room(3), pace.room(0)]).toEqual([8, 3, 0])
})

test('who does not is left alone for a moment, then asked a few at once, and all as soon as one is answered', () => {
  const pace = paceOf(8)
  pace.unanswered()
  expect(pace.room(8)).toBe(0)
  later(1)
  expect([pace.room(8), pace.room(7), pace.room(6), pace.room(1)]).toEqual([2, 1, 0, 0])
  pace.answered()
  expect(pace.room(8)).toBe(8)
})

test('it is left alone longer and longer, a minute at most; what fails meanwhile was asked before', () => {
  const pace = paceOf(8)
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    for (let times = 0; times < 3; times++) pace.unanswered()
    later(seconds - 0.001)
    expect(pace.room(8), `${seconds} s`).toBe(0)
    later(0.001)
    expect(pace.room(8), `${seconds} s`).toBe(2)
  }
})
