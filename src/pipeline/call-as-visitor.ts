import type { Peer } from '../protocol/caller.ts'
import type { Envelope } from '../protocol/envelope.ts'
import { errors, ProtocolError } from '../protocol/errors.ts'
import type { Call, Exchange, Operation } from '../protocol/operation.ts'
import type { Message } from '../protocol/types.generated.ts'
import { checks } from './checks.ts'
import { type CallMeans, dispatch } from './dispatch.ts'

/** For whom a page asks. */
export interface Visit {
  /** What tells this visitor apart from others. */
  visitor: string
  peer: Peer
  /** The language that they are spoken to in, BCP 47: mails speak it too. */
  locale?: string
  /** Digest of the form that they sent. */
  sentForm?: string | undefined
}

/** What the business answered: its yes, or why not. */
export type Answer<Output> = { refusal: Message } | { result: Output & Envelope; refusal?: never }

/** Calls an operation from one of our own pages: the same checks, limits, prices and events as for everybody else. */
export async function callAsVisitor<T extends Exchange>(
  operation: Operation<T>,
  input: T['input'],
  { visitor, peer, locale, sentForm }: Visit,
  means: CallMeans,
): Promise<Answer<T['output']>> {
  const call: Call = {
    ...{ binding: 'page', meta: undefined, headers: {}, answerHeaders: {} },
    ...{ operation, input, visitor, peer, ...(locale !== undefined && { locale }) },
    ...(sentForm !== undefined && { sentForm }),
  }
  try {
    for (const check of checks) await check(call, means)
  } catch (error) {
    if (error instanceof ProtocolError && error.code === 'validation_error') return { refusal: told(error) }
    throw error
  }
  // It was held against the operation's own schema a moment ago.
  const result = (await dispatch(call, means)).body as T['output'] & Envelope
  const refusal = result.messages?.find(({ type }) => type === 'error')
  return refusal ? { refusal } : { result }
}

/** What a schema refuses is mended in the form that it was written in, as what the business refuses is. */
const told = ({ code, message, details }: ProtocolError): Message => ({
  ...{ type: 'error', code, content: message, severity: errors.validation_error.severity },
  ...(details.errors?.[0] && { path: `$.${details.errors[0].field}` }),
})
