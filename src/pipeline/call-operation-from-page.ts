import type { Peer } from '../protocol/caller-types.ts'
import type { Call, Operation, OperationTypes, Submission } from '../protocol/define-operation.ts'
import { isAboutInput, ProtocolError } from '../protocol/errors.ts'
import { type Envelope, messageOf } from '../protocol/response-envelope.ts'
import type { Message } from '../protocol/types.generated.ts'
import { checks, checksOfAssistants } from './checks-in-order.ts'
import { type CallDependencies, dispatch } from './dispatch-operation.ts'
import { findStoredReply, fingerprintOf } from './idempotency.ts'

export type Answer<Output> = { refusal: Message } | { result: Output & Envelope; refusal?: never }

/**
 * The parts of a call from a page or from the assistant interface that identify the caller. Only code of the server
 * sets these parts. Otherwise, a request over REST or MCP could pretend to come from a visitor of the pages.
 */
export type PageCaller = Pick<Call, 'peer' | 'visitor' | 'assistant' | 'staff' | 'locale' | 'sentForm' | 'submission'> &
  Partial<Pick<Call, 'headers' | 'binding'>>

/**
 * Calls an operation from a page of this server. The same checks, limits, prices and events apply as for a call over
 * REST or MCP.
 */
export async function callFromPage<T extends OperationTypes>(
  operation: Operation<T>,
  input: T['input'],
  caller: PageCaller,
  dependencies: CallDependencies,
): Promise<Answer<T['output']>> {
  const call: Call = { binding: 'page', meta: undefined, headers: {}, answerHeaders: {}, operation, input, ...caller }
  try {
    for (const check of call.binding === 'assistant' ? checksOfAssistants : checks) await check(call, dependencies)
    // This cast is safe, because `dispatch` has validated the body against the output schema of the operation.
    const result = (await dispatch(call, dependencies)).body as T['output'] & Envelope
    const refusal = result.messages?.find(({ type }) => type === 'error')
    return refusal ? { refusal } : { result }
  } catch (error) {
    if (isAboutInput(error)) return { refusal: messageOf(error) }
    throw error
  }
}

/**
 * An error handler for `.catch()`. If the object was not found, the handler returns undefined. It rethrows all other
 * errors.
 */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ProtocolError && error.code === 'not_found')) throw error
}

/**
 * Looks up the stored answer to an earlier submission of the same form, without calling the operation. Returns
 * undefined if there is none, or if the business refused the submission.
 */
export async function findStoredAnswer<T extends OperationTypes>(
  operation: Operation<T>,
  principal: string,
  submission: Submission,
  { db, replyKey: boxKey, clock }: Pick<CallDependencies, 'db' | 'replyKey' | 'clock'>,
): Promise<T['output'] | undefined> {
  const fingerprint = fingerprintOf({ operation, input: {}, submission })
  const identity = { principal, publisher: null, fingerprint }
  const stored = await findStoredReply(db, identity, { key: submission.key, boxKey, now: clock() })
  return stored && JSON.parse(stored.text)
}

export interface Visit {
  /** The secret that identifies one visitor of the booking pages. */
  visitor: string
  peer: Peer
  /** The language of the visitor (BCP 47). Notifications to the visitor use this language. */
  locale?: string
  sentForm?: string | undefined
  /**
   * The submitted form. Callers set it if the form must take effect only once, even if the browser sends the form
   * several times.
   */
  submission?: Submission
  binding?: 'assistant'
}

export const callAsVisitor = <T extends OperationTypes>(
  operation: Operation<T>,
  input: T['input'],
  { sentForm, ...visit }: Visit,
  dependencies: CallDependencies,
): Promise<Answer<T['output']>> =>
  callFromPage(operation, input, { ...visit, ...(sentForm !== undefined && { sentForm }) }, dependencies)
