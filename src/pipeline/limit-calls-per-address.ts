import { refuseGuessing } from '../core/limits/failed-authentication-limit.ts'
import { networkOf } from '../infra/net/ip-addresses.ts'
import type { Call } from '../protocol/define-operation.ts'
import { type CountingDependencies, countCall, familyOf } from './limit-calls-per-caller.ts'

/**
 * Limits the calls from one IP address, before any other check. Calls of public operations count against a limit of the
 * caller's IP address range. For other operations, the check refuses an address after too many failed authentications.
 */
export async function checkAddress(call: Call, dependencies: CountingDependencies): Promise<void> {
  const { address } = call.peer
  if (call.operation.access !== 'public') return refuseGuessing(dependencies, address, dependencies.clock())
  Object.assign(call.answerHeaders, await countCall(dependencies, familyOf(call), networkOf(address)))
}
