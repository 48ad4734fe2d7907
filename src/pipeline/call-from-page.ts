import type { Peer } from '../protocol/caller.ts'
import { type Envelope, messageAboutInput } from '../protocol/envelope.ts'
import { isAboutInput, ProtocolError } from '../protocol/errors.ts'
import type { Call, Operation, OperationTypes, Submission } from '../protocol/operation.ts'
import type { Message } from '../protocol/types.generated.ts'
import { checks, checksOfAssistants } from './checks.ts'
import { type CallDependencies, dispatch } from './dispatch.ts'
import { findStoredReply, fingerprintOf } from './idempotency.ts'

export type Answer<Output> = { refusal: Message } | { result: Output & Envelope; refusal?: never }

/**
 * The caller on a page or through the assistant interface. Only our own code sets it, never a request of another interface.
 */
export type PageCaller = Pick<Call, 'peer' | 'visitor' | 'assistant' | 'staff' | 'locale' | 'sentForm' | 'submission'> &
  Partial<Pick<Call, 'headers' | 'binding'>>

/** Calls an operation from one of our own pages, with the same checks, limits, prices and events as for other callers. */
export async function callFromPage<T extends OperationTypes>(
  operation: Operation<T>,
  input: T['input'],
  caller: PageCaller,
  dependencies: CallDependencies,
): Promise<Answer<T['output']>> {
  const call: Call = { binding: 'page', meta: undefined, headers: {}, answerHeaders: {}, operation, input, ...caller }
  try {
    for (const check of call.binding === 'assistant' ? checksOfAssistants : checks) await check(call, dependencies)
    // dispatch() has just validated the body against the operation's schema.
    const result = (await dispatch(call, dependencies)).body as T['output'] & Envelope
    const refusal = result.messages?.find(({ type }) => type === 'error')
    return refusal ? { refusal } : { result }
  } catch (error) {
    if (isAboutInput(error)) return { refusal: messageAboutInput(error) }
    throw error
  }
}

/** For `catch`: a missing thing gives undefined. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ProtocolError && error.code === 'not_found')) throw error
}

/** The stored answer of this submission, without making the call; undefined if the call was not made or was refused. */
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
  /** Identifies this visitor: a secret of the browser. */
  visitor: string
  peer: Peer
  /** The visitor's language, BCP 47. Notifications use it too. */
  locale?: string
  sentForm?: string | undefined
  /** The submitted form, if it must take effect only once even when it arrives several times. */
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
