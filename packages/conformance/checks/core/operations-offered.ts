import { asMembers } from '../../caller/answer.ts'
import { type OperationName, operations } from '../../caller/operations.ts'
import { expectEqual, expectList, expectMembers, expectTrue, inCase } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { offeredOperations, sampleInputs } from './sample-inputs.ts'

const TOOLS_LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
/** A deployment may leave these out, although it offers the capability. */
const OPTIONAL: OperationName[] = ['readFeed']

export const operationChecks = [
  check(
    'REST-001 PRO-022 REST-026 LIV-104',
    'Each operation of an offered capability answers at its path',
    async (c) => {
      for (const name of offeredOperations(c.target).filter((name) => !OPTIONAL.includes(name))) {
        const answer = await c.caller.call(name, sampleInputs[name], { idempotencyKey: null })
        const subscription = asMembers(answer.result?.subscription)
        if (subscription) c.afterwards(() => c.caller.call('unsubscribe', { subscription_id: subscription.id }))
        inCase(name, () => {
          expectTrue(
            ![405, 501].includes(answer.status) && answer.status !== 500,
            'an operation',
            `HTTP ${answer.status}`,
          )
          // No code is registered for an unknown hold, so its 404 looks like that of an unknown path.
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
    'A method that a path does not define is answered with 405 and the defined methods',
    async (c) => {
      for (const name of offeredOperations(c.target)) {
        const [method = '', path = ''] = operations[name].rest.split(' ')
        const answer = await c.anonymous.request('PATCH', path.replace(/\{\w+\}/, 'conformance'))
        inCase(`PATCH ${path}`, () => {
          expectEqual(answer.status, 405, 'the HTTP status')
          const allowed = (answer.headers.allow ?? '').split(',').map((name) => name.trim())
          expectTrue(allowed.includes(method), `${method} in Allow`, answer.headers.allow)
          const { type, title, status } = expectMembers(answer.json, 'the problem')
          expectEqual([type, title, status], ['about:blank', 'Method Not Allowed', 405], 'type, title and status')
        })
      }
    },
    { only: 'rest' },
  ),
  check(
    'LIV-104 PRO-022',
    'Each tool of an offered capability can be called',
    async (c) => {
      for (const name of offeredOperations(c.target).filter((name) => !OPTIONAL.includes(name))) {
        const answer = await c.caller.call(name, sampleInputs[name], { idempotencyKey: null })
        const subscription = asMembers(answer.result?.subscription)
        if (subscription) c.afterwards(() => c.caller.call('unsubscribe', { subscription_id: subscription.id }))
        // The error of an unknown tool is the only one without a code.
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
    'An anonymous client lists the tools of the offered capabilities',
    async (c) => {
      const answer = await c.anonymous.message(TOOLS_LIST)
      const { tools } = expectMembers(expectMembers(answer.json, 'the answer').result, 'result')
      const found = expectList(tools, 'tools').map(({ name }) => name)
      const all = Object.entries(operations).map(([, { tool }]) => tool)
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
        'the tools of capabilities that the profile does not have',
      )
    },
    { only: 'mcp' },
  ),
  check(
    'MCP-004',
    'The schemas of the tools have the required members of the protocol',
    async (c) => {
      const answer = await c.anonymous.message(TOOLS_LIST)
      const tools = expectList(asMembers(asMembers(answer.json)?.result)?.tools, 'tools')
      for (const [name, { tool, access }] of Object.entries(operations) as [
        OperationName,
        (typeof operations)['hold'],
      ][]) {
        const schema = asMembers(tools.find((found) => found.name === tool)?.inputSchema)
        if (!schema) continue
        const members = Object.keys(sampleInputs[name]).filter((member) => member !== 'notes')
        const isPrivileged = access !== 'public' && name !== 'confirmBooking'
        expectEqual(
          (Array.isArray(schema.required) ? schema.required : []).map(String).toSorted(),
          [...members, ...(isPrivileged ? ['_meta'] : [])].toSorted(),
          `the required members of ${tool}`,
        )
      }
    },
    { only: 'mcp' },
  ),
  check(
    'PRO-017',
    'The business holds slots if and only if its availability capability says so',
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
