import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { releaseUnusedMemory } from '../../src/cli/release-unused-memory.ts'

const heapMegabytes = () => getHeapStatistics().total_heap_size / 1e6

test('[memory] a thread returns the memory of its garbage to the system', () => {
  const used = Array.from({ length: 50 }, () => new Array<number>(125_000).fill(0.5))
  const before = heapMegabytes()
  used.length = 0
  releaseUnusedMemory()
  expect(before - heapMegabytes()).toBeGreaterThan(40)
})
