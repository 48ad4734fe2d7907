import { expect, test } from 'vitest'
import { limitOutboundCalls } from '../../src/core/limits/limit-fetches-for-callers.ts'

const AT_ONCE = 16
const ends: (() => void)[] = []
const work = () => new Promise<void>((resolve) => ends.push(resolve))
const soon = async () => 'done'

test('[who keeps us waiting] of what one network has called elsewhere only so much is under way, and others do not notice', async () => {
  const underway = Array.from({ length: AT_ONCE }, () => limitOutboundCalls('192.0.2.1', work))
  await expect(limitOutboundCalls('192.0.2.1', soon)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await limitOutboundCalls('192.0.2.2', soon)).toBe('done')
  ends[0]?.()
  await underway[0]
  expect(await limitOutboundCalls('192.0.2.1', soon)).toBe('done')
  await expect(limitOutboundCalls('192.0.2.1', () => Promise.reject(new Error('elsewhere')))).rejects.toThrow(
    'elsewhere',
  )
  const last = limitOutboundCalls('192.0.2.1', work)
  await expect(limitOutboundCalls('192.0.2.1', soon)).rejects.toMatchObject({ code: 'rate_limited' })
  for (const end of ends) end()
  await Promise.all([...underway, last])
})
