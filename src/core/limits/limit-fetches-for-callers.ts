import type { Config } from '../../infra/config/read-config.ts'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { countFetchFor, fetchBudget } from './fetch-limit-per-host.ts'

/**
 * Limits how often the server fetches documents at URLs that callers choose. Each IP address range has a limit, and all
 * callers together have another limit.
 */
export interface CallerFetchLimits {
  /**
   * Counts one document fetch for the IP address range of the caller, then runs `work`. The function `work` gets the
   * number of earlier fetches for this range in this minute.
   */
  counted<T>(address: string, work: (earlierFetches: number) => Promise<T>): Promise<T>
  /** Runs a fetch while a call waits for the result. Throws an error if too many calls already wait for fetches. */
  awaited<T>(address: string, work: () => Promise<T>): Promise<T>
  spend(url: string, earlierFetches: number): Promise<void>
}

export function callerFetchLimits({
  config,
  clock,
  ...dependencies
}: Dependencies<'config' | 'clock' | 'db' | 'business' | 'limits'>): CallerFetchLimits {
  const budget = fetchBudget(dependencies)
  return {
    counted: (address, work) =>
      limitOutboundCalls(address, async () => work(await countFetchFor(address, dependencies, clock()))),
    awaited: limitWaitingCalls(config),
    spend: (url, earlierFetches) => budget.spend(url, earlierFetches, clock()),
  }
}

/**
 * The maximum number of calls to other hosts that the callers in one IP address range can cause at the same time. A
 * host that does not answer occupies one of these calls for seconds.
 */
const MAX_CONCURRENT = 16
const RETRY_AFTER_SECONDS = 5

const callsByNetwork = new Map<string, number>()

/**
 * Runs work that calls another host. Throws an error if too many of these calls for the same IP address range are in
 * progress.
 */
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

/**
 * The maximum number of calls that may wait for other hosts, for each database connection. For comparison, the server
 * accepts at most a hundred calls per connection.
 */
const MAX_WAITING_PER_CONNECTION = 40
/**
 * For each waiting call of an IP address range, this number of waiting slots must stay free for other ranges. Therefore
 * a few ranges cannot use all slots.
 */
const RESERVED_PER_CALL = 4

/**
 * Limits the number of calls that wait for other hosts, whose URLs callers chose. Without this limit, slow hosts could
 * occupy all slots for calls, and the server would have to refuse other calls.
 */
function limitWaitingCalls({ databasePool }: Pick<Config, 'databasePool'>) {
  const waiting = new Map<string, number>()
  let freePlaces = MAX_WAITING_PER_CONNECTION * databasePool
  return async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    const network = networkOf(address)
    const count = waiting.get(network) ?? 0
    if (freePlaces <= 0) throw refused('service_unavailable')
    if (freePlaces <= RESERVED_PER_CALL * count) throw refused('rate_limited', 'from your address ')
    waiting.set(network, count + 1)
    freePlaces--
    try {
      return await work()
    } finally {
      freePlaces++
      const stillWaiting = (waiting.get(network) ?? 1) - 1
      if (stillWaiting > 0) waiting.set(network, stillWaiting)
      else waiting.delete(network)
    }
  }
}

const refused = (code: 'rate_limited' | 'service_unavailable', qualifier = '') =>
  new ProtocolError(code, `Too many calls ${qualifier}are waiting for hosts that callers named. Try again shortly.`, {
    retryAfter: RETRY_AFTER_SECONDS,
  })
