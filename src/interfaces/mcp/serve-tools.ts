import {
  type CallToolResult,
  type InputRequiredResult,
  type Server,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool,
} from '@modelcontextprotocol/server'
import manifest from '../../../package.json' with { type: 'json' }
import { traced } from '../../infra/telemetry/tracing.ts'
import { recordOf } from '../../infra/util/record-of.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Exchange } from './exchange.ts'
import { asJsonRpc, ofJsonRpc, refusalOf } from './refusals.ts'
import { ToolServer } from './tool-server.ts'

/** The revision without `initialize`: each message states its own revision. */
export const NEWEST = '2026-07-28'

const supportedProtocolVersions = [...SUPPORTED_PROTOCOL_VERSIONS, NEWEST]

interface Tools {
  instructions: string
  has(tool: string): boolean
  list(exchange: Exchange): Promise<Tool[]>
  call(
    tool: string,
    input: Record<string, unknown>,
    exchange: Exchange,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult>
}

/** Creates an SDK server for one exchange. It answers with protocol errors where the SDK would use its own words. */
export function serveTools({ instructions, has, list, call }: Tools, exchange: Exchange): Server {
  const server = new ToolServer(
    { name: manifest.name, version: manifest.version },
    { capabilities: { tools: {} }, instructions, supportedProtocolVersions },
  )
  server.setRequestHandler('tools/list', async () => {
    const tools = await list(exchange).catch((error: unknown) => {
      throw refusalOf(error, exchange)
    })
    return { tools }
  })
  server.fallbackRequestHandler = async ({ method, params: given }, context) => {
    if (method !== 'tools/call') throw unknownMethod(method)
    const params = named(given)
    if (!has(params.name)) throw unknownTool(params.name)
    try {
      return await traced(
        () => ({
          ...{ name: `tools/call ${params.name}`, kind: 'server', parent: traceparentIn(given) },
          attributes: { 'mcp.method.name': method, 'gen_ai.tool.name': params.name },
        }),
        () => call(params.name, params.arguments, exchange, context),
      )
    } catch (error) {
      throw refusalOf(error, exchange, params.name)
    }
  }
  return server
}

/** The caller's trace context: in `_meta` of the message, or in `_meta` of the arguments as USP defines it. */
function traceparentIn(given: unknown): string | undefined {
  const params = recordOf(given)
  const [ofMessage, ofArguments] = [params, recordOf(params.arguments)].map(({ _meta }) => recordOf(_meta).traceparent)
  const traceparent = ofMessage ?? ofArguments
  return typeof traceparent === 'string' ? traceparent : undefined
}

/** Validates the call parameters. The SDK's own schema would report faults in its own words. */
function named(params: unknown): { name: string; arguments: Record<string, unknown> } {
  const { name, arguments: given = {} } = recordOf(params)
  if (typeof name !== 'string') throw unknownTool(name)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw asJsonRpc(
      new ProtocolError('invalid_request', '`params.arguments` must be an object: parameters are passed by name.'),
    )
  return { name, arguments: recordOf(given) }
}

export const unknownTool = (name: unknown) =>
  ofJsonRpc(-32602, `There is no tool named ${quoted(name)}. Ask tools/list for those there are.`)

const unknownMethod = (name: string) =>
  ofJsonRpc(-32601, `There is no method ${quoted(name)}. Tools are called with tools/call.`)

const quoted = (name: unknown) => JSON.stringify(String(name).slice(0, LONGEST_NAME))
const LONGEST_NAME = 100
