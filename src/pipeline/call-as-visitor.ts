import type { Peer } from '../protocol/caller.ts'
import type { Operation, OperationTypes, Submission } from '../protocol/operation.ts'
import { type Answer, callFromPage } from './call-from-page.ts'
import type { CallDependencies } from './dispatch.ts'

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
  means: CallDependencies,
): Promise<Answer<T['output']>> =>
  callFromPage(operation, input, { ...visit, ...(sentForm !== undefined && { sentForm }) }, means)
