import { randomUUID } from 'node:crypto'
import type { Target } from '../target/target.ts'
import { Answer, type Members } from './answer.ts'
import { type Exchange, send } from './exchange.ts'
import type { KeyPair } from './key-pair.ts'
import { type SignatureOptions, signatureHeaders } from './message-signature.ts'
import { type OperationName, operations } from './operations.ts'
import { type ProofContents, requestProof, toolProof } from './possession-proof.ts'

export type Binding = 'rest' | 'mcp'

/** A member that the caller sends with a changed value, or does not send (null). */
type Changes = Record<string, string | null>

export interface CallOptions {
  /** Undefined: a new key for each write. Null: none. */
  idempotencyKey?: string | null
  /** A revision: the header `If-Match`, or `_meta.usp.if_match`. */
  ifMatch?: string
  /** The value of a booking-scoped credential. */
  credential?: string
  /** How this call proves the identity of the caller. */
  authentication?: Authentication
  /** Over which binding to call, if not over the binding of the check. */
  binding?: Binding
  seesRateLimits?: boolean
  /** Drops the connection before the answer is there. */
  signal?: AbortSignal
  proof?: ProofContents
  signature?: SignatureOptions
  headers?: Changes
  /** The body of a REST request, if not the input as JSON. Null: no body. */
  body?: string | null
  /** Members of `_meta.usp` to add or to replace. */
  meta?: Members
  /** Members of `_meta.usp.authorization` to add or to replace. Undefined leaves a member out. */
  authorization?: Members
  /** The name of the mechanism that a tool call declares. */
  mechanism?: string
  /** Changes the finished request, after the proof and the signature were made. */
  change?: (request: Exchange['request']) => Exchange['request']
}

export type Authentication = 'proof' | 'signature' | 'bearer' | 'none'

/** Who calls: anonymous without these members, otherwise a platform with a profile and a key. */
export interface Identity {
  profile: string
  key: KeyPair
  /** An API key or access token that the business issued. */
  bearer?: string | undefined
}

export interface CallerOptions {
  target: Target
  binding: Binding
  identity: Identity | undefined
  authentication: Authentication
  record: (exchange: Exchange) => void
}

/** Calls the operations of one business in the name of one platform, or anonymously. */
export class Caller {
  readonly identity: Identity | undefined
  readonly #options: CallerOptions
  /** The nonce that the business demanded last. */
  #nonce: string | undefined

  constructor(options: CallerOptions) {
    this.#options = options
    this.identity = options.identity
  }

  async call(name: OperationName, input: Members = {}, options: CallOptions = {}): Promise<Answer> {
    const binding = options.binding ?? this.#options.binding
    const answer = await this.#attempt(binding, name, input, options)
    const nonce = answer.error?.code === 'proof_nonce_required' ? nonceOf(answer) : undefined
    if (nonce === undefined || options.proof?.nonce !== undefined) return answer
    this.#nonce = nonce
    return this.#attempt(binding, name, input, options)
  }

  /** Sends a REST request of any form to a path under the REST endpoint. */
  async request(
    method: string,
    path: string,
    {
      body,
      headers = {},
      seesRateLimits,
    }: { body?: string; headers?: Record<string, string>; seesRateLimits?: boolean } = {},
  ): Promise<Answer> {
    const url = path.startsWith('http') ? path : this.#options.target.endpoint('rest') + path
    return new Answer(
      'rest',
      await send(() => ({ method, url, headers, body }), this.#options.record, { seesRateLimits }),
    )
  }

  /** Sends a JSON-RPC message of any form to the MCP endpoint. */
  async message(message: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const body = typeof message === 'string' ? message : JSON.stringify(message)
    const request = {
      method: 'POST',
      url: this.#options.target.endpoint('mcp'),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body,
    }
    return new Answer('mcp', await send(() => request, this.#options.record))
  }

  async #attempt(binding: Binding, name: OperationName, input: Members, options: CallOptions): Promise<Answer> {
    const idempotencyKey =
      operations[name].access === 'write'
        ? (options.idempotencyKey ?? (options.idempotencyKey === null ? null : randomUUID()))
        : null
    const create = () =>
      binding === 'rest'
        ? this.#restRequest(name, input, { ...options, idempotencyKey })
        : this.#mcpRequest(name, input, { ...options, idempotencyKey })
    const { seesRateLimits, signal, change = (request) => request } = options
    return new Answer(binding, await send(() => change(create()), this.#options.record, { seesRateLimits, signal }))
  }

  #restRequest(name: OperationName, input: Members, options: CallOptions): Exchange['request'] {
    const { identity, target } = this.#options
    const { method, path, left } = placeInput(operations[name].rest, input)
    const url = new URL(target.endpoint('rest') + path)
    const hasBody = method === 'POST' || method === 'PUT'
    if (!hasBody) for (const [member, value] of Object.entries(left)) url.searchParams.set(member, String(value))
    const headers = changed(
      {
        accept: 'application/json',
        ...(identity && { 'usp-agent': `profile="${identity.profile}"` }),
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
        ...(options.ifMatch !== undefined && { 'if-match': `"${options.ifMatch}"` }),
        ...this.#restAuthorization(name, method, url.href, options),
      },
      options.headers,
    )
    const usual = hasBody ? JSON.stringify(left) : undefined
    const body = options.body === undefined ? usual : (options.body ?? undefined)
    return this.#signed({ method, url: url.href, headers, body }, name, options)
  }

  #restAuthorization(name: OperationName, method: string, url: string, options: CallOptions): Record<string, string> {
    const { identity } = this.#options
    const { credential } = options
    if (!identity) return {}
    if (this.#authentication(name, options) === 'bearer') return { authorization: `Bearer ${identity.bearer}` }
    const isProven = this.#authentication(name, options) === 'proof'
    return {
      ...(credential !== undefined && { authorization: `DPoP ${credential}` }),
      ...(isProven && { dpop: requestProof(identity.key, method, url, this.#proof(options)) }),
    }
  }

  #mcpRequest(name: OperationName, input: Members, options: CallOptions): Exchange['request'] {
    const { identity, target } = this.#options
    const { tool } = operations[name]
    const { credential } = options
    const usp = {
      ...(identity && { profile: identity.profile }),
      ...(options.idempotencyKey && { idempotency_key: options.idempotencyKey }),
      ...(options.ifMatch !== undefined && { if_match: options.ifMatch }),
      ...options.meta,
    }
    const parameters = Object.keys(usp).length > 0 ? { ...input, _meta: { usp } } : { ...input }
    const authentication = this.#authentication(name, options)
    const proof =
      identity && authentication === 'proof'
        ? toolProof(identity.key, { tool, parameters, audience: target.profileUrl }, this.#proof(options))
        : undefined
    const authorization = {
      mechanism: options.mechanism ?? (credential === undefined ? 'platform_key_pop' : 'booking_scoped_credential'),
      ...(credential !== undefined && { credential }),
      ...(proof !== undefined && { proof }),
      ...options.authorization,
    }
    const isAuthorized =
      credential !== undefined ||
      proof !== undefined ||
      options.mechanism !== undefined ||
      options.authorization !== undefined
    const sent = isAuthorized ? { ...parameters, _meta: { usp: { ...usp, authorization } } } : parameters
    const message = { jsonrpc: '2.0', id: randomUUID(), method: 'tools/call', params: { name: tool, arguments: sent } }
    const headers = changed(
      {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(identity && authentication === 'bearer' && { authorization: `Bearer ${identity.bearer}` }),
      },
      options.headers,
    )
    return this.#signed(
      { method: 'POST', url: target.endpoint('mcp'), headers, body: JSON.stringify(message) },
      name,
      options,
    )
  }

  #signed(request: Exchange['request'], name: OperationName, options: CallOptions): Exchange['request'] {
    const { identity } = this.#options
    if (!identity || this.#authentication(name, options) !== 'signature') return request
    const headers = { ...request.headers, ...signatureHeaders(identity.key, request, options.signature) }
    return { ...request, headers }
  }

  #authentication(name: OperationName, { authentication }: CallOptions): Authentication {
    if (authentication !== undefined) return authentication
    return operations[name].access === 'public' ? 'none' : this.#options.authentication
  }

  #proof({ credential, proof }: CallOptions): ProofContents {
    return { credential, nonce: this.#nonce, ...proof }
  }
}

/** Puts the input members that the path names into the path, and returns the others. */
function placeInput(rest: string, input: Members): { method: string; path: string; left: Members } {
  const [method = '', template = ''] = rest.split(' ')
  const left = { ...input }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left[name]
    delete left[name]
    return encodeURIComponent(String(value))
  })
  return { method, path, left }
}

function changed(headers: Record<string, string>, changes: Changes = {}): Record<string, string> {
  const entries = Object.entries({ ...headers, ...changes })
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null))
}

function nonceOf({ error, headers }: Answer): string | undefined {
  const nonce = error?.members.nonce ?? headers['dpop-nonce']
  return typeof nonce === 'string' ? nonce : undefined
}
