import { randomUUID } from 'node:crypto'
import { Answer, type Members } from '../../caller/answer.ts'
import { type Identity, signatureKeyOf } from '../../caller/caller.ts'
import { type Exchange, send } from '../../caller/exchange.ts'
import { type SignatureOptions, signatureHeaders } from '../../caller/message-signature.ts'
import { requestProof } from '../../caller/possession-proof.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { Skip } from '../../run/mismatch.ts'

/** The operations of UCP for checkouts and orders: the method and path over REST, and the name of the MCP tool. */
export const ucpOperations = {
  createCheckout: { rest: 'POST /checkout-sessions', tool: 'create_checkout' },
  getCheckout: { rest: 'GET /checkout-sessions/{id}', tool: 'get_checkout' },
  updateCheckout: { rest: 'PUT /checkout-sessions/{id}', tool: 'update_checkout' },
  completeCheckout: { rest: 'POST /checkout-sessions/{id}/complete', tool: 'complete_checkout' },
  cancelCheckout: { rest: 'POST /checkout-sessions/{id}/cancel', tool: 'cancel_checkout' },
  getOrder: { rest: 'GET /orders/{id}', tool: 'get_order' },
}

export type UcpOperation = keyof typeof ucpOperations

export interface UcpInput {
  /** The id of the checkout or the order. */
  id?: unknown
  /** The body of a REST request, and the argument `checkout` of a tool call. */
  checkout?: Members
}

export interface UcpCallOptions {
  /** The idempotency key of a change. Undefined: a new key. */
  idempotencyKey?: string
  authentication?: 'signature' | 'proof' | 'none'
  signature?: SignatureOptions
}

type Request = Exchange['request']

const JSON_TYPE = 'application/json'
const isReading = (name: UcpOperation): boolean => name === 'getCheckout' || name === 'getOrder'

/** Calls the UCP checkout of one business as one platform, over the binding of the check. */
export class UcpCaller {
  readonly #context: CheckContext
  readonly #identity: Identity
  readonly #endpoint: string

  constructor(context: CheckContext, identity: Identity) {
    const { target, binding } = context
    const endpoint = target.checkoutEndpoint(binding)
    if (endpoint === undefined) throw new Skip(`The profile has no endpoint of dev.ucp.shopping for ${binding}.`)
    this.#context = context
    this.#identity = identity
    this.#endpoint = endpoint
  }

  async call(name: UcpOperation, input: UcpInput = {}, options: UcpCallOptions = {}): Promise<Answer> {
    const { binding, exchanges } = this.#context
    // All attempts of one call have the same key.
    const key = isReading(name) ? undefined : (options.idempotencyKey ?? randomUUID())
    const request = binding === 'rest' ? this.#restRequest(name, input, key) : this.#toolRequest(name, input, key)
    const create = () => this.#authenticated(request, options)
    return new Answer(binding, await send(create, (exchange) => exchanges.push(exchange)))
  }

  #restRequest(name: UcpOperation, { id, checkout = {} }: UcpInput, key: string | undefined): Request {
    const [method = '', path = ''] = ucpOperations[name].rest.split(' ')
    const body = isReading(name) ? undefined : JSON.stringify(checkout)
    const headers = {
      accept: JSON_TYPE,
      'ucp-agent': `profile="${this.#identity.profile}"`,
      ...(body !== undefined && { 'content-type': JSON_TYPE }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    return { method, url: this.#endpoint + path.replace('{id}', encodeURIComponent(String(id))), headers, body }
  }

  #toolRequest(name: UcpOperation, { id, checkout }: UcpInput, key: string | undefined): Request {
    const meta = {
      'ucp-agent': { profile: this.#identity.profile },
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const takesCheckout = !isReading(name) && name !== 'cancelCheckout'
    const input = { meta, ...(id !== undefined && { id }), ...(takesCheckout && { checkout: checkout ?? {} }) }
    const params = { name: ucpOperations[name].tool, arguments: input }
    return {
      method: 'POST',
      url: this.#endpoint,
      headers: { 'content-type': JSON_TYPE, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method: 'tools/call', params }),
    }
  }

  /** Adds the proof or the signature, and the id that UCP demands of each request. */
  #authenticated(request: Request, { authentication = this.#usualAuthentication(), signature }: UcpCallOptions) {
    const { method, url, headers } = request
    const { key } = this.#identity
    const proven = {
      none: () => ({}),
      proof: () => ({ dpop: requestProof(key, method, url, {}) }),
      signature: () => signatureHeaders(signatureKeyOf(this.#identity), request, signature),
    }[authentication]()
    return { ...request, headers: { ...headers, ...proven, 'request-id': randomUUID() } }
  }

  #usualAuthentication(): 'signature' | 'proof' {
    const { target, binding } = this.#context
    if (target.mechanisms.includes('http_message_signature')) return 'signature'
    if (binding === 'rest' && target.mechanisms.includes('platform_key_pop')) return 'proof'
    throw new Skip('The business accepts no signature of a platform.')
  }
}
