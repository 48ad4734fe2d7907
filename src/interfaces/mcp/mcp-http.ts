import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { checks } from '../../pipeline/checks-in-order.ts'
import { type CountingDependencies, countCall } from '../../pipeline/limit-calls-per-caller.ts'
import { MCP_PATH, protocolAt } from '../../protocol/base-url-paths.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { wireCodesOf } from '../../protocol/http-and-rpc-error-codes.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { rebindingFault } from '../http/refuse-dns-rebinding.ts'
import { refuseOtherMethods, withGuardNames } from '../http/route-guards.ts'
import { answerMessage } from './answer-mcp-message.ts'
import { jsonRpcErrorOf } from './json-rpc-errors.ts'
import { InvalidMessageError, malformed, readMessage } from './mcp-message.ts'
import type { McpContext } from './mcp-request-context.ts'
import type { McpBinding } from './mcp-server.ts'

type McpDependencies = Dependencies<'config' | 'log'> & CountingDependencies

interface Endpoint {
  path: string
  name: string
  guards: readonly { name: string }[]
  /** Authenticates the sender of an MCP message. Throws an error if the sender has no access. */
  admit?(message: unknown, exchange: McpContext): Promise<void>
  /** Returns the reason why the MCP endpoint is closed now. Returns undefined if the endpoint is open. */
  closed?(): Promise<string | undefined>
}

const protocolEndpoint: Endpoint = { path: MCP_PATH, name: 'mcp', guards: checks }

/**
 * Serves MCP tools over streamable HTTP, at one endpoint for clients of all protocol revisions. The server stores no
 * sessions, so any server process of the business can answer any call.
 */
export function mcpOverHttp(
  app: FastifyInstance,
  mcp: Pick<McpBinding, 'serve' | 'has'>,
  dependencies: McpDependencies,
  { path, name, guards, admit, closed }: Endpoint = protocolEndpoint,
) {
  app.route({
    method: 'POST',
    url: path,
    ...allowAnyOrigin(withGuardNames(name, guards)),
    onRequest: async ({ host, headers: { origin } }) => {
      const fault = rebindingFault({ host, origin }, dependencies.config)
      if (fault !== undefined) throw malformed(403, null, -32600, fault)
      const why = await closed?.()
      if (why !== undefined) throw malformed(404, null, -32600, why)
    },
    errorHandler: (error, request, reply) => {
      if (error instanceof InvalidMessageError) {
        request.refusal = error.code
        return reply.code(error.status).headers(error.headers).send(error.response)
      }
      return app.errorHandler(error, request, reply)
    },
    handler: async (request, reply) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const body = readMessage(raw)
      const exchange = exchangeFrom(request, raw, path)
      const tool = calledTool(body, mcp)
      request.operation = tool ?? name
      if (tool === undefined) await countMessage(body, exchange, dependencies)
      // An accepted tool call counts against the limits of its caller. A refused tool call counts against the message
      // limit of the caller's network (IP address range).
      await admit?.(body, exchange).catch(async (error) => {
        if (tool !== undefined) await countMessage(body, exchange, dependencies)
        throw error
      })
      const { status, text } = await answerMessage(() => mcp.serve(exchange), body, exchange)
      request.principal = exchange.principal ?? ''
      request.refusal = exchange.refusal ?? ''
      request.correlationId = exchange.correlationId ?? request.correlationId
      reply.headers({ 'cache-control': 'no-store', ...exchange.answerHeaders })
      if (text !== '') reply.header('content-type', 'application/json')
      return reply.code(refusedStatus(exchange) ?? status).send(text)
    },
  })
  // The MCP endpoint refuses GET and DELETE, because it has no sessions and no streams.
  refuseOtherMethods(app, path, ['POST'])
}

const exchangeFrom = (
  { headers, method, originalUrl, peer, log }: FastifyRequest,
  body: Buffer,
  path: string,
): McpContext => ({
  log,
  protocol: protocolAt(path),
  headers,
  http: { method, target: originalUrl, body },
  peer,
  answerHeaders: {},
})

/**
 * Returns the HTTP status of a refused UCP tool call, because UCP requires the status of the error. Returns undefined
 * for a USP tool call, which gets the status 200 even if it is refused.
 */
const refusedStatus = ({ protocol, refusal }: McpContext): number | undefined =>
  protocol === 'ucp' && refusal ? wireCodesOf(refusal, protocol).http : undefined

/**
 * Limits the MCP messages that one network (IP address range) may send in a minute. Tool calls have separate limits.
 */
async function countMessage(message: unknown, exchange: McpContext, dependencies: CountingDependencies) {
  try {
    const counted = await countCall(dependencies, 'messages', networkOf(exchange.peer.address))
    Object.assign(exchange.answerHeaders, counted)
  } catch (error) {
    const refusal = jsonRpcErrorOf(error, exchange)
    throw new InvalidMessageError(
      refusedStatus(exchange) ?? 200,
      asRecord(message).id ?? null,
      refusal,
      exchange.answerHeaders,
    )
  }
}

function calledTool(message: unknown, mcp: Pick<McpBinding, 'has'>): string | undefined {
  const { method, params } = asRecord(message)
  const { name } = asRecord(params)
  return method === 'tools/call' && typeof name === 'string' && mcp.has(name) ? name : undefined
}
