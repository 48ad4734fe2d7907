import type { Answer } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectMembers, expectTrue, inCase } from '../../run/expectations.ts'
import { dateIn } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { needsPlatform, offeredOperations, sampleInputs } from './sample-inputs.ts'

export const anonymousCallChecks = [
  check('PRO-042 REST-027', 'Public operations answer a caller without a platform profile', async (c) => {
    for (const answer of await publicCalls(c)) answer.success()
  }),
  check(
    'PRO-043 MCP-017',
    'The server refuses a privileged operation without a platform profile, even with a valid proof',
    async (c) => {
      for (const name of offeredOperations(c.target).filter(needsPlatform)) {
        // Over MCP, the server must ignore the REST header `USP-Agent`.
        const headers =
          c.binding === 'rest' ? { 'usp-agent': null } : { 'usp-agent': `profile="${c.platform.hosted.profile}"` }
        const options = { headers, meta: { profile: undefined } }
        const answer = await c.caller.call(name, sampleInputs[name], options)
        inCase(name, () => answer.failsWith('invalid_request'))
      }
    },
  ),
  check('PRO-096', 'The server accepts requests with unknown members', async (c) => {
    const unknown = { of_the_suite: { nested: [1, null] } }
    ;(await c.anonymous.call('listServices', { ...unknown, filters: unknown, context: unknown })).success()
    for (const { id } of c.services.slice(0, 1)) {
      ;(await c.anonymous.call('lookupServices', { ids: [id], ...unknown })).success()
      const days = { start_date: dateIn(3), end_date: dateIn(4) }
      ;(await c.anonymous.call('queryAvailability', { service_id: id, ...days, ...unknown })).success()
    }
  }),
  check('PRO-095', 'Each answer contains the version of the protocol', async (c) => {
    for (const answer of await publicCalls(c)) {
      const { usp } = answer.success()
      c.schemas.expectValid('usp#base', usp, 'usp')
      const { version } = expectMembers(usp, 'usp')
      expectTrue(/^\d{4}-\d{2}-\d{2}$/.test(String(version)), 'a date in usp.version', version)
    }
  }),
]

/** Calls public operations without any identity, and returns the answers. */
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
