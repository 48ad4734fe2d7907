import type { Peer } from '../protocol/caller.ts'
import type { Exchange, Operation, Submission } from '../protocol/operation.ts'
import { type Answer, callFromPage } from './call-from-page.ts'
import type { CallMeans } from './dispatch.ts'

/** For whom a page asks. */
export interface Visit {
  /** What tells this visitor apart from others. */
  visitor: string
  peer: Peer
  /** The language that they are spoken to in, BCP 47: mails speak it too. */
  locale?: string
  /** Digest of the form that they sent. */
  sentForm?: string | undefined
  /** The form that caused the call, if it takes effect once however often it arrives. */
  submission?: Submission
  /** A page, where it is left out. */
  binding?: 'assistant'
}

/** Calls an operation for somebody who books in a browser. */
export const callAsVisitor = <T extends Exchange>(
  operation: Operation<T>,
  input: T['input'],
  { sentForm, ...visit }: Visit,
  means: CallMeans,
): Promise<Answer<T['output']>> =>
  callFromPage(operation, input, { ...visit, ...(sentForm !== undefined && { sentForm }) }, means)
