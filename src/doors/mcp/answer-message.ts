import { classifyInboundRequest, createMcpHandler } from '@modelcontextprotocol/server'
import type { Means } from '../../protocol/means.ts'
import { type Answered, answerOlder } from './answer-older.ts'
import type { Exchange } from './exchange.ts'
import type { McpBinding } from './mcp.ts'

type Answer = (message: unknown, exchange: Exchange) => Promise<Answered>

/** What answers the messages at one path, each in the revision that it is written in. */
export function answerMessages(
  { serve }: Pick<McpBinding, 'serve'>,
  path: string,
  { config, log }: Means<'config' | 'log'>,
): Answer {
  const address = new URL(path, config.baseUrl).href
  const exchanges = new WeakMap<Request, Exchange>()
  const exchangeOf = (request: Request | undefined) => {
    const exchange = request && exchanges.get(request)
    if (!exchange) throw new Error('The SDK lost the request it was given')
    return exchange
  }
  const newer = createMcpHandler(({ requestInfo }) => serve(exchangeOf(requestInfo)), {
    legacy: 'reject',
    onerror: (error) => log.debug({ reason: /\(([a-z-]+)\)/.exec(error.message)?.[1] }, 'mcp'),
  })

  return async (message, exchange) => {
    const [revision, method, name] = SAID.map((header) => exchange.headers[header]?.toString())
    const kind = classifyInboundRequest({
      ...{ httpMethod: 'POST', body: message },
      ...(revision !== undefined && { protocolVersionHeader: revision }),
      ...(method !== undefined && { mcpMethodHeader: method }),
      ...(name !== undefined && { mcpNameHeader: name }),
    })
    if (kind.kind === 'legacy')
      return answerOlder(() => serve(exchange), message, { revision, isFirst: kind.reason === 'initialize' })
    const request = requestFor(address, exchange)
    exchanges.set(request, exchange)
    const response = await newer.fetch(request, { parsedBody: message })
    // The newer revision tells of an unknown method by HTTP as well; the SDK takes every method for known that is not its own.
    const status = exchange.isUnknown ? 404 : response.status
    return { status, headers: Object.fromEntries(response.headers), text: await response.text() }
  }
}

/** Where a request says of itself again what its message is. */
const SAID = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** The exchange as the SDK wants it. Whatever a caller accepts, the answer is JSON, so Accept is no ground to refuse. */
function requestFor(address: string, exchange: Exchange): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' })
  for (const name of SAID) {
    const said = exchange.headers[name]
    if (said !== undefined) headers.set(name, said.toString())
  }
  return new Request(address, { method: 'POST', headers })
}
