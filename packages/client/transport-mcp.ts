import { asRecord } from '../../src/infra/util/object-members.ts'
import { UspError } from './client-errors.ts'
import { toolProof } from './create-possession-proof.ts'
import { type HttpAnswer, send } from './send-http-request.ts'
import {
  authenticated,
  type ClientCall,
  type ConnectionOptions,
  errorOf,
  type Members,
  nonceOf,
  problemOf,
  proofFor,
  retryAfterOf,
  type Transport,
} from './transport.ts'

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/**
 * Calls operations of a business over MCP. Each call is one JSON-RPC message, and its member `_meta` identifies the
 * caller.
 */
export const overMcp =
  (parties: ConnectionOptions): Transport =>
  async (ask) => {
    const { route, trace } = ask
    const step = trace.traceparent === undefined ? {} : { _meta: trace }
    const params = { name: route.tool, arguments: await argumentsOf(ask, parties), ...step }
    const body = JSON.stringify({ jsonrpc: '2.0', id: crypto.randomUUID(), method: 'tools/call', params })
    const request = { method: 'POST', url: parties.endpoint, headers, body }
    return payloadOf(await send(await authenticated(request, ask, parties)))
  }

async function argumentsOf(ask: ClientCall, parties: ConnectionOptions): Promise<Members> {
  const { route, input, idempotencyKey, credential } = ask
  const { business: audience, profile, key } = parties
  const usp = {
    profile,
    ...(idempotencyKey !== undefined && route.access === 'write' && { idempotency_key: idempotencyKey }),
  }
  // The proof must cover the tool arguments as the business receives them. JSON leaves out undefined members, so this
  // line removes them first.
  const parameters = { ...JSON.parse(JSON.stringify(input)), _meta: { usp } }
  const attached = proofFor(ask, parties)
  if (!attached && !credential) return parameters
  const authorization = {
    mechanism: credential ? 'booking_scoped_credential' : 'platform_key_pop',
    ...(credential && { credential: credential.value }),
    ...(attached && { proof: await toolProof(key, { audience, tool: route.tool, parameters }, attached) }),
  }
  return { ...parameters, _meta: { usp: { ...usp, authorization } } }
}

function payloadOf(answer: HttpAnswer): Members {
  const { result, error } = asRecord(answer.body)
  if (error !== undefined) throw rpcError(answer, asRecord(error))
  const { structuredContent } = asRecord(result)
  if (typeof structuredContent !== 'object' || structuredContent === null) throw errorOf(answer)
  return { ...structuredContent }
}

/**
 * The JSON-RPC error number for an unknown tool. This is the only error of a business without an error code of the
 * protocol.
 */
const UNKNOWN_TOOL = -32602

function rpcError({ headers, status }: HttpAnswer, { code: rpcCode, message, data }: Members): UspError {
  const { code, content = String(message), errors, retryAfter } = problemOf(data)
  const otherwise = rpcCode === UNKNOWN_TOOL ? 'not_found' : 'unexpected_answer'
  return new UspError(code ?? otherwise, typeof rpcCode === 'number' ? rpcCode : status, content, {
    errors,
    retryAfter: retryAfter ?? retryAfterOf(headers),
    nonce: nonceOf(headers, data),
  })
}
