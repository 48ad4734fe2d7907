import type { Config } from '../../infra/config/config.ts'
import { networkOf } from '../../infra/net/addresses.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/** Waiting calls for each database connection. The server works on a hundred calls for each connection. */
const MAX_WAITING_PER_CONNECTION = 40
/** A network must leave this number of free places for each of its waiting calls. A few networks never have all places. */
const RESERVED_PER_CALL = 4

/**
 * Limits the calls that wait for hosts that callers named. Many calls may wait for one slow host. Without a limit they
 * would use all places of the server's concurrency limit, and it would refuse other calls.
 */
export function limitWaitingCalls({ databasePool }: Pick<Config, 'databasePool'>) {
  const waiting = new Map<string, number>()
  let left = MAX_WAITING_PER_CONNECTION * databasePool
  return async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    const network = networkOf(address)
    const count = waiting.get(network) ?? 0
    if (left <= 0) throw refused('service_unavailable')
    if (left <= RESERVED_PER_CALL * count) throw refused('rate_limited', 'from your address ')
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
  new ProtocolError(code, `Too many calls ${whose}are waiting for hosts that callers named. Try again shortly.`, {
    retryAfter: RETRY_AFTER_SECONDS,
  })
