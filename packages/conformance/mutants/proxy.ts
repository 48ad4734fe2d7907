import { createServer, type IncomingMessage, type Server } from 'node:http'
import { asMembers, type Members } from '../caller/answer.ts'
import { type OperationName, operations } from '../caller/operations.ts'
import { jsonOf, resultOf } from './answers.ts'
import type { Fault, Memory, RawAnswer, SeenCall } from './fault.ts'

/** Headers of one connection only. The proxy does not forward them. */
const CONNECTION_HEADERS = ['connection', 'transfer-encoding', 'content-length', 'keep-alive', 'host', 'expect']

const KEEP_ALIVE_MS = 60_000

const routes = Object.entries(operations).map(([name, { rest, tool }]) => {
  const [method = '', path = ''] = rest.split(' ')
  const pattern = new RegExp(`/usp/v1${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
  return { name: name as OperationName, method, pattern, tool }
})

/** A proxy between the suite and a server. It simulates one fault of the server at a time. */
export class FaultProxy {
  fault: Fault | undefined
  readonly #server: Server
  #memory: Memory = new Map()
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
    this.#server = createServer(async (request, response) => {
      try {
        const { status, headers, body } = await this.#answer(request)
        response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
      } catch (error) {
        response.writeHead(502).end(String(error))
      }
    })
    // A test can block this process for seconds. The proxy must not close a connection that the test then uses.
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS
  }

  /** Switches to another fault. The new fault starts with an empty memory. */
  use(fault: Fault | undefined): void {
    this.fault = fault
    this.#memory = new Map()
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage): Promise<RawAnswer> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const call = seen(request, body)
    const { fault } = this
    const isMet = fault && (!fault.operations || (call.operation && fault.operations.includes(call.operation)))
    const own = isMet ? await fault.instead?.(call, this.#memory) : undefined
    if (own) return own
    const headers = (isMet && fault.headers?.(call.headers, call)) || call.headers
    const answer = await this.#forward({ ...call, headers }, body)
    return isMet ? changed(answer, call, fault, this.#memory) : answer
  }

  async #forward({ method, path, headers }: SeenCall, body: string): Promise<RawAnswer> {
    const passed = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.includes(name))
    const response = await fetch(this.#origin + path, {
      method,
      headers: Object.fromEntries(passed),
      redirect: 'manual',
      // The proxy sends the body as bytes. For a string, fetch would add a content type that the caller did not send.
      ...(body !== '' && { body: Buffer.from(body) }),
    })
    const kept = [...response.headers].filter(([name]) => !['content-encoding', ...CONNECTION_HEADERS].includes(name))
    return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() }
  }
}

function seen(request: IncomingMessage, body: string): SeenCall {
  const { method = '', url = '' } = request
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const { pathname, searchParams } = new URL(url, 'http://proxy')
  const json = jsonOf(body)
  const call = { method, path: url, headers }
  if (pathname.endsWith('/mcp')) {
    const params = asMembers(json.params)
    const tool = routes.find((route) => route.tool === params?.name)
    return { ...call, binding: 'mcp', operation: tool?.name, input: asMembers(params?.arguments) ?? {} }
  }
  // The path `/services/list` also matches the route `/services/{service_id}`. The route without a parameter has
  // priority.
  const matches = routes
    .map((route) => ({ route, match: route.method === method ? route.pattern.exec(pathname) : null }))
    .filter(({ match }) => match)
    .toSorted((a, b) => Object.keys(a.match?.groups ?? {}).length - Object.keys(b.match?.groups ?? {}).length)
  const [found] = matches
  const input = { ...Object.fromEntries(searchParams), ...json, ...found?.match?.groups }
  return { ...call, binding: 'rest', operation: found?.route.name, input }
}

function changed(answer: RawAnswer, call: SeenCall, fault: Fault, memory: Memory): RawAnswer {
  const result = resultOf(answer, call)
  const other = result && fault.result?.(result, call, memory)
  const rewritten = other ? withMembers(answer, call, other) : answer
  return fault.answer?.(rewritten, call, memory) ?? rewritten
}

/** Replaces the members of a result. The status, the headers and the text of an MCP result stay the same. */
function withMembers(answer: RawAnswer, { binding }: SeenCall, members: Members): RawAnswer {
  const json = jsonOf(answer.body)
  const mcpResult = { ...asMembers(json.result), structuredContent: members }
  return { ...answer, body: JSON.stringify(binding === 'rest' ? members : { ...json, result: mcpResult }) }
}
