import { type Answer, type Asking, callFromPage } from '../../pipeline/call-from-page.ts'
import { newAssistedVisit } from '../../pipeline/visitor.ts'
import type { Exchange, Operation } from '../../protocol/operation.ts'
import type { Asked } from './tool.ts'

/** Calls an operation for whoever lets the assistant act; else for somebody of whom nobody knows yet who that is. */
export const ask = <T extends Exchange>(
  operation: Operation<T>,
  input: T['input'],
  { assistant, ...asked }: Asked,
  more: Pick<Asking, 'sentForm' | 'headers'> = {},
): Promise<Answer<T['output']>> =>
  assistant
    ? callFromPage(operation, input, { ...more, binding: 'assistant', assistant, peer: asked.peer }, asked.means)
    : askAsVisitor(operation, input, asked)

/** Whoever looks for something has nothing yet that could be theirs: so a secret is not made for each. */
export const READER = newAssistedVisit()

/** The same for whoever is given the secret of the visit. */
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
