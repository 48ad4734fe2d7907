import { type Answer, type Asking, callFromPage } from '../../pipeline/call-from-page.ts'
import { newAssistedVisit } from '../../pipeline/visitor.ts'
import type { Exchange, Operation } from '../../protocol/operation.ts'
import type { Asked } from './tool.ts'

/** Calls an operation as the account that signed in, or else as an anonymous visitor. */
export const ask = <T extends Exchange>(
  operation: Operation<T>,
  input: T['input'],
  { assistant, ...asked }: Asked,
  more: Pick<Asking, 'sentForm' | 'headers'> = {},
): Promise<Answer<T['output']>> =>
  assistant
    ? callFromPage(operation, input, { ...more, binding: 'assistant', assistant, peer: asked.peer }, asked.means)
    : askAsVisitor(operation, input, asked)

/** Read operations own nothing, so all of them share one visit secret. */
export const READER = newAssistedVisit()

/** Calls an operation as the visitor with this visit secret. A write without a secret gets a new one. */
export const askAsVisitor = <T extends Exchange>(
  operation: Operation<T>,
  input: T['input'],
  { peer, means }: Pick<Asked, 'peer' | 'means'>,
  {
    visitor = operation.effect === 'read' ? READER : newAssistedVisit(),
    ...visit
  }: Pick<Asking, 'visitor' | 'locale' | 'headers'> = {},
): Promise<Answer<T['output']>> =>
  callFromPage(operation, input, { ...visit, binding: 'assistant', visitor, peer }, means)
