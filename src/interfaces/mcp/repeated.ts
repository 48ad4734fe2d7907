import type { JSONRPCRequest } from '@modelcontextprotocol/server'
import { omitUndefined } from '../../infra/util/omit-undefined.ts'
import { recordOf } from '../../infra/util/record-of.ts'
import type { Exchange } from './exchange.ts'
import { malformed } from './mcp-message.ts'

/** Headers that repeat facts of the message. Proxies can read them without parsing the body. */
const SAID = {
  protocolVersionHeader: 'mcp-protocol-version',
  mcpMethodHeader: 'mcp-method',
  mcpNameHeader: 'mcp-name',
} as const

type Said = { [Name in keyof typeof SAID]?: string }

export const saidIn = (headers: Exchange['headers']): Said =>
  omitUndefined({
    protocolVersionHeader: headers[SAID.protocolVersionHeader]?.toString(),
    mcpMethodHeader: headers[SAID.mcpMethodHeader]?.toString(),
    mcpNameHeader: headers[SAID.mcpNameHeader]?.toString(),
  })

/** The parameter that the `mcp-name` header repeats, for each method. */
const ABOUT: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** Checks the headers that the newer revision requires. The SDK has already compared all values except the name. */
export function checkRepeated({ id, method, params }: JSONRPCRequest, said: Said): void {
  const about = recordOf(params)[ABOUT[method] ?? '']
  const named = ['protocolVersionHeader', 'mcpMethodHeader', 'mcpNameHeader'] as const
  const missing = named.find((one) => said[one] === undefined && (one !== 'mcpNameHeader' || typeof about === 'string'))
  if (missing)
    throw malformed(400, id, DIFFERS, `The header ${SAID[missing]} is missing: repeat there what the message says.`)
  if (typeof about === 'string' && decoded(said.mcpNameHeader ?? '') !== about)
    throw malformed(400, id, DIFFERS, `The header ${SAID.mcpNameHeader} and params.${ABOUT[method]} differ.`)
}

const DIFFERS = -32020

/** A value that is not valid in a header is written as =?base64?…?=. */
const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/

function decoded(value: string): string {
  const [, text] = ENCODED.exec(value) ?? []
  return text === undefined ? value : Buffer.from(text, 'base64').toString()
}
