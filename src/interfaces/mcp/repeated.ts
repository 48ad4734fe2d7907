import type { JSONRPCRequest } from '@modelcontextprotocol/server'
import { omitUndefined } from '../../infra/util/omit-undefined.ts'
import { recordOf } from '../../infra/util/record-of.ts'
import type { Exchange } from './exchange.ts'
import { malformed } from './mcp-message.ts'

/** Where a request says of itself again what its message is, so that whoever passes it on need not read that. */
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

/** What a message of each method is about. */
const ABOUT: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** The newer revision has all of it repeated; that what is repeated is right the SDK has looked at, but for the name. */
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

/** What is no header as it stands is written as =?base64?…?=. */
const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/

function decoded(value: string): string {
  const [, text] = ENCODED.exec(value) ?? []
  return text === undefined ? value : Buffer.from(text, 'base64').toString()
}
