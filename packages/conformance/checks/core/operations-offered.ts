import { type Answer, asMembers } from '../../caller/answer.ts'
import { type OperationName, operations } from '../../caller/operations.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectMembers, expectTrue, inCase } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { expectAllowed } from './problems.ts'
import { needsPlatform, offeredOperations, sampleInputs } from './sample-inputs.ts'

const TOOLS_LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
/** A server may omit these operations, even if it offers their capability. */
const OPTIONAL: OperationName[] = ['readFeed']

export const operationChecks = [
  check(
    'REST-001 PRO-022 REST-026 LIV-104',
    'Each operation of an offered capability exists at its path',
    async (c) => {
      for await (const { name, answer } of callsOfOffered(c)) {
        inCase(name, () => {
          expectTrue(![405, 500, 501].includes(answer.status), 'an operation', `HTTP ${answer.status}`)
          // The protocol has no error code for an unknown hold. Its error looks like the error for an unknown path.
          if (answer.status === 404 && name !== 'release')
            expectTrue(
              answer.error?.code !== undefined && answer.error.code !== 'not_found',
              'an operation',
              answer.text,
            )
        })
      }
    },
    { only: 'rest' },
  ),
  check(
    'REST-001 LIV-019',
    'An undefined method of a path gets HTTP 405 and the defined methods',
    async (c) => {
      for (const name of offeredOperations(c.target)) {
        const [method = '', path = ''] = operations[name].rest.split(' ')
        const answer = await c.anonymous.request('PATCH', path.replace(/\{\w+\}/, 'conformance'))
        inCase(`PATCH ${path}`, () => {
          expectEqual(answer.status, 405, 'the HTTP status')
          expectAllowed(answer, method)
          const { type, title, status } = expectMembers(answer.json, 'the problem')
          expectEqual([type, title, status], ['about:blank', 'Method Not Allowed', 405], 'type, title and status')
        })
      }
    },
    { only: 'rest' },
  ),
  check(
    'LIV-104 PRO-022',
    'Each tool of an offered capability exists',
    async (c) => {
      for await (const { name, answer } of callsOfOffered(c)) {
        // Only the error for an unknown tool has no error code.
        inCase(name, () =>
          expectTrue(
            answer.result !== undefined || answer.error?.code !== undefined,
            'a result or an error with a code',
            answer.text,
          ),
        )
      }
    },
    { only: 'mcp' },
  ),
  check(
    'MCP-002 MCP-003 LIV-104',
    'An anonymous client can list the tools of the offered capabilities',
    async (c) => {
      const answer = await c.anonymous.message(TOOLS_LIST)
      const { tools } = expectMembers(expectMembers(answer.json, 'the answer').result, 'result')
      const found = expectList(tools, 'tools').map(({ name }) => name)
      const all = Object.values(operations).map(({ tool }) => tool)
      const offered = offeredOperations(c.target).map((name) => operations[name].tool)
      const optional = OPTIONAL.map((name) => operations[name].tool)
      expectEqual(
        offered.filter((tool) => !found.includes(tool) && !optional.includes(tool)),
        [],
        'the missing tools',
      )
      expectEqual(
        found.filter((tool) => all.includes(String(tool)) && !offered.includes(String(tool))),
        [],
        'the tools of capabilities that are not in the profile',
      )
    },
    { only: 'mcp' },
  ),
  check(
    'MCP-004',
    'The schemas of the tools require the same members as the protocol',
    async (c) => {
      const answer = await c.anonymous.message(TOOLS_LIST)
      const tools = expectList(asMembers(asMembers(answer.json)?.result)?.tools, 'tools')
      for (const name of Object.keys(operations) as OperationName[]) {
        const { tool } = operations[name]
        const schema = asMembers(tools.find((found) => found.name === tool)?.inputSchema)
        if (!schema) continue
        const members = Object.keys(sampleInputs[name]).filter((member) => member !== 'notes')
        expectEqual(
          (Array.isArray(schema.required) ? schema.required : []).map(String).toSorted(),
          [...members, ...(needsPlatform(name) ? ['_meta'] : [])].toSorted(),
          `the required members of ${tool}`,
        )
      }
    },
    { only: 'mcp' },
  ),
  check(
    'PRO-017',
    'The business holds slots if, and only if, its availability capability says so',
    async (c) => {
      const { holds } = c.target.capability('services.availability') ?? {}
      if (holds === true) {
        await c.hold()
        return
      }
      const slot = await c.slot(c.simpleService)
      const answer = await c.caller.call('hold', { service_id: c.simpleService.id, slot_id: slot.id })
      expectEqual(answer.result?.hold, undefined, 'the hold')
      expectTrue(answer.error !== undefined || answer.refusal !== undefined, 'a refusal of the hold', answer.text)
    },
    { needs: ['services.availability'] },
  ),
]

/** Calls each operation that the business must offer, with an unknown id. */
async function* callsOfOffered(c: CheckContext): AsyncGenerator<{ name: OperationName; answer: Answer }> {
  for (const name of offeredOperations(c.target).filter((name) => !OPTIONAL.includes(name))) {
    const answer = await c.caller.call(name, sampleInputs[name], { idempotencyKey: null })
    const subscription = asMembers(answer.result?.subscription)
    if (subscription) c.afterwards(() => c.caller.call('unsubscribe', { subscription_id: subscription.id }))
    yield { name, answer }
  }
}
