import type { Config } from '../../infra/config/config.ts'
import { networkOf } from '../../infra/net/addresses.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/** Calls that may wait for each database connection, of a hundred that are worked on. */
const MOST = 40
/** Of the places that are left whoever has some already leaves so many for each: so a few networks never have all. */
const LEFT_FOR_EACH = 4
const RETRY_AFTER = 5

/**
 * Lets so many calls wait for hosts that callers named. Many may wait for one host, which takes its seconds over nothing:
 * they would fill the places of all that is worked on at once, and others would be turned away.
 */
export function limitWaitingCalls({ databasePool }: Pick<Config, 'databasePool'>) {
  const waiting = new Map<string, number>()
  let left = MOST * databasePool
  return async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    const network = networkOf(address)
    const count = waiting.get(network) ?? 0
    if (left <= 0) throw refused('service_unavailable')
    if (left <= LEFT_FOR_EACH * count) throw refused('rate_limited', 'of your address ')
    waiting.set(network, count + 1)
    left--
    try {
      return await work()
    } finally {
      left++
      const others = (waiting.get(network) ?? 1) - 1
      if (others > 0) waiting.set(network, others)
      else waiting.delete(network)
    }
  }
}

const refused = (code: 'rate_limited' | 'service_unavailable', whose = '') =>
  new ProtocolError(code, `Too many calls ${whose}wait for hosts that callers named. Try again shortly.`, {
    retryAfter: RETRY_AFTER,
  })
