import type { ProtocolError as JsonRpcError } from '@modelcontextprotocol/server'
import { asRecord } from '../../infra/util/object-members.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { parseJson } from '../../protocol/parse-json-safely.ts'
import { dataOf, newJsonRpcError } from './json-rpc-errors.ts'
import type { McpContext } from './mcp-request-context.ts'

/** The error for a request body that is not a valid MCP message. It contains the JSON-RPC error for the client. */
export class InvalidMessageError extends Error {
  readonly status: number
  readonly headers: McpContext['answerHeaders']
  readonly response: object
  readonly code: string

  constructor(
    status: number,
    id: unknown,
    { code, message, data }: Pick<JsonRpcError, 'code' | 'message' | 'data'>,
    headers: McpContext['answerHeaders'] = {},
  ) {
    super(message)
    this.status = status
    this.headers = headers
    this.code = String(asRecord(data).code)
    // In JSON-RPC, an id is a string or a number. If the request has another value as id, the id of the error is null.
    const isId = typeof id === 'string' || typeof id === 'number'
    this.response = { jsonrpc: '2.0', id: isId ? id : null, error: { code, message, data } }
  }
}

export const malformed = (status: number, id: unknown, code: number, content: string) =>
  new InvalidMessageError(status, id, newJsonRpcError(code, content))

export const refused = (
  status: number,
  id: unknown,
  { code, message, data }: { code: number; message: string; data?: unknown },
) => new InvalidMessageError(status, id, { code, message, data: { ...dataOf(message), ...asRecord(data) } })

/**
 * The maximum number of JSON values in an MCP message, without the arguments of a tool call. The SDK reads these values
 * several times before the server has authenticated the caller.
 */
const MOST_ENVELOPE_VALUES = 200

/**
 * Parses a request body, which must contain a single MCP message. The function itself reports errors, because the error
 * texts of the SDK differ from those of the protocol.
 */
export function readMessage(body: Buffer): unknown {
  const message = parsed(body)
  if (Array.isArray(message)) throw malformed(200, null, -32600, 'Send one message at a time.')
  const { jsonrpc, id = null, method, params } = asRecord(message)
  if (jsonrpc !== '2.0') throw malformed(400, null, -32600, 'Send a JSON-RPC 2.0 message.')
  if (method === 'tools/call' && Array.isArray(params))
    throw malformed(200, id, -32600, 'Parameters are passed by name: `params` must be an object.')
  if (valuesOf(envelopeOf(message)) > MOST_ENVELOPE_VALUES)
    throw malformed(
      200,
      id,
      -32602,
      `Apart from \`params.arguments\` of a tools/call, the message has more than ${MOST_ENVELOPE_VALUES} values.`,
    )
  return message
}

/**
 * Returns the MCP message without the arguments of a tool call. The server checks these arguments later against the
 * schema of the tool, after it has authenticated the caller.
 */
function envelopeOf(message: unknown): unknown {
  const { method, params, ...others } = asRecord(message)
  if (method !== 'tools/call') return message
  const { arguments: _, ...otherParams } = asRecord(params)
  return { ...others, ...otherParams }
}

const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, one) => sum + valuesOf(one), 1)
    : 1

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body)
  } catch (error) {
    if (error instanceof ProtocolError) throw malformed(400, null, -32700, error.message)
    throw error
  }
}
