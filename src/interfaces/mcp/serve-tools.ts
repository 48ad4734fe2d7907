import {
  type CallToolResult,
  type InputRequiredResult,
  type JSONRPCMessage,
  ProtocolError as JsonRpcError,
  Server,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/server'
import { traced } from '../../infra/telemetry/tracing.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { errors, ProtocolError, protocolCodes } from '../../protocol/errors.ts'
import { dataOf, jsonRpcErrorOf, newJsonRpcError } from './json-rpc-errors.ts'
import type { McpContext } from './mcp-request-context.ts'

/** The newest MCP revision. It has no message `initialize`, so each message states its own revision. */
export const NEWEST_REVISION = '2026-07-28'

export const supportedProtocolVersions = [...SUPPORTED_PROTOCOL_VERSIONS, NEWEST_REVISION]

interface Tools {
  info: { name: string; version: string }
  instructions: string
  has(tool: string): boolean
  list(exchange: McpContext): Promise<Tool[]>
  call(
    tool: string,
    input: Record<string, unknown>,
    exchange: McpContext,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult>
}

/**
 * Creates a server of the MCP SDK that lists and calls the tools. Its errors have the texts of the scheduling protocol,
 * and not the texts of the SDK.
 */
export function serveTools({ info, instructions, has, list, call }: Tools, exchange: McpContext): Server {
  const server = new ToolServer(info, {
    capabilities: { tools: {} },
    instructions,
    supportedProtocolVersions,
  })
  server.setRequestHandler('tools/list', async () => {
    const tools = await list(exchange).catch((error: unknown) => {
      throw jsonRpcErrorOf(error, exchange)
    })
    return { tools }
  })
  server.fallbackRequestHandler = async ({ method, params: given }, context) => {
    if (method !== 'tools/call') throw unknownMethod(method)
    const { name } = asRecord(given)
    try {
      const params = callParameters(given)
      if (!has(params.name)) throw unknownTool(params.name)
      return await traced(
        () => ({
          name: `tools/call ${params.name}`,
          kind: 'server',
          parent: traceparentIn(given),
          attributes: { 'mcp.method.name': method, 'gen_ai.tool.name': params.name },
        }),
        () => call(params.name, params.arguments, exchange, context),
      )
    } catch (error) {
      throw jsonRpcErrorOf(error, exchange, typeof name === 'string' ? name : undefined)
    }
  }
  return server
}

/**
 * Returns the caller's tracing context (the id of the caller's trace). MCP clients send it in `_meta` of the message.
 * USP clients send it in `_meta` of the arguments.
 */
function traceparentIn(messageParams: unknown): string | undefined {
  const params = asRecord(messageParams)
  const [ofMessage, ofArguments] = [params, asRecord(params.arguments)].map(({ _meta }) => asRecord(_meta).traceparent)
  const traceparent = ofMessage ?? ofArguments
  return typeof traceparent === 'string' ? traceparent : undefined
}

/**
 * Validates the parameters of a tool call without the SDK, because the error texts of the SDK differ from those of the
 * protocol.
 */
function callParameters(params: unknown): { name: string; arguments: Record<string, unknown> } {
  const { name, arguments: given = {} } = asRecord(params)
  if (typeof name !== 'string')
    throw new ProtocolError(
      'invalid_request',
      '`params.name` must be the name of a tool. Call tools/list for the list.',
    )
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ProtocolError('invalid_request', '`params.arguments` must be an object: parameters are passed by name.')
  return { name, arguments: asRecord(given) }
}

/** The error for an unknown MCP tool. It has no `data.code`, because the protocol defines no code for this case. */
export function unknownTool(name: string): JsonRpcError {
  const content = `There is no tool named ${quoted(name)}. Call tools/list for the list.`
  return new JsonRpcError(-32602, content, { content })
}

const unknownMethod = (name: string) =>
  newJsonRpcError(-32601, `There is no method ${quoted(name)}. Call tools with tools/call.`)

const quoted = (name: string) => JSON.stringify(name.slice(0, LONGEST_NAME))
const LONGEST_NAME = 100

/**
 * A server of the MCP SDK that corrects errors before it sends them. The SDK uses the code -32002 for an error of its
 * own, so it replaces this code with -32602. It also reports invalid parameters as an internal error without `data`.
 */
class ToolServer extends Server {
  override connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(withCorrectedError(message), options)
    return super.connect(transport)
  }
}

function withCorrectedError(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message
  const { code, data } = message.error
  if (isConflict(asRecord(data).code)) return { ...message, error: { ...message.error, code: CONFLICT } }
  if (code === -32603 && data === undefined) return { ...message, error: invalidParameters }
  if (data === undefined) return { ...message, error: { ...message.error, data: dataOf(message.error.message) } }
  return message
}

const CONFLICT = -32002
const conflicts: string[] = protocolCodes.filter((code) => errors[code].rpc === CONFLICT)
const isConflict = (code: unknown): boolean => typeof code === 'string' && conflicts.includes(code)

const UNFIT = 'The parameters do not match this method.'
const invalidParameters = { code: -32602, message: UNFIT, data: dataOf(UNFIT) }
