import type { Database } from '../infra/db/database.ts'
import { ConcurrencyTimeoutError, isUnreachable } from '../infra/db/database-failures.ts'
import type { UnitOfWork } from '../infra/db/unit-of-work.ts'
import type { Metrics } from '../infra/telemetry/metrics.ts'
import { tracedDetail, tracing } from '../infra/telemetry/tracing.ts'
import { asRecord } from '../infra/util/object-members.ts'
import { withTimeout } from '../infra/util/with-timeout.ts'
import type { Caller } from '../protocol/caller-types.ts'
import {
  type Call,
  type ChangeOperation,
  type Context,
  type ReadOperation,
  UNSETTLED,
} from '../protocol/define-operation.ts'
import type { CurrentBusiness, Dependencies } from '../protocol/dependency-types.ts'
import { BusinessRefusal, ProtocolError } from '../protocol/errors.ts'
import { preconditionOf } from '../protocol/expected-revision.ts'
import { isErrorAnswer } from '../protocol/response-envelope.ts'
import { answered, noStore, REPLAYED, type Reply, refused } from './build-reply.ts'
import type { CheckDependencies } from './checks-in-order.ts'
import {
  findStoredReply,
  fingerprintOf,
  IdempotencyKeyTakenError,
  idempotencyKey,
  requestIdentityOf,
  storeReply,
} from './idempotency.ts'

export type DispatchDependencies = Dependencies<
  'db' | 'readAtStandby' | 'makeChange' | 'clock' | 'business' | 'config' | 'cursors' | 'tag' | 'replyKey' | 'log'
> & {
  /** Services that only some operations need. Each of these operations names its services in its type. */
  services: object
  metrics: Pick<Metrics, 'outcomes'>
}

export type CallDependencies = CheckDependencies & DispatchDependencies

/** Runs the operation of a call that has passed all checks. Returns the result, or the refusal of the business. */
export async function dispatch(call: Call, dependencies: DispatchDependencies): Promise<Reply> {
  const { binding, operation } = call
  // A request over REST or MCP already has a tracing span, and calls only one operation. A page or an assistant can
  // call several operations, so each of these operations gets its own tracing span.
  if (binding === 'rest' || binding === 'mcp') return counted(call, dependencies)
  const step = () => ({ name: operation.id, attributes: { 'usp.binding': binding } })
  return tracedDetail(step, () => counted(call, dependencies))
}

async function counted(call: Call, dependencies: DispatchDependencies): Promise<Reply> {
  const { id } = call.operation
  const reply = await answerTo(call, dependencies)
  const outcome = outcomeOf(reply)
  dependencies.metrics.outcomes.inc({ operation: id, outcome })
  tracing()?.note({ 'usp.operation': id, 'usp.outcome': outcome })
  return reply
}

/**
 * Returns the outcome of a call, as a label for the metrics. A stored answer has its own label, because the first call
 * already counts in the metrics.
 */
function outcomeOf({ body, headers }: Reply): string {
  const { messages = [] } = body
  if (headers[REPLAYED]) return 'repeated'
  return isErrorAnswer(body) ? (messages.find(({ type }) => type === 'error')?.code ?? 'error') : 'done'
}

async function answerTo(call: Call, dependencies: DispatchDependencies): Promise<Reply> {
  const { operation, agent } = call
  if (agent && !agent.agreed.has(operation.capability))
    return refused(
      call,
      new BusinessRefusal('capabilities_incompatible', `The platform profile does not offer ${operation.capability}.`),
    )
  return operation.effect === 'read' ? read(call, operation, dependencies) : change(call, operation, dependencies)
}

const STORED_REPLY_TIMEOUT_MS = 500

/**
 * Runs an operation that changes data. If the business refuses the call, PostgreSQL rolls back all changes, and the
 * server stores only the refusal.
 */
async function change(call: Call, operation: ChangeOperation, server: DispatchDependencies): Promise<Reply> {
  const key = idempotencyKey(call)
  const dependencies = { ...server, business: await withFixedDefinition(server.business) }
  // `prepare` can call other hosts, so it runs before the transaction. It does not run if the call already has a stored
  // answer.
  const isAsked = operation.prepare && key !== undefined
  const first = isAsked && (await findReplay(call, dependencies, key))
  if (first) return first
  const { makeChange, log } = dependencies
  const outside = () => ({ ...contextOf(call, dependencies, dependencies.db), makeChange, log })
  try {
    const prepared = await operation.prepare?.(outside())
    const reply = await runAndStoreReply(call, dependencies, key, async (tx) => {
      const result = await operation.handle({ ...contextOf(call, dependencies, tx), db: tx }, prepared)
      const isSettled = !result[UNSETTLED]
      return { reply: answered(call, result), people: operation.people?.(result) ?? [], isSettled }
    })
    await operation
      .afterwards?.(outside())
      .catch((error) =>
        dependencies.log.warn(
          { err: error, operation: operation.id },
          'The work after an operation failed; the operation itself succeeded.',
        ),
      )
    return reply
  } catch (error) {
    if (isUnreachable(error)) throw error
    const reworded = error instanceof BusinessRefusal ? (operation.rewordRefusal?.(error) ?? error) : error
    const answer = replayOrRefuse(call, dependencies, key, reworded)
    // The call has already waited long for a database connection. The search for a stored answer needs a connection
    // too, so it gets a short timeout.
    return error instanceof ConcurrencyTimeoutError ? withTimeout(answer, STORED_REPLY_TIMEOUT_MS, () => error) : answer
  }
}

/**
 * Answers a call that failed. The reason can be an earlier call with the same idempotency key that has already booked
 * the slot. The server then returns the stored answer of the earlier call.
 */
async function replayOrRefuse(
  call: Call,
  dependencies: DispatchDependencies,
  key: string | undefined,
  error: unknown,
): Promise<Reply> {
  const stored = key === undefined ? undefined : await findReplay(call, dependencies, key)
  if (stored) return stored
  // An earlier call with the same idempotency key has stored its answer. The answer expired before this call read it.
  if (error instanceof IdempotencyKeyTakenError)
    throw new ProtocolError('service_unavailable', 'Try again.', { retryAfter: 1 })
  if (!(error instanceof BusinessRefusal)) throw error
  const refusal = refused(call, error)
  if (key === undefined || call.submission) return refusal
  return runAndStoreReply(call, dependencies, key, async () => ({ reply: refusal, people: [], isSettled: true })).catch(
    (later: unknown) => {
      // A parallel call with the same idempotency key was faster, and has stored its answer.
      if (later instanceof IdempotencyKeyTakenError) return replayOrRefuse(call, dependencies, key, later)
      throw later
    },
  )
}

/**
 * Finds the stored answer of an earlier call with the same idempotency key. An answer is stored when the transaction of
 * its call commits.
 */
async function findReplay(
  call: Call,
  { db, replyKey, clock }: Dependencies<'db' | 'replyKey' | 'clock'>,
  key: string,
): Promise<Reply | undefined> {
  const stored = await findStoredReply(db, requestIdentityOf(call, replyKey), { key, boxKey: replyKey, now: clock() })
  if (!stored) return undefined
  return {
    ...stored,
    body: JSON.parse(stored.text),
    headers: { ...noStore, [REPLAYED]: 'true' },
  }
}

/**
 * Commits the changes, their events and the stored answer in one transaction. If the idempotency key already has a
 * stored answer, PostgreSQL rolls back the transaction. The server does not look for a stored answer first, because
 * most calls are not retries.
 */
async function runAndStoreReply(
  call: Call,
  { makeChange, replyKey, clock }: Dependencies<'makeChange' | 'replyKey' | 'clock'>,
  key: string | undefined,
  work: (tx: UnitOfWork) => Promise<{ reply: Reply; people: readonly string[]; isSettled: boolean }>,
): Promise<Reply> {
  return makeChange(async (tx) => {
    tx.agent = call.peer.agent
    const { reply, people, isSettled } = await work(tx)
    const { status, text, summary } = reply
    const answer = { status, text, summary, people }
    if (key !== undefined && isSettled)
      storeReply(tx, requestIdentityOf(call, replyKey), answer, { key, boxKey: replyKey, now: clock() })
    return reply
  })
}

/**
 * Reads the business definition before the transaction starts. A read inside the transaction would need a second
 * database connection. Transactions that all wait for a second connection could block each other forever.
 */
async function withFixedDefinition(business: CurrentBusiness): Promise<CurrentBusiness> {
  const definition = await business.get()
  return { ...business, get: async () => definition }
}

async function read(call: Call, operation: ReadOperation, dependencies: DispatchDependencies): Promise<Reply> {
  const handle = (db: Database) => operation.handle(contextOf(call, dependencies, db))
  try {
    return answered(call, await (operation.fromStandby ? dependencies.readAtStandby(handle) : handle(dependencies.db)))
  } catch (error) {
    if (!(error instanceof BusinessRefusal)) throw error
    return refused(call, error)
  }
}

function contextOf(call: Call, dependencies: DispatchDependencies, db: Database): Context {
  const { input, caller = unauthenticated, peer, agent } = call
  const { clock, cursors, config, business, tag, replyKey, services } = dependencies
  const request = { key: () => idempotencyKey(call), fingerprint: () => fingerprintOf(call, replyKey) }
  const given = { input: asRecord(input), caller, peer, agent, ifMatch: preconditionOf(call), request }
  return { ...services, ...given, db, now: clock(), cursors, config, business, tag }
}

const unauthenticated: Caller = { principal: '', mechanism: '', profile: '', identities: [], credentials: false }
