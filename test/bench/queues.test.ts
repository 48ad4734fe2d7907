import { expect, test } from 'vitest'
import { maxRateWithin, simulate } from '../../bench/support/queues.ts'

/** The 99th of a hundred in an M/M/1 queue takes ln(100) × service / (1 − busy). */
test.each([0.3, 0.6, 0.8])('one queue that is busy %f of the time takes as long as theory says', (busy) => {
  const load = {
    stations: { desk: 1 },
    steps: [['desk', 10]] as [string, number][],
    rate: busy * 100,
    count: 40_000,
    seed: 2,
  }
  const seen = simulate(load)
  expect(seen.fullest).toEqual({ station: 'desk', busy: expect.closeTo(busy, 1) })
  expect(seen.p99 / ((Math.log(100) * 10) / (1 - busy))).toBeCloseTo(1, 1)
  expect(simulate(load)).toEqual(seen)
})

test('twice as many places do more than twice as much in the same time', () => {
  const at = (desks: number) =>
    maxRateWithin(100, { stations: { desk: desks }, steps: [['desk', 10]], count: 5_000 }).rate
  expect(at(1)).toBeGreaterThan(30)
  expect(at(2) / at(1)).toBeGreaterThan(2)
})

test('what is passed more than once is full first', () => {
  const { fullest, rate } = maxRateWithin(200, {
    stations: { server: 4, database: 1 },
    count: 5_000,
    steps: [
      ['server', 1],
      ['database', 2],
      ['server', 1],
      ['database', 2],
    ],
  })
  expect(fullest.station).toBe('database')
  expect(rate).toBeLessThan(250)
  expect(rate).toBeGreaterThan(150)
})
