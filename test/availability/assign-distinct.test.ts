import { expect, test } from 'vitest'
import { assignDistinct } from '../../src/domain/availability/assign-distinct-resources.ts'
import { slowness } from '../support/slowness.ts'

test.each<[string, string[][], string[] | undefined]>([
  ['nothing where nothing is wanted', [], []],
  ['the first of each', [['a', 'b'], ['c']], ['a', 'c']],
  ['none twice', [['a', 'b'], ['a']], ['b', 'a']],
  [
    'the best first, as far as the others are left with something',
    [
      ['a', 'b', 'c'],
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['c', 'a', 'b'],
  ],
  ['nobody where somebody is missing', [['a'], ['a']], undefined],
  ['nobody where a list is empty', [['a'], []], undefined],
])('each requirement has a resource of its own: %s', (_, choices, assigned) => {
  expect(assignDistinct(choices)).toEqual(assigned)
})

test('[no stored value stalls the server] twelve of a kind are wanted, and eleven are there', () => {
  const ids = Array.from({ length: 11 }, (_, nth) => `staff_${nth}`)
  const before = process.threadCpuUsage()
  expect(assignDistinct(Array.from({ length: 12 }, () => ids))).toBeUndefined()
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(20 * slowness())
})
