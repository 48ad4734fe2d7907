import { randomUUID } from 'node:crypto'
import type { Target } from '../target/target.ts'
import { Answer, type Members } from './answer.ts'
import { type Exchange, send } from './exchange.ts'
import type { KeyPair } from './key-pair.ts'
import { type SignatureOptions, signatureHeaders } from './message-signature.ts'
import { type OperationName, operations } from './operations.ts'
import { type ProofContents, requestProof, toolProof } from './possession-proof.ts'

export type Binding = 'rest' | 'mcp'

/** New values of headers, by their names. Null removes a header. */
type Changes = Record<string, string | null>

export interface CallOptions {
  /** The idempotency key. Undefined: each write gets a new key. Null: the call has no key. */
  idempotencyKey?: string | null
  /** The revision that the caller expects: the header `If-Match` over REST, `_meta.usp.if_match` over MCP. */
  ifMatch?: string
  /** The secret of a booking-scoped credential, which gives access to one hold, booking or waitlist entry. */
  credential?: string
  /** How the caller proves its identity in this call. */
  authentication?: Authentication
  /** The binding (REST or MCP) of this call. The default is the binding of the check. */
  binding?: Binding
  seesRateLimits?: boolean
  /** A signal that closes the connection before the answer arrives. */
  signal?: AbortSignal
  proof?: ProofContents
  signature?: SignatureOptions
  headers?: Changes
  /** The body of a REST request. The default is the input as JSON. Null: no body. */
  body?: string | null
  /** Members that the call adds to `_meta.usp`, or replaces there. */
  meta?: Members
  /** Members that the call adds to `_meta.usp.authorization`, or replaces there. Undefined removes a member. */
  authorization?: Members
  /** The name of the authentication mechanism that a tool call declares. */
  mechanism?: string
  /** Changes the request after the suite has added the proof and the signature. */
  change?: (request: Exchange['request']) => Exchange['request']
}

export type Authentication = 'proof' | 'signature' | 'bearer' | 'none'

/** The identity of a caller: the profile and the key of a platform. A caller without an identity is anonymous. */
export interface Identity {
  profile: string
  key: KeyPair
  /** The key of HTTP message signatures, if the business does not accept the algorithm of `key` there. */
  signatureKey?: KeyPair | undefined
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

/** Calls the operations of one business, either as one platform or anonymously. */
export class Caller {
  readonly identity: Identity | undefined
  readonly #options: CallerOptions
  /** The last nonce that the business demanded. Each later proof contains this nonce. */
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

  /** Sends any REST request, even an invalid one, to a path under the REST endpoint. */
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

  /** Sends any JSON-RPC message, even an invalid one, to the MCP endpoint. */
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
    const isWrite = operations[name].access === 'write'
    // If the suite repeats the request, all attempts have the same idempotency key.
    const { idempotencyKey = randomUUID(), seesRateLimits, signal, change = (request) => request } = options
    const settled = { ...options, idempotencyKey: isWrite ? idempotencyKey : null }
    const create = () =>
      binding === 'rest' ? this.#restRequest(name, input, settled) : this.#mcpRequest(name, input, settled)
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
    const headers = { ...request.headers, ...signatureHeaders(signatureKeyOf(identity), request, options.signature) }
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

export const signatureKeyOf = ({ key, signatureKey }: Identity): KeyPair => signatureKey ?? key

/** Moves the input members that the path template names into the path. Returns the other members as `left`. */
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
