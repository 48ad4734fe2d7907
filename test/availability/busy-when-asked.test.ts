import { expect, test } from 'vitest'
import { busyOf, occupied } from '../../src/availability/busy.ts'
import { planOf } from '../../src/availability/plan.ts'
import { scheduledTimes } from '../../src/availability/scheduled-times.ts'
import { businessWith, service } from '../support/definitions.ts'

const DAY = 24 * 3_600_000
const NOON = Date.UTC(2026, 10, 24, 17)

test('of hundreds of rooms only those are read that are looked at, each once', () => {
  const read: string[] = []
  const busy = busyOf((id) => {
    read.push(id)
    return occupied([{ from: 1, to: 2, held: false }])
  })
  for (const id of ['room_2', 'room_1', 'room_2']) expect(busy.get(id)?.taken).toEqual([[1, 2]])
  expect(read).toEqual(['room_2', 'room_1'])
})

test('what is for those who wait may be taken in part, and counts once; what is held is told besides', () => {
  const times = [
    { from: 1, to: 5, held: false },
    { from: 3, to: 8, held: true },
    { from: 8, to: 9, held: false },
  ]
  expect(occupied(times)).toEqual({
    taken: [
      [1, 8],
      [8, 9],
    ],
    held: [[3, 8]],
  })
})

test('the times of a day are kept for who asks a second time, and never for who asks of a single one', () => {
  const plan = planOf(businessWith([service('svc_cut')]), 'svc_cut')
  if (!plan) throw new Error('no plan')
  const of = (from: number, to: number) => scheduledTimes(plan, [from, to])[0]
  expect(of(NOON - DAY, NOON)).toBeDefined()
  const second = of(NOON - DAY, NOON)
  expect(of(NOON - DAY, NOON)).toBe(second)
  const single = (second?.start ?? 0) + 7 * DAY
  expect(of(single, single + 1)).toBeDefined()
  expect(of(single, single + 1)).not.toBe(of(single, single + 1))
})
