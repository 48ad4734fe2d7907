import { expect, test } from 'vitest'
import { onBehalfOf } from '../../src/limits/on-behalf.ts'

const AT_ONCE = 16
const ends: (() => void)[] = []
const work = () => new Promise<void>((resolve) => ends.push(resolve))
const soon = async () => 'done'

test('[who keeps us waiting] of what one network has called elsewhere only so much is under way, and others do not notice', async () => {
  const underway = Array.from({ length: AT_ONCE }, () => onBehalfOf('192.0.2.1', work))
  await expect(onBehalfOf('192.0.2.1', soon)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await onBehalfOf('192.0.2.2', soon)).toBe('done')
  ends[0]?.()
  await underway[0]
  expect(await onBehalfOf('192.0.2.1', soon)).toBe('done')
  await expect(onBehalfOf('192.0.2.1', () => Promise.reject(new Error('elsewhere')))).rejects.toThrow('elsewhere')
  const last = onBehalfOf('192.0.2.1', work)
  await expect(onBehalfOf('192.0.2.1', soon)).rejects.toMatchObject({ code: 'rate_limited' })
  for (const end of ends) end()
  await Promise.all([...underway, last])
})
