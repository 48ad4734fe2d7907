import { refuseGuessing } from '../core/limits/failed-attempts.ts'
import { networkOf } from '../infra/net/addresses.ts'
import type { Call } from '../protocol/operation.ts'
import { type CountingDependencies, countCall, familyOf } from './check-rate.ts'

/**
 * Runs before the server reads or fetches anything for a call. For public operations it counts the call against the
 * caller's address. For other operations it refuses addresses that failed to authenticate too often; checkRate later counts
 * the authenticated caller.
 */
export async function checkAddress(call: Call, dependencies: CountingDependencies): Promise<void> {
  const { address } = call.peer
  if (call.operation.access !== 'public') return refuseGuessing(dependencies, address, dependencies.clock())
  Object.assign(call.answerHeaders, await countCall(dependencies, familyOf(call), networkOf(address)))
}
