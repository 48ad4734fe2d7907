import { createServer, type IncomingMessage, type Server } from 'node:http'
import { asMembers, type Members } from '../caller/answer.ts'
import { type OperationName, operations } from '../caller/operations.ts'
import type { Fault, Memory, RawAnswer, SeenCall } from './fault.ts'

/** Headers that belong to one connection, and are not passed on. */
const CONNECTION_HEADERS = ['connection', 'transfer-encoding', 'content-length', 'keep-alive', 'host', 'expect']

const routes = Object.entries(operations).map(([name, { rest, tool }]) => {
  const [method = '', path = ''] = rest.split(' ')
  const pattern = new RegExp(`/usp/v1${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
  return { name: name as OperationName, method, pattern, tool }
})

/** Stands between the suite and a server, and lets the server appear to have one fault. */
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
  }

  /** Switches to another fault, which remembers nothing of the one before. */
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
    const own = isMet ? fault.instead?.(call, this.#memory) : undefined
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
      // Bytes, because fetch gives a text a content type that the caller did not send.
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
  const json = asMembers(parsed(body)) ?? {}
  const call = { method, path: url, headers }
  if (pathname.endsWith('/mcp')) {
    const params = asMembers(json.params)
    const tool = routes.find((route) => route.tool === params?.name)
    return { ...call, binding: 'mcp', operation: tool?.name, input: asMembers(params?.arguments) ?? {} }
  }
  // `/services/list` is no service of the name `list`: the route without a parameter wins.
  const matches = routes
    .map((route) => ({ route, match: route.method === method ? route.pattern.exec(pathname) : null }))
    .filter(({ match }) => match)
    .toSorted((a, b) => Object.keys(a.match?.groups ?? {}).length - Object.keys(b.match?.groups ?? {}).length)
  const [found] = matches
  const input = { ...Object.fromEntries(searchParams), ...json, ...found?.match?.groups }
  return { ...call, binding: 'rest', operation: found?.route.name, input }
}

function changed(answer: RawAnswer, call: SeenCall, fault: Fault, memory: Memory): RawAnswer {
  const rewritten = fault.result ? withResult(answer, call, (result) => fault.result?.(result, call, memory)) : answer
  return fault.answer?.(rewritten, call, memory) ?? rewritten
}

/** Replaces the members of a result, over either binding. An error answer stays as it is. */
function withResult(answer: RawAnswer, call: SeenCall, change: (result: Members) => Members | undefined): RawAnswer {
  const json = asMembers(parsed(answer.body))
  if (!json) return answer
  if (call.binding === 'rest') {
    const result = answer.status < 300 ? change(structuredClone(json)) : undefined
    return result ? { ...answer, body: JSON.stringify(result) } : answer
  }
  const outer = asMembers(json.result)
  const inner = asMembers(outer?.structuredContent)
  const result = inner && change(structuredClone(inner))
  if (!result) return answer
  return { ...answer, body: JSON.stringify({ ...json, result: { ...outer, structuredContent: result } }) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
