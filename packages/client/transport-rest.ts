import { requestProof } from './create-possession-proof.ts'
import { type HttpRequest, send } from './send-http-request.ts'
import {
  authenticated,
  type ClientCall,
  type ConnectionOptions,
  errorOf,
  proofFor,
  type Transport,
} from './transport.ts'

/**
 * Calls operations of a business over REST. The method and the path name the operation, and headers identify the
 * caller.
 */
export const overRest =
  (parties: ConnectionOptions): Transport =>
  async (ask) => {
    const answer = await send(await authenticated(await requestOf(ask, parties), ask, parties))
    if (answer.status === 204) return {}
    if (answer.status >= 300 || typeof answer.body !== 'object' || answer.body === null) throw errorOf(answer)
    return { ...answer.body }
  }

async function requestOf(ask: ClientCall, parties: ConnectionOptions): Promise<HttpRequest> {
  const { route, idempotencyKey, credential } = ask
  const { method, url, body } = placeInput(ask, parties.endpoint)
  const proof = proofFor(ask, parties)
  return {
    method,
    url,
    headers: {
      accept: 'application/json',
      'usp-agent': `profile=${JSON.stringify(parties.profile)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && route.access === 'write' && { 'idempotency-key': idempotencyKey }),
      ...(credential && { authorization: `DPoP ${credential.value}` }),
      ...(proof && { dpop: await requestProof(parties.key, method, url, proof) }),
    },
    ...(body !== undefined && { body }),
  }
}

/**
 * Builds the HTTP request of an operation. Input members that the path names go into the path. All others go into the
 * body, or into the query if the method has no body.
 */
function placeInput({ route, input }: ClientCall, endpoint: string): { method: string; url: string; body?: string } {
  const [method = '', path = ''] = route.rest.split(' ')
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name)
    left.delete(name)
    return encodeURIComponent(String(value))
  })
  const url = new URL(endpoint.replace(/\/$/, '') + filled)
  if (method === 'POST' || method === 'PUT')
    return { method, url: url.href, body: JSON.stringify(Object.fromEntries(left)) }
  for (const [name, value] of left) if (value !== null) url.searchParams.set(name, String(value))
  return { method, url: url.href }
}
