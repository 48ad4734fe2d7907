import { refuseGuessing } from '../core/limits/failed-attempts.ts'
import { networkOf } from '../infra/net/addresses.ts'
import type { Call } from '../protocol/operation.ts'
import { type CountingMeans, countCall, familyOf } from './check-rate.ts'

/**
 * Before anything is read or fetched for a call: where nobody is asked who is calling, the address is counted. Elsewhere
 * it is turned away while it guesses; what is counted there is whoever is proven, later on.
 */
export async function checkAddress(call: Call, means: CountingMeans): Promise<void> {
  const { address } = call.peer
  if (call.operation.access !== 'public') return refuseGuessing(means, address, means.clock())
  Object.assign(call.answerHeaders, await countCall(means, familyOf(call), networkOf(address)))
}
