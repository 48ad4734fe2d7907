import { expect, test } from 'vitest'
import { memoizedOccupancy, occupancyOf } from '../../src/domain/availability/resource-occupancy.ts'

test('of hundreds of rooms only those are read that are looked at, each once', () => {
  const read: string[] = []
  const busy = memoizedOccupancy((id) => {
    read.push(id)
    return occupancyOf([{ from: 1, to: 2, held: false }])
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
  expect(occupancyOf(times)).toMatchObject({
    taken: [
      [1, 8],
      [8, 9],
    ],
    held: [[3, 8]],
  })
})
