import type { Config } from '../../infra/config/config.ts'
import { networkOf } from '../../infra/net/addresses.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { countFetchFor, fetchBudget } from './fetch-budget.ts'

/** Limits the fetches that callers cause, for one network and for all together. */
export interface CallerFetchLimits {
  /**
   * Counts the fetch for the caller's network, then runs the work. `earlierFetches` is their number in this minute.
   */
  counted<T>(address: string, work: (earlierFetches: number) => Promise<T>): Promise<T>
  /** Runs the work while the call waits for it. Limits the number of waiting calls. */
  awaited<T>(address: string, work: () => Promise<T>): Promise<T>
  spend(url: string, earlierFetches: number): Promise<void>
}

export function callerFetchLimits({
  config,
  clock,
  ...dependencies
}: Dependencies<'config' | 'clock' | 'db' | 'business' | 'limits'>): CallerFetchLimits {
  const budget = fetchBudget(dependencies.db)
  return {
    counted: (address, work) =>
      limitOutboundCalls(address, async () => work(await countFetchFor(address, dependencies, clock()))),
    awaited: limitWaitingCalls(config),
    spend: (url, earlierFetches) => budget.spend(url, earlierFetches, clock()),
  }
}

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

/** Waiting calls for each database connection. The server works on a hundred calls for each connection. */
const MAX_WAITING_PER_CONNECTION = 40
/** A network must leave this number of free places for each of its waiting calls. A few networks never have all places. */
const RESERVED_PER_CALL = 4

/**
 * Limits the calls that wait for hosts that callers named. Many calls may wait for one slow host. Without a limit they
 * would use all places of the server's concurrency limit, and it would refuse other calls.
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
