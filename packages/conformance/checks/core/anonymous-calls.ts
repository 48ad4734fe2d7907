import type { Answer } from '../../caller/answer.ts'
import { type OperationName, operations } from '../../caller/operations.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, inCase } from '../../run/expectations.ts'
import { dateIn } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { offeredOperations, sampleInputs } from './sample-inputs.ts'

const REFUSED = { rest: 400, mcp: -32600 }

export const anonymousCallChecks = [
  check('PRO-042 REST-027', 'Public operations answer a caller without a platform profile', async (c) => {
    for (const answer of await publicCalls(c)) answer.success()
  }),
  check(
    'PRO-043 MCP-017',
    'A privileged operation without a platform profile is refused, even with a valid proof',
    async (c) => {
      for (const name of offeredOperations(c.target).filter((name) => isPrivileged(name))) {
        // On MCP the header of REST does not count.
        const headers = c.binding === 'rest' ? { 'usp-agent': null } : { 'usp-agent': `profile="${agentOf(c)}"` }
        const options = { headers, meta: { profile: undefined } }
        const answer = await c.caller.call(name, sampleInputs[name], options)
        inCase(name, () => answer.failsWith('invalid_request', REFUSED))
      }
    },
  ),
  check('PRO-096', 'Unknown members of a request do not cause a refusal', async (c) => {
    const unknown = { of_the_suite: { nested: [1, null] } }
    ;(await c.anonymous.call('listServices', { ...unknown, filters: unknown, context: unknown })).success()
    for (const { id } of c.services.slice(0, 1)) {
      ;(await c.anonymous.call('lookupServices', { ids: [id], ...unknown })).success()
      const days = { start_date: dateIn(3), end_date: dateIn(4) }
      ;(await c.anonymous.call('queryAvailability', { service_id: id, ...days, ...unknown })).success()
    }
  }),
  check('PRO-095', 'Each answer has the version of the protocol', async (c) => {
    for (const answer of await publicCalls(c)) {
      const { usp } = answer.success()
      c.schemas.expectValid('usp#base', usp, 'usp')
      expectEqual(
        /^\d{4}-\d{2}-\d{2}$/.test(String((usp as { version?: unknown }).version)),
        true,
        'usp.version a date',
      )
    }
  }),
]

/** The operation that only the business may call needs no platform profile. */
const isPrivileged = (name: OperationName) => operations[name].access !== 'public' && name !== 'confirmBooking'

const agentOf = (c: CheckContext) => c.platform.hosted.profile

/** The answers of public operations to a caller without any identity. */
async function publicCalls(c: CheckContext): Promise<Answer[]> {
  const { anonymous } = c
  const answers = [await anonymous.call('listServices')]
  for (const { id } of c.services.slice(0, 1)) {
    answers.push(await anonymous.call('getService', { service_id: id }))
    answers.push(await anonymous.call('lookupServices', { ids: [id] }))
    if (c.target.capability('services.availability')) {
      const input = { service_id: id, start_date: dateIn(3), end_date: dateIn(4) }
      answers.push(await anonymous.call('queryAvailability', input))
    }
  }
  if (c.target.capability('discovery.registry'))
    answers.push(await anonymous.call('searchBusinesses', { query: 'conformance' }))
  return answers
}
