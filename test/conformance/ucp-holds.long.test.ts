import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { asMembers, type Members } from '../../packages/conformance/caller/answer.ts'
import type { Check } from '../../packages/conformance/checks/check.ts'
import { checkoutExpiryChecks } from '../../packages/conformance/checks/ucp/checkout-expiry.ts'
import { checkoutRaceChecks } from '../../packages/conformance/checks/ucp/checkout-races.ts'
import { confirmationGuardChecks } from '../../packages/conformance/checks/ucp/confirmation-guard.ts'
import { listOf, withMember } from '../../packages/conformance/mutants/answers.ts'
import type { Fault } from '../../packages/conformance/mutants/fault.ts'
import { vectorRaces } from '../../packages/conformance/races/vector-races.ts'
import { runChecks } from '../../packages/conformance/run/run-checks.ts'
import { startRun } from '../../packages/conformance/run/start-run.ts'
import { shortHolds } from './short-holds.ts'
import { startUcpBusiness } from './ucp-business.ts'

const business = await startUcpBusiness(shortHolds)
afterAll(() => business.stop())

async function findings(checks: Check[], fault?: Omit<Fault, 'name' | 'only'>) {
  business.proxy.use(fault && { ...fault, name: 'A fault of a checkout', only: [] })
  const environment = await startRun(business.settings)
  try {
    const found = await runChecks(checks, environment, { atOnce: 4, onFinding: () => {} })
    return found.map(({ check: { title }, binding, result, reason }) => ({ title, binding, result, reason }))
  } finally {
    await environment.host.close()
  }
}

const isCompletion = ({ path, input }: { path: string; input: Members }) =>
  path.endsWith('/complete') || (path === '/ucp/mcp' && 'checkout' in input && 'id' in input)

test('[conformance suite] waits for the end of the hold of a checkout, and proves the vector flow/101', async () => {
  expect((await findings(checkoutExpiryChecks)).filter(({ result }) => result !== 'proven')).toEqual([])
})

test('[conformance suite] repeats the race for the slot of a checkout', async () => {
  const [, checkoutRace] = vectorRaces(5)
  const found = await findings(checkoutRace ? [checkoutRace] : [])
  expect(found).toMatchObject([{ result: 'proven' }])
})

test('[conformance suite] finds a server that completes a checkout without booking (flow/104)', async () => {
  const found = await findings(checkoutRaceChecks, {
    // The hold ends before the server sees the completion.
    instead: async (call) => {
      if (isCompletion(call)) await sleep(200)
      return undefined
    },
    result: (result, _, memory) => {
      const codes = listOf(result.messages).map(({ code }) => code)
      if (codes.includes('hold_expired') || codes.includes('slot_unavailable')) memory.set(String(result.id), true)
      if (result.id === undefined || !memory.has(String(result.id))) return undefined
      const { messages: _messages, ...checkout } = result
      const order = { id: 'order_of_nobody', permalink_url: 'https://book.example/order' }
      const completed = { ...checkout, status: 'completed', order }
      return withMember(completed, 'booking', (booking) => ({ ...booking, booking_status: 'confirmed' }))
    },
  })
  expect(new Set(found.map(({ result }) => result))).toEqual(new Set(['failed']))
})

test('[conformance suite] finds a server that confirms an unpaid checkout (flow/105)', async () => {
  const found = await findings(confirmationGuardChecks, {
    operations: ['confirmBooking'],
    instead: ({ binding, input }) => {
      const members = { usp: {}, booking: { id: input.booking_id, status: 'confirmed' } }
      const body = binding === 'rest' ? members : { jsonrpc: '2.0', id: 1, result: { structuredContent: members } }
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    },
  })
  const results = found.map(({ result }) => result)
  // Two checks confirm unpaid checkouts at rest, and two during their completion.
  expect(results.filter((result) => result === 'failed').length).toBeGreaterThan(1)
  expect(asMembers(found[0])?.reason).toContain('invalid_transition')
})
