import { type Answer, callFromPage } from '../../pipeline/call-from-page.ts'
import { newAssistedVisit } from '../../pipeline/visitor.ts'
import type { Exchange, Operation } from '../../protocol/operation.ts'
import type { Asked } from './tool.ts'

/** Calls an operation for somebody who talks to an assistant: nobody knows yet who that is. */
export const ask = <T extends Exchange>(
  operation: Operation<T>,
  input: T['input'],
  { peer, means }: Asked,
  visitor = newAssistedVisit(),
): Promise<Answer<T['output']>> => callFromPage(operation, input, { binding: 'assistant', visitor, peer }, means)
