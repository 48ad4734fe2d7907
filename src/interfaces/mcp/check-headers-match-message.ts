import type { JSONRPCRequest } from '@modelcontextprotocol/server'
import { asRecord, omitUndefined } from '../../infra/util/object-members.ts'
import { malformed } from './mcp-message.ts'
import type { McpContext } from './mcp-request-context.ts'

/**
 * HTTP headers that repeat parts of the MCP message. Clients send these headers for proxies, because proxies do not
 * parse the body.
 */
const REPEATED_HEADERS = {
  protocolVersionHeader: 'mcp-protocol-version',
  mcpMethodHeader: 'mcp-method',
  mcpNameHeader: 'mcp-name',
} as const

type RepeatedHeaders = { [Name in keyof typeof REPEATED_HEADERS]?: string }

export const repeatedHeadersIn = (headers: McpContext['headers']): RepeatedHeaders =>
  omitUndefined({
    protocolVersionHeader: headers[REPEATED_HEADERS.protocolVersionHeader]?.toString(),
    mcpMethodHeader: headers[REPEATED_HEADERS.mcpMethodHeader]?.toString(),
    mcpNameHeader: headers[REPEATED_HEADERS.mcpNameHeader]?.toString(),
  })

/**
 * The header `mcp-name` repeats one parameter of the message. This table contains the name of this parameter for each
 * MCP method.
 */
const NAMED_PARAMETER: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/**
 * Checks that the headers of the newest MCP revision are present, and that `mcp-name` matches the message. The SDK has
 * already compared the other headers with the message.
 */
export function checkRepeatedHeaders({ id, method, params }: JSONRPCRequest, headers: RepeatedHeaders): void {
  const about = asRecord(params)[NAMED_PARAMETER[method] ?? '']
  const named = ['protocolVersionHeader', 'mcpMethodHeader', 'mcpNameHeader'] as const
  const missing = named.find(
    (one) => headers[one] === undefined && (one !== 'mcpNameHeader' || typeof about === 'string'),
  )
  if (missing)
    throw malformed(
      400,
      id,
      HEADER_MISMATCH,
      `The header ${REPEATED_HEADERS[missing]} is missing: it must repeat the value from the message.`,
    )
  if (typeof about === 'string' && decoded(headers.mcpNameHeader ?? '') !== about)
    throw malformed(
      400,
      id,
      HEADER_MISMATCH,
      `The header ${REPEATED_HEADERS.mcpNameHeader} and params.${NAMED_PARAMETER[method]} differ.`,
    )
}

const HEADER_MISMATCH = -32020

/**
 * Matches a header value that the client encoded: `=?base64?…?=`. Clients encode values with characters that a header
 * cannot contain.
 */
const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/

function decoded(value: string): string {
  const [, text] = ENCODED.exec(value) ?? []
  return text === undefined ? value : Buffer.from(text, 'base64').toString()
}
