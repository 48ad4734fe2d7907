import { asMembers, type Members } from '../../caller/answer.ts'
import type { Fault, RawAnswer, SeenCall } from '../fault.ts'
import { codeOf, jsonOf, listOf, success, withCode } from './error-answers.ts'

const isProblem = ({ headers }: RawAnswer) => headers['content-type']?.startsWith('application/problem+json') === true

/** Changes the business profile. */
const profile =
  (change: (profile: Members) => Members) =>
  (answer: RawAnswer, { path }: SeenCall) =>
    path.startsWith('/.well-known/usp') && answer.status === 200
      ? { ...answer, body: JSON.stringify(change(jsonOf(answer.body))) }
      : undefined

export const protocolFaults: Fault[] = [
  {
    name: 'Problems have the media type of plain JSON',
    only: ['ERR', 'REST'],
    answer: (answer) =>
      isProblem(answer) ? { ...answer, headers: { ...answer.headers, 'content-type': 'application/json' } } : undefined,
  },
  {
    name: 'A problem states the status 400, whatever the status of HTTP',
    only: ['ERR', 'REST'],
    answer: (answer) =>
      isProblem(answer) ? { ...answer, body: JSON.stringify({ ...jsonOf(answer.body), status: 400 }) } : undefined,
  },
  {
    name: 'The id of a reply is always a text',
    only: ['MCP'],
    answer: (answer, { binding }) => {
      const { id } = jsonOf(answer.body)
      if (binding !== 'mcp' || typeof id !== 'number') return undefined
      return { ...answer, body: JSON.stringify({ ...jsonOf(answer.body), id: String(id) }) }
    },
  },
  {
    name: 'A refused tool call is a result with isError',
    only: ['MCP', 'ERR'],
    answer: (answer, { binding }) => {
      const { error, ...others } = jsonOf(answer.body)
      if (binding !== 'mcp' || !error) return undefined
      const content = [{ type: 'text', text: String((error as Members).message) }]
      return { ...answer, body: JSON.stringify({ ...others, result: { isError: true, content } }) }
    },
  },
  {
    name: 'A method that a path does not have is answered with 404',
    only: ['REST'],
    answer: (answer) =>
      answer.status === 405
        ? { ...answer, status: 404, body: JSON.stringify({ ...jsonOf(answer.body), status: 404 }) }
        : undefined,
  },
  {
    name: 'Every answer names the bookings among the capabilities',
    only: ['PRO'],
    result: (result, { operation }) => {
      const usp = operation && asMembers(result.usp)
      const bookings = { 'dev.usp-protocol.services.bookings': [{ version: '2026-08-20' }] }
      return usp
        ? { ...result, usp: { ...usp, capabilities: { ...asMembers(usp.capabilities), ...bookings } } }
        : undefined
    },
  },
  {
    name: 'The profile may not be cached',
    only: ['PRO'],
    answer: (answer, { path }) =>
      path.startsWith('/.well-known/usp')
        ? { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } }
        : undefined,
  },
  {
    name: 'The locations of the profile have a name and no id',
    only: ['PRO'],
    answer: profile(({ usp, ...others }) => {
      const business = asMembers((usp as Members).business) ?? {}
      const locations = listOf(business.locations).map(({ id, ...location }) => location)
      return { ...others, usp: { ...(usp as Members), business: { ...business, locations } } }
    }),
  },
  {
    name: 'The profile says nothing of the holds',
    only: ['PRO', 'AVL'],
    answer: profile(({ usp, ...others }) => {
      const name = 'dev.usp-protocol.services.availability'
      const capabilities = asMembers((usp as Members).capabilities) ?? {}
      const without = listOf(capabilities[name]).map(({ holds, ...entry }) => entry)
      return { ...others, usp: { ...(usp as Members), capabilities: { ...capabilities, [name]: without } } }
    }),
  },
  {
    name: 'A platform profile that does not answer makes the caller unauthorized',
    seenAt: 'https://github.com/calcom/cal.diy/issues/9289',
    only: ['PRO', 'ERR'],
    answer: (answer, call) =>
      codeOf(answer) === 'profile_unreachable' ? withCode(answer, call, 'profile_unreachable', 401) : undefined,
  },
  {
    name: 'A query for the wrong type of a member is answered as an empty success over a tool',
    only: ['MCP', 'AVL', 'LIV'],
    answer: (answer, call) =>
      call.binding === 'mcp' && call.operation === 'queryAvailability' && codeOf(answer) === 'validation_error'
        ? success(answer, call, { service_id: call.input.service_id, slots: [] })
        : undefined,
  },
  {
    name: 'The schemas of the tools do not say which parameters are required',
    only: ['MCP'],
    answer: (answer, { binding }) => {
      const json = jsonOf(answer.body)
      const result = asMembers(json.result)
      if (binding !== 'mcp' || !Array.isArray(result?.tools)) return undefined
      const tools = listOf(result.tools).map((tool) => {
        const { required, ...inputSchema } = asMembers(tool.inputSchema) ?? {}
        return { ...tool, inputSchema }
      })
      return { ...answer, body: JSON.stringify({ ...json, result: { ...result, tools } }) }
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
