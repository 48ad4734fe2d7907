import { refuseGuessing } from '../core/limits/failed-attempts.ts'
import { networkOf } from '../infra/net/addresses.ts'
import type { Call } from '../protocol/operation.ts'
import { type CountingDependencies, countCall, familyOf } from './check-rate.ts'

/**
 * Limits the calls of one address, before the server reads or fetches anything. A call of a public operation counts for
 * the address. For other operations, the check refuses addresses that failed to authenticate too often. `checkRate`
 * later counts the authenticated caller.
 */
export async function checkAddress(call: Call, dependencies: CountingDependencies): Promise<void> {
  const { address } = call.peer
  if (call.operation.access !== 'public') return refuseGuessing(dependencies, address, dependencies.clock())
  Object.assign(call.answerHeaders, await countCall(dependencies, familyOf(call), networkOf(address)))
}
