import { hash, sign } from 'node:crypto'
import { httpbis } from 'http-message-signatures'
import { type Operation, restRouteOf } from '../../src/protocol/define-operation.ts'
import { type Platform, restProof, type TestKey, toolProof } from '../support/platform.ts'
import type { TestServer } from '../support/server.ts'

export type Binding = 'REST' | 'MCP'

/** What a caller shows of itself. */
export interface Shown {
  platform?: Platform
  proof?: { key: TestKey; claims?: object; by?: TestKey; text?: string }
  signature?: { key: TestKey; keyid: string; expires?: Date }
  bearer?: string
  /** A credential for one booking or the like; beside it stands the proof, if any. */
  scoped?: string
  now: Date
}

export interface Told {
  /** The protocol error's code; nothing when the operation was reached. */
  code: string | undefined
  /** Why the business says no. */
  outcome: string | undefined
  status: number
  /** Of JSON-RPC, where the call failed. */
  rpc: number | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  payload: any
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
  const { method, path, parameters } = restRouteOf(operation)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(input[name]))
  const body = Object.fromEntries(Object.entries(input).filter(([name]) => !parameters.includes(name)))
  const payload = method === 'POST' || method === 'PUT' ? JSON.stringify(body) : undefined
  const url = `/usp/v1${filled}`
  const query = new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)]))
  const target = payload === undefined && query.size > 0 ? `${url}?${query}` : url
  const headers = {
    host: '127.0.0.1:8080',
    ...(payload && { 'content-type': 'application/json' }),
    ...(shown.platform && { 'usp-agent': `profile="${shown.platform.url}"` }),
    ...(shown.bearer && { authorization: `Bearer ${shown.bearer}` }),
    ...(shown.scoped && { authorization: `DPoP ${shown.scoped}` }),
    ...(shown.proof && {
      dpop:
        shown.proof.text ?? proofOf(shown, (key, claims) => restProof(key, method, ORIGIN + url, shown.now, claims)),
    }),
  }
  const signed = shown.signature ? await withSignature(shown, method, url, headers, payload) : headers
  const answer = await server.raw({ method, url: target, headers: signed, ...(payload && { payload }) })
  const failed = answer.status >= 400
  return told(answer.status, failed ? answer.body.code : undefined, undefined, failed ? {} : answer.body)
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
    (shown.proof.text ?? proofOf(shown, (key, claims) => toolProof(key, operation.tool, bare, shown.now, claims)))
  const authorization = shown.scoped
    ? { mechanism: 'booking_scoped_credential', credential: shown.scoped, ...(proof && { proof }) }
    : proof && { mechanism: 'platform_key_pop', proof }
  const args = authorization ? { ...input, _meta: { usp: { ...usp, authorization } } } : bare
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
  const { error, result } = answer.body
  return told(answer.status, error?.data.code, error?.code, result?.structuredContent ?? {})
}

const told = (status: number, code: string | undefined, rpc: number | undefined, payload: Told['payload']): Told => ({
  status,
  code,
  rpc,
  payload,
  outcome: payload.usp?.status === 'error' ? payload.messages[0].code : undefined,
})

/** The header names one key; where the test wants it so, another has signed. */
function proofOf({ proof, scoped }: Shown, make: (key: TestKey, claims: object) => string): string {
  if (!proof) return ''
  const ath = scoped && { ath: hash('sha256', scoped, 'base64url') }
  return make(proof.by ? { ...proof.key, private: proof.by.private } : proof.key, { ...ath, ...proof.claims })
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
