import { hash, sign } from 'node:crypto'
import { httpbis } from 'http-message-signatures'
import { type Operation, restOf } from '../../src/protocol/operation.ts'
import { type Platform, restProof, type TestKey, toolProof } from '../support/platform.ts'
import type { TestServer } from '../support/server.ts'

export type Binding = 'REST' | 'MCP'

/** What a caller shows of itself. */
export interface Shown {
  platform?: Platform
  proof?: { key: TestKey; claims?: object; by?: TestKey; text?: string }
  signature?: { key: TestKey; keyid: string; expires?: Date }
  bearer?: string
  now: Date
}

export interface Told {
  /** The protocol error's code; nothing when the operation was reached. */
  code: string | undefined
  status: number
}

const ORIGIN = 'http://127.0.0.1:8080'

export async function call(
  server: TestServer,
  binding: Binding,
  operation: Operation,
  input: Record<string, unknown>,
  shown: Shown,
): Promise<Told> {
  return binding === 'REST' ? overRest(server, operation, input, shown) : overMcp(server, operation, input, shown)
}

async function overRest(
  server: TestServer,
  operation: Operation,
  input: Record<string, unknown>,
  shown: Shown,
): Promise<Told> {
  const { method, path, parameters } = restOf(operation)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(input[name]))
  const body = Object.fromEntries(Object.entries(input).filter(([name]) => !parameters.includes(name)))
  const payload = method === 'POST' || method === 'PUT' ? JSON.stringify(body) : undefined
  const url = `/usp/v1${filled}`
  const headers = {
    host: '127.0.0.1:8080',
    ...(payload && { 'content-type': 'application/json' }),
    ...(shown.platform && { 'usp-agent': `profile="${shown.platform.url}"` }),
    ...(shown.bearer && { authorization: `Bearer ${shown.bearer}` }),
    ...(shown.proof && {
      dpop:
        shown.proof.text ??
        proofOf(shown, (key) => restProof(key, method, ORIGIN + url, shown.now, shown.proof?.claims)),
    }),
  }
  const signed = shown.signature ? await withSignature(shown, method, url, headers, payload) : headers
  const answer = await server.raw({ method, url, headers: signed, ...(payload && { payload }) })
  return { code: answer.status >= 400 ? answer.body.code : undefined, status: answer.status }
}

async function overMcp(
  server: TestServer,
  operation: Operation,
  input: Record<string, unknown>,
  shown: Shown,
): Promise<Told> {
  const usp = shown.platform ? { profile: shown.platform.url } : undefined
  const bare = usp ? { ...input, _meta: { usp } } : input
  const proof =
    shown.proof &&
    (shown.proof.text ?? proofOf(shown, (key) => toolProof(key, operation.tool, bare, shown.now, shown.proof?.claims)))
  const args = proof
    ? { ...input, _meta: { usp: { ...usp, authorization: { mechanism: 'platform_key_pop', proof } } } }
    : bare
  const payload = JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: operation.tool, arguments: args },
  })
  const headers = {
    host: '127.0.0.1:8080',
    'content-type': 'application/json',
    ...(shown.bearer && { authorization: `Bearer ${shown.bearer}` }),
  }
  const signed = shown.signature ? await withSignature(shown, 'POST', '/usp/mcp', headers, payload) : headers
  const answer = await server.raw({ method: 'POST', url: '/usp/mcp', headers: signed, payload })
  return { code: answer.body.error?.data.code, status: answer.status }
}

/** The header names one key; where the test wants it so, another has signed. */
function proofOf({ proof }: Shown, make: (key: TestKey) => string): string {
  if (!proof) return ''
  return make(proof.by ? { ...proof.key, private: proof.by.private } : proof.key)
}

async function withSignature(
  { signature }: Shown,
  method: string,
  url: string,
  headers: Record<string, string>,
  payload: string | undefined,
) {
  if (!signature) return headers
  const { key, keyid, expires } = signature
  const digested = {
    ...headers,
    ...(payload && { 'content-digest': `sha-256=:${hash('sha256', payload, 'base64')}:` }),
  }
  const fields = ['usp-agent', 'content-digest', 'content-type'].filter((name) => name in digested)
  const { headers: signed } = await httpbis.signMessage(
    {
      key: { id: keyid, sign: async (data) => sign('sha256', data, { key: key.private, dsaEncoding: 'ieee-p1363' }) },
      fields: ['@method', '@authority', '@path', ...fields],
      params: ['keyid', ...(expires ? ['expires'] : [])],
      paramValues: { created: null, ...(expires && { expires }) },
    },
    { method, url: ORIGIN + url, headers: digested },
  )
  return signed as Record<string, string>
}
