import { setTimeout } from 'node:timers/promises'
import { type Answer, callFromPage } from '../../pipeline/call-operation-from-page.ts'
import type { CallDependencies } from '../../pipeline/dispatch-operation.ts'
import type { Operation, OperationTypes } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/**
 * The import has the rights of a business owner, because the person who runs the import command also runs the server.
 */
const OPERATOR = { peer: { address: '127.0.0.1' }, staff: { id: 'operator', role: 'owner' } } as const

const MAX_ATTEMPTS = 20

/**
 * Calls a desk operation (an operation for the staff) for the import. If the server is too busy, the import waits and
 * tries again. If all attempts fail, the already imported rows stay.
 */
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
