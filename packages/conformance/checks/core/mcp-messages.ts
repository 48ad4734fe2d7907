import { asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers, expectText, expectTrue, inCase } from '../../run/expectations.ts'
import { check } from '../check.ts'

const only = 'mcp'
const SERVICES_LIST = 'usp_services_list'

/** Returns the JSON-RPC message of a tool call. */
const toolCall = (name: string, args: unknown, members: Members = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, ...members },
})

export const mcpMessageChecks = [
  check(
    'MCP-001 MCP-007',
    'The method tools/call executes the named operation',
    async ({ anonymous, services }) => {
      const answer = await anonymous.message(toolCall(SERVICES_LIST, { pagination: { limit: 100 } }))
      const found = expectList(answer.success().services, 'services').map(({ id }) => id)
      const known = services.map(({ id }) => id)
      expectEqual(found, known.slice(0, found.length), 'the services')
      expectMembers(answer.result?.usp, 'structuredContent.usp')
    },
    { only },
  ),
  check(
    'MCP-003 MCP-035',
    'An anonymous client can start a session with each of two MCP revisions',
    async ({ anonymous }) => {
      for (const protocolVersion of ['2025-06-18', '2025-11-25']) {
        const clientInfo = { name: 'usp-conformance', version: '1' }
        const params = { protocolVersion, capabilities: {}, clientInfo }
        const answer = await anonymous.message({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
        const result = expectMembers(asMembers(answer.json)?.result, 'result of initialize')
        expectText(result.protocolVersion, 'protocolVersion')
        expectMembers(asMembers(result.capabilities)?.tools, 'capabilities.tools')
        const headers = { 'mcp-protocol-version': String(result.protocolVersion) }
        const called = await anonymous.message(toolCall(SERVICES_LIST, {}), headers)
        inCase(protocolVersion, () => called.success())
      }
    },
    { only },
  ),
  check(
    'MCP-005',
    'The server refuses the name of a tool as a JSON-RPC method',
    async ({ anonymous }) => {
      const answer = await anonymous.message({ jsonrpc: '2.0', id: 1, method: SERVICES_LIST, params: {} })
      expectEqual(answer.error?.number, -32601, 'the JSON-RPC number')
      expectEqual(answer.result, undefined, 'the result')
    },
    { only },
  ),
  check(
    'LIV-029 LIV-030 LIV-022',
    'A call of an unknown tool gets the JSON-RPC error for invalid parameters, without an error code',
    async (c) => {
      for (const name of ['usp_of_no_specification', 'listServices', '']) {
        const answer = await c.anonymous.message(toolCall(name, {}))
        inCase(`the tool ${JSON.stringify(name)}`, () => {
          expectEqual(answer.error?.number, -32602, 'the JSON-RPC number')
          expectEqual(answer.error?.members.code, undefined, 'data.code')
        })
      }
    },
    { only },
  ),
  check(
    'MCP-016',
    'The server ignores a platform profile in metadata outside the tool arguments',
    async ({ anonymous }) => {
      const meta = { _meta: { usp: { profile: 'no url' } } }
      ;(await anonymous.message(toolCall(SERVICES_LIST, {}, meta))).success()
      const named = await anonymous.message(toolCall(SERVICES_LIST, meta))
      named.failsWith('invalid_profile_url')
    },
    { only },
  ),
  check(
    'MCP-018 MCP-022',
    'A public tool works without metadata, and with metadata of other protocols',
    async ({ anonymous }) => {
      const variants = [
        {},
        { _meta: {} },
        { _meta: { usp: {} } },
        { _meta: { progressToken: 7, 'com.example/key': {} } },
      ]
      for (const args of variants) {
        const answer = await anonymous.message(toolCall(SERVICES_LIST, args))
        inCase(JSON.stringify(args), () => answer.success())
      }
    },
    { only },
  ),
  check(
    'MCP-026',
    'The server refuses tool arguments that are not an object',
    async ({ anonymous }) => {
      for (const args of [[], ['a'], 'ids']) {
        const answer = await anonymous.message(toolCall(SERVICES_LIST, args))
        inCase(JSON.stringify(args), () => answer.failsWith('invalid_request'))
      }
    },
    { only },
  ),
  check(
    'MCP-029',
    'A message that is not JSON gets a parse error',
    async ({ anonymous }) => {
      const answer = await anonymous.message('{"jsonrpc":')
      expectEqual(answer.error?.number, -32700, 'the JSON-RPC number')
      expectEqual(asMembers(answer.json)?.id, null, 'id')
    },
    { only },
  ),
  check(
    'MCP-030',
    'The answer repeats the id of the message, with the same type',
    async ({ anonymous }) => {
      for (const id of [7, '7', 'request-1'])
        for (const message of [toolCall(SERVICES_LIST, {}), toolCall(SERVICES_LIST, [])]) {
          const answer = await anonymous.message({ ...message, id })
          expectEqual(asMembers(answer.json)?.id, id, 'id')
        }
    },
    { only },
  ),
  check(
    'MCP-008 MCP-009 MCP-014',
    'A tool result contains a text for people',
    async ({ anonymous, services }) => {
      const answers = [
        await anonymous.message(toolCall(SERVICES_LIST, {})),
        await anonymous.message(toolCall('usp_services_lookup', { ids: [services[0]?.id ?? 'service_of_nobody'] })),
      ]
      for (const { json } of answers) {
        const { content, isError = false } = expectMembers(asMembers(json)?.result, 'result')
        expectSentence(content)
        expectEqual(isError, false, 'isError')
      }
    },
    { only },
  ),
]

/** Requires that the content of a tool result begins with a sentence for people. */
export function expectSentence(content: unknown): void {
  const [first] = expectList(content, 'content')
  expectEqual(first?.type, 'text', 'the type of the content')
  const text = expectText(first?.text, 'the text of the content')
  expectTrue(!/^\s*[{[]/.test(text), 'a sentence, not JSON', text)
}
