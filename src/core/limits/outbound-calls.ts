import { networkOf } from '../../infra/net/addresses.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/** Concurrent calls for one network. A host that never answers occupies one for seconds. */
const MAX_CONCURRENT = 16
const RETRY_AFTER_SECONDS = 5

const callsByNetwork = new Map<string, number>()

/** Limits the concurrent calls to other hosts for the caller's network. */
export async function limitOutboundCalls<T>(address: string, work: () => Promise<T>): Promise<T> {
  const network = networkOf(address)
  const count = callsByNetwork.get(network) ?? 0
  if (count >= MAX_CONCURRENT)
    throw new ProtocolError(
      'rate_limited',
      `The server is calling ${MAX_CONCURRENT} hosts that your address named. Wait until these calls have ended.`,
      {
        retryAfter: RETRY_AFTER_SECONDS,
      },
    )
  callsByNetwork.set(network, count + 1)
  try {
    return await work()
  } finally {
    const left = (callsByNetwork.get(network) ?? 1) - 1
    if (left > 0) callsByNetwork.set(network, left)
    else callsByNetwork.delete(network)
  }
}
