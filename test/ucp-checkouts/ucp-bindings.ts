import type { InjectOptions } from 'fastify'

export const UCP_BINDINGS = ['REST', 'MCP'] as const
export type UcpBinding = (typeof UCP_BINDINGS)[number]

export interface UcpAnswer {
  status: number
  headers: Record<string, string | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  body: any
}

export interface UcpCaller {
  profile: string
  bearer: string
}

export interface UcpCall {
  method: 'GET' | 'POST' | 'PUT'
  /** Of the REST binding, without its prefix. */
  path: string
  body: object | undefined
  as: UcpCaller
  /** The key of a POST. An empty key is not sent. */
  key: string
}

type Raw = (options: InjectOptions) => Promise<UcpAnswer>
type SendOver = (raw: Raw, call: UcpCall) => Promise<UcpAnswer>

const overRest: SendOver = (raw, { method, path, body, as, key }) =>
  raw({
    method,
    url: `/ucp/v1${path}`,
    headers: {
      'ucp-agent': `profile="${as.profile}"`,
      authorization: `Bearer ${as.bearer}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(method === 'POST' && key !== '' && { 'idempotency-key': key }),
    },
    ...(body && { payload: JSON.stringify(body) }),
  })

/** Calls the tool of the same operation. The body of the answer is the result, or the data of the JSON-RPC error. */
const overMcp: SendOver = async (raw, call) => {
  const { method, as, key } = call
  const { name, given } = toolCallOf(call)
  const hasKey = method === 'POST' && key !== ''
  const meta = { 'ucp-agent': { profile: as.profile }, ...(hasKey && { 'idempotency-key': key }) }
  const params = { name, arguments: { meta, ...given } }
  const answer = await raw({
    method: 'POST',
    url: '/ucp/mcp',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as.bearer}` },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return { ...answer, body: answer.body.error?.data ?? answer.body.result.structuredContent }
}

function toolCallOf({ method, path, body }: UcpCall): { name: string; given: object } {
  const [, kind, id, action] = path.split('/')
  if (kind === 'orders') return { name: 'get_order', given: { id } }
  if (id === undefined) return { name: 'create_checkout', given: { checkout: body } }
  if (method === 'GET') return { name: 'get_checkout', given: { id } }
  if (action === 'cancel') return { name: 'cancel_checkout', given: { id } }
  return { name: `${action ?? 'update'}_checkout`, given: { id, checkout: body } }
}

export const sendOverUcp: Record<UcpBinding, SendOver> = { REST: overRest, MCP: overMcp }
