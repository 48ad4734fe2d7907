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
 * The parts of a call from a page or from the assistant interface that identify the caller. Only code of this server
 * sets these parts, so a request over REST or MCP cannot pretend to come from a page visitor.
 */
export type PageCaller = Pick<Call, 'peer' | 'visitor' | 'assistant' | 'staff' | 'locale' | 'sentForm' | 'submission'> &
  Partial<Pick<Call, 'headers' | 'binding'>>

/**
 * Calls an operation from a page of this server. The call has the same checks, limits, prices and events as a call over
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
    // This cast is safe. `dispatch` has already validated the body against the output schema of the operation.
    const result = (await dispatch(call, dependencies)).body as T['output'] & Envelope
    const refusal = result.messages?.find(({ type }) => type === 'error')
    return refusal ? { refusal } : { result }
  } catch (error) {
    if (isAboutInput(error)) return { refusal: messageOf(error) }
    throw error
  }
}

/**
 * An error handler for `.catch()`. It returns undefined if the error has the code `not_found`, and rethrows all other
 * errors.
 */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ProtocolError && error.code === 'not_found')) throw error
}

/**
 * Finds the stored answer to an earlier submission of the same form, without calling the operation. Returns undefined
 * if no answer is stored, or if the business refused the earlier submission.
 */
export async function findStoredAnswer<T extends OperationTypes>(
  operation: Operation<T>,
  principal: string,
  submission: Submission,
  { db, replyKey: boxKey, clock }: Pick<CallDependencies, 'db' | 'replyKey' | 'clock'>,
): Promise<T['output'] | undefined> {
  const fingerprint = fingerprintOf({ operation, input: {}, submission }, boxKey)
  const identity = { principal, publisher: null, fingerprint }
  const stored = await findStoredReply(db, identity, { key: submission.key, boxKey, now: clock() })
  return stored && JSON.parse(stored.text)
}

export interface Visit {
  /** The secret that identifies one visitor of the booking pages. */
  visitor: string
  peer: Peer
  /** The language of the visitor (BCP 47). Mails to the visitor use this language. */
  locale?: string
  sentForm?: string | undefined
  /** The submitted form. Set if the form must take effect only once, even if the browser sends it several times. */
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
