import { hash } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import { contractOf } from './contract.ts'
import { type Envelope, refusal, success } from './envelope.ts'
import { Outcome } from './errors.ts'
import { type Call, type Result, successStatus } from './operation.ts'

export interface Reply {
  status: number
  body: Envelope
  /** The result in words. */
  summary: string
  headers: Record<string, string>
}

/** Runs a call that has passed the checks, and answers with what the business says: yes, or no and why. */
export async function dispatch(call: Call, runtime: Runtime): Promise<Reply> {
  const { operation } = call
  try {
    const { db, clock, cursors, config } = runtime
    const result = await operation.handle({ input: Object(call.input), db, now: clock(), cursors, config })
    return checked(call, {
      status: successStatus(operation),
      body: success(operation, result),
      summary: operation.summary(result),
      headers: cacheHeaders(call, result),
    })
  } catch (error) {
    if (!(error instanceof Outcome)) throw error
    return checked(call, {
      status: 200,
      body: refusal(operation, error),
      summary: error.message,
      headers: { 'cache-control': 'no-store' },
    })
  }
}

/** An answer that its own schema refuses is a fault of ours and must not reach anyone. */
function checked({ operation }: Call, reply: Reply): Reply {
  const { answer } = contractOf(operation)
  if (!answer(reply.body))
    throw new Error(`${operation.id} answers against its schema: ${JSON.stringify(answer.errors)}`)
  return reply
}

function cacheHeaders({ operation: { cache } }: Call, result: Result): Record<string, string> {
  if (!cache) return { 'cache-control': 'no-store' }
  return { 'cache-control': `public, max-age=${cache.seconds}`, etag: etagOf(cache.identity(result)) }
}

const etagOf = (identity: unknown) => `W/"${hash('sha256', JSON.stringify(identity), 'base64url').slice(0, 22)}"`
