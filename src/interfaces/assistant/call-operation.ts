import { type Answer, callFromPage, type PageCaller } from '../../pipeline/call-from-page.ts'
import { newAssistedVisit } from '../../pipeline/visitor.ts'
import type { Operation, OperationTypes } from '../../protocol/operation.ts'
import type { ToolContext } from './tool.ts'

/** Calls an operation as the account that signed in, or else as an anonymous visitor. */
export const callOperation = <T extends OperationTypes>(
  operation: Operation<T>,
  input: T['input'],
  { assistant, ...asked }: ToolContext,
  more: Pick<PageCaller, 'sentForm' | 'headers'> = {},
): Promise<Answer<T['output']>> =>
  assistant
    ? callFromPage(operation, input, { ...more, binding: 'assistant', assistant, peer: asked.peer }, asked.means)
    : callAsAssistedVisitor(operation, input, asked)

/** Read operations own nothing, so all of them share one visit secret. */
export const SHARED_READER_VISIT = newAssistedVisit()

/** Calls an operation as the visitor with this visit secret. A write without a secret gets a new one. */
export const callAsAssistedVisitor = <T extends OperationTypes>(
  operation: Operation<T>,
  input: T['input'],
  { peer, means }: Pick<ToolContext, 'peer' | 'means'>,
  {
    visitor = operation.effect === 'read' ? SHARED_READER_VISIT : newAssistedVisit(),
    ...visit
  }: Pick<PageCaller, 'visitor' | 'locale' | 'headers'> = {},
): Promise<Answer<T['output']>> =>
  callFromPage(operation, input, { ...visit, binding: 'assistant', visitor, peer }, means)
