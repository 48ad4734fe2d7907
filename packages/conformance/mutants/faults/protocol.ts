import { asMembers, type Members } from '../../caller/answer.ts'
import { codeOf, jsonOf, success, withCode, withItems, withMember, withProfile } from '../answers.ts'
import type { Fault, RawAnswer } from '../fault.ts'

const isProblem = ({ headers }: RawAnswer) => headers['content-type']?.startsWith('application/problem+json') === true

export const protocolFaults: Fault[] = [
  {
    name: 'Problem Details have the media type application/json',
    only: ['ERR', 'REST'],
    answer: (answer) =>
      isProblem(answer) ? { ...answer, headers: { ...answer.headers, 'content-type': 'application/json' } } : undefined,
  },
  {
    name: 'Problem Details always contain the status 400, even if the HTTP status is different',
    only: ['ERR', 'REST'],
    answer: (answer) =>
      isProblem(answer) ? { ...answer, body: JSON.stringify({ ...jsonOf(answer.body), status: 400 }) } : undefined,
  },
  {
    name: 'The id of a JSON-RPC answer is always a text',
    only: ['MCP'],
    answer: (answer, { binding }) => {
      const { id } = jsonOf(answer.body)
      if (binding !== 'mcp' || typeof id !== 'number') return undefined
      return { ...answer, body: JSON.stringify({ ...jsonOf(answer.body), id: String(id) }) }
    },
  },
  {
    name: 'A refused tool call gets a result with isError',
    only: ['MCP', 'ERR'],
    answer: (answer, { binding }) => {
      const { error, ...others } = jsonOf(answer.body)
      if (binding !== 'mcp' || !error) return undefined
      const content = [{ type: 'text', text: String((error as Members).message) }]
      return { ...answer, body: JSON.stringify({ ...others, result: { isError: true, content } }) }
    },
  },
  {
    name: 'An undefined method of a path gets HTTP 404',
    only: ['REST'],
    answer: (answer) =>
      answer.status === 405
        ? { ...answer, status: 404, body: JSON.stringify({ ...jsonOf(answer.body), status: 404 }) }
        : undefined,
  },
  {
    name: 'Every answer contains the capability for bookings',
    only: ['PRO'],
    result: (result, { operation }) => {
      if (!operation) return undefined
      const bookings = { 'dev.usp-protocol.services.bookings': [{ version: '2026-08-20' }] }
      return withMember(result, 'usp', ({ capabilities, ...usp }) => ({
        ...usp,
        capabilities: { ...asMembers(capabilities), ...bookings },
      }))
    },
  },
  {
    name: 'The profile forbids caching',
    only: ['PRO'],
    answer: (answer, { path }) =>
      path.startsWith('/.well-known/usp')
        ? { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } }
        : undefined,
  },
  {
    name: 'The locations in the profile have no id',
    only: ['PRO'],
    answer: withProfile((profile) =>
      withMember(profile, 'usp', (usp) =>
        withMember(usp, 'business', (business) =>
          withItems(business, 'locations', (locations) => locations.map(({ id, ...location }) => location)),
        ),
      ),
    ),
  },
  {
    name: 'The profile does not say that the business offers holds',
    only: ['PRO', 'AVL'],
    answer: withProfile((profile) =>
      withMember(profile, 'usp', (usp) =>
        withMember(usp, 'capabilities', (capabilities) =>
          withItems(capabilities, 'dev.usp-protocol.services.availability', (entries) =>
            entries.map(({ holds, ...entry }) => entry),
          ),
        ),
      ),
    ),
  },
  {
    name: 'An unreachable platform profile gets HTTP 401',
    seenAt: 'https://github.com/calcom/cal.diy/issues/9289',
    only: ['PRO', 'ERR'],
    answer: (answer, call) =>
      codeOf(answer, call) === 'profile_unreachable' ? withCode(answer, call, 'profile_unreachable', 401) : undefined,
  },
  {
    name: 'An invalid availability query over MCP gets an empty success',
    only: ['MCP', 'AVL', 'LIV'],
    answer: (answer, call) =>
      call.binding === 'mcp' && call.operation === 'queryAvailability' && codeOf(answer, call) === 'validation_error'
        ? success(answer, call, { service_id: call.input.service_id, slots: [] })
        : undefined,
  },
  {
    name: 'The schemas of the tools have no list of required parameters',
    only: ['MCP'],
    answer: (answer, { binding }) => {
      const json = jsonOf(answer.body)
      const result = asMembers(json.result)
      if (binding !== 'mcp' || !Array.isArray(result?.tools)) return undefined
      const changed = withItems(result, 'tools', (tools) =>
        tools.map((tool) => {
          const { required, ...inputSchema } = asMembers(tool.inputSchema) ?? {}
          return { ...tool, inputSchema }
        }),
      )
      return { ...answer, body: JSON.stringify({ ...json, result: changed }) }
    },
  },
  {
    name: 'Retry-After is in milliseconds',
    only: ['LIM', 'ERR'],
    answer: (answer) => {
      const seconds = Number(answer.headers['retry-after'])
      return seconds > 0
        ? { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds * 1000) } }
        : undefined
    },
  },
]
