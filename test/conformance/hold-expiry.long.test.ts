import { afterAll, expect, test } from 'vitest'
import { holdExpiryChecks } from '../../packages/conformance/checks/transactions/hold-expiry.ts'
import { waitForEnd } from '../../packages/conformance/checks/transactions/wait-for-end.ts'
import { proxiedServer } from './proxied-server.ts'
import { LONG_HOLD, shortHolds } from './short-holds.ts'

const server = await proxiedServer(shortHolds)
afterAll(() => server.stop())

test('[conformance suite] waits for the end of a hold, and proves flow/101 and flow/102', async () => {
  const findings = await server.run(holdExpiryChecks)
  expect(findings.filter(({ result }) => result !== 'proven')).toEqual([])
  expect(findings).toHaveLength(2 * holdExpiryChecks.length)
})

test('[conformance suite] finds a server that books with an expired hold', async () => {
  const findings = await server.run(holdExpiryChecks.slice(0, 1), {
    name: 'An expired hold can be booked',
    only: [],
    operations: ['book'],
    answer: (answer) =>
      answer.body.includes('hold_expired') ? { ...answer, body: '{"booking":{"id":"bkg"}}' } : undefined,
  })
  expect(findings.filter(({ result }) => result === 'failed').length).toBe(2)
})

test('[conformance suite] skips a check that must wait for longer', async () => {
  const expires_at = new Date(Date.now() + 600_000).toISOString()
  await expect(waitForEnd({ expires_at })).rejects.toThrow(LONG_HOLD)
})
