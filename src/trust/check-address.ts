import type { Call } from '../protocol/operation.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from './addresses.ts'
import { countCall, familyOf } from './check-rate.ts'
import { refuseGuessing } from './failed-attempts.ts'

/**
 * Before anything is read or fetched for a call: where nobody is asked who is calling, the address is counted. Elsewhere
 * it is turned away while it guesses; what is counted there is whoever is proven, later on.
 */
export async function checkAddress(call: Call, runtime: Runtime): Promise<void> {
  const { address } = call.peer
  if (call.operation.access !== 'public') return refuseGuessing(runtime, address, runtime.clock())
  Object.assign(call.answerHeaders, await countCall(runtime, familyOf(call), networkOf(address)))
}
