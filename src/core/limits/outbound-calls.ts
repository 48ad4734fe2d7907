import { networkOf } from '../../infra/net/addresses.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/** Concurrent calls for one network. A host that never answers occupies one for seconds. */
const AT_ONCE = 16
const RETRY_AFTER = 5

const underway = new Map<string, number>()

/** Limits the concurrent calls to other hosts for the caller's network. */
export async function limitOutboundCalls<T>(address: string, work: () => Promise<T>): Promise<T> {
  const network = networkOf(address)
  const count = underway.get(network) ?? 0
  if (count >= AT_ONCE)
    throw new ProtocolError(
      'rate_limited',
      `${AT_ONCE} hosts that your address named are being called. Wait for them.`,
      {
        retryAfter: RETRY_AFTER,
      },
    )
  underway.set(network, count + 1)
  try {
    return await work()
  } finally {
    const left = (underway.get(network) ?? 1) - 1
    if (left > 0) underway.set(network, left)
    else underway.delete(network)
  }
}
