import type { Config } from '../config/config.ts'
import { networkOf } from '../net/addresses.ts'
import { ProtocolError } from '../protocol/errors.ts'

/** Calls for each database connection, of a hundred that are worked on: those of one address that may wait, and all together. */
const MOST = { ofOne: 20, all: 40 }
const RETRY_AFTER = 5

/**
 * Lets so many calls wait for hosts that callers named. Many may wait for one host, which takes its seconds over nothing:
 * they would fill the places of all that is worked on at once, and others would be turned away.
 */
export function limitWaitingCalls({ databasePool }: Pick<Config, 'databasePool'>) {
  const waiting = new Map<string, number>()
  let all = 0
  return async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    const network = networkOf(address)
    const count = waiting.get(network) ?? 0
    if (count >= MOST.ofOne * databasePool) throw refused('rate_limited', 'of your address ')
    if (all >= MOST.all * databasePool) throw refused('service_unavailable')
    waiting.set(network, count + 1)
    all++
    try {
      return await work()
    } finally {
      all--
      const left = (waiting.get(network) ?? 1) - 1
      if (left > 0) waiting.set(network, left)
      else waiting.delete(network)
    }
  }
}

const refused = (code: 'rate_limited' | 'service_unavailable', whose = '') =>
  new ProtocolError(code, `Too many calls ${whose}wait for hosts that callers named. Try again shortly.`, {
    retryAfter: RETRY_AFTER,
  })
