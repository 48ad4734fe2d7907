import { setTimeout } from 'node:timers/promises'
import { type Answer, callFromPage } from '../../pipeline/call-from-page.ts'
import type { CallDependencies } from '../../pipeline/dispatch.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Operation, OperationTypes } from '../../protocol/operation.ts'

/** The person who runs the server has the rights of an owner. */
const OPERATOR = { peer: { address: '127.0.0.1' }, staff: { id: 'operator', role: 'owner' } } as const

const MAX_ATTEMPTS = 20

/** A running server has priority: if it postpones a call, the import waits and retries. Earlier imported rows stay. */
export async function callDeskWithRetry<T extends OperationTypes>(
  operation: Operation<T>,
  input: T['input'],
  dependencies: CallDependencies,
): Promise<Answer<T['output']>> {
  for (let attempt = 1; ; attempt++)
    try {
      return await callFromPage(operation, input, OPERATOR, dependencies)
    } catch (error) {
      const seconds = error instanceof ProtocolError ? error.details.retryAfter : undefined
      if (seconds === undefined || attempt === MAX_ATTEMPTS) throw error
      await setTimeout(seconds * 1000)
    }
}
