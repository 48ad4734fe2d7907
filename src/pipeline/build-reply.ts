import { hash } from 'node:crypto'
import { type Call, type Result, STATUS, successStatus } from '../protocol/define-operation.ts'
import { standalone } from '../protocol/deployment-modes.ts'
import type { BusinessRefusal } from '../protocol/errors.ts'
import { validatorsOf } from '../protocol/operation-validators.ts'
import { type Envelope, refusal, success } from '../protocol/response-envelope.ts'

export interface Reply {
  status: number
  body: Envelope
  /**
   * The body of the answer as JSON text. The text is empty if the interface needs no JSON. This saves the time of the
   * conversion.
   */
  text: string
  /** The result of the call in one sentence. Empty if the interface does not show this sentence. */
  summary: string
  headers: Record<string, string>
}

/** Makes the reply to a call whose operation succeeded. */
export function answered(call: Call, result: Result): Reply {
  const status = result[STATUS] ?? successStatus(call.operation)
  return reply(call, {
    status,
    body: success(call, result),
    summary: summaryOf(call, result),
    headers: cacheHeaders(call, result),
  })
}

export const REPLAYED = 'idempotency-replayed'
export const noStore = { 'cache-control': 'no-store' }

/** Makes the reply to a call that a rule of the business forbids. */
export const refused = (call: Call, outcome: BusinessRefusal) =>
  reply(call, { status: 200, body: refusal(call, outcome), summary: outcome.message, headers: noStore })

/**
 * Makes the reply to a call and converts its body to JSON. Throws an error if the body violates the schema of the
 * operation, because the caller must not get a wrong answer.
 */
function reply({ binding, operation }: Call, answer: Omit<Reply, 'text'>): Reply {
  const { body } = answer
  const validator = validatorsOf(operation).answer
  if (!validator(body))
    throw new Error(`The answer of ${operation.id} does not match its schema: ${JSON.stringify(validator.errors)}`)
  const isSent = binding === 'rest' || operation.effect !== 'read'
  return { ...answer, text: isSent ? JSON.stringify(body) : '' }
}

/**
 * Describes the result of an operation in one sentence. Only MCP answers show this sentence. Changes over REST also
 * need it, because the server stores the answer, and a retry over MCP can get the stored answer.
 */
const summaryOf = ({ binding, operation }: Call, result: Result) =>
  binding === 'mcp' || operation.effect !== 'read' ? operation.summary(result) : ''

/** Makes the caching headers of an answer over REST. Callers must not cache the answers of MCP tools. */
function cacheHeaders(
  { binding, operation: { cache }, deployment = standalone }: Call,
  result: Result,
): Record<string, string> {
  if (!cache || binding === 'mcp') return noStore
  return {
    'cache-control': `public, max-age=${cache.seconds}`,
    etag: etagOf(cache.identity(result)),
    vary: deployment.agentHeaders.join(', '),
  }
}

const etagOf = (identity: unknown) => `W/"${hash('sha256', JSON.stringify(identity), 'base64url').slice(0, 22)}"`
