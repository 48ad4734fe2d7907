import { ProtocolError as JsonRpcError } from '@modelcontextprotocol/server'
import { asProtocolError, errors, type ProtocolError } from '../../protocol/errors.ts'
import { wireCodesOf } from '../../protocol/http-and-rpc-error-codes.ts'
import { retryAfterOf } from '../http/problem-details.ts'
import type { McpContext } from './mcp-request-context.ts'

/**
 * Converts any error to a JSON-RPC error for an MCP client. Adds the headers of the error to the HTTP answer. The cause
 * of a server error appears only in the log.
 */
export function jsonRpcErrorOf(
  error: unknown,
  exchange: Pick<McpContext, 'answerHeaders' | 'log' | 'refusal' | 'protocol'>,
  tool?: string,
): JsonRpcError {
  if (error instanceof JsonRpcError) return error
  const refusal = asProtocolError(error)
  exchange.refusal = refusal.code
  const wait = retryAfterOf(refusal)
  if (wait !== undefined) exchange.answerHeaders['retry-after'] = String(wait)
  Object.assign(exchange.answerHeaders, refusal.details.headers)
  if (errors[refusal.code].http >= 500)
    exchange.log.error({ err: error, tool }, `A tool call failed with ${refusal.code}.`)
  return asJsonRpc(refusal, exchange.protocol)
}

/**
 * Creates a JSON-RPC error with the given number. For the number of `invalid_request`, the message is this code. For
 * other numbers, the message is a sentence, because clients show it to people.
 */
export const newJsonRpcError = (number: number, content: string) =>
  new JsonRpcError(number, number === errors.invalid_request.rpc ? 'invalid_request' : content, dataOf(content))

export const dataOf = (content: string) => ({ code: 'invalid_request', content })

export function asJsonRpc(error: ProtocolError, protocol: McpContext['protocol'] = 'usp'): JsonRpcError {
  const { retryAfter: _, headers: __, ...details } = error.details
  const retryAfter = retryAfterOf(error)
  return new JsonRpcError(wireCodesOf(error.code, protocol).rpc, error.code, {
    code: error.code,
    content: error.message,
    ...details,
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
  })
}
