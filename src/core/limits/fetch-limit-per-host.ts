import { LRUCache } from 'lru-cache'
import type { Database } from '../../infra/db/database.ts'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { countInMinute, rateLimitError } from './rate-limits.ts'

/**
 * The maximum number of documents that all servers together fetch from one host in a minute. Without this limit,
 * callers could use this server to flood a host with requests.
 */
const MAX_PER_HOST_AND_MINUTE = 240
/**
 * The maximum number of documents that this server fetches in a minute, from all hosts and for all callers together.
 */
const MAX_PER_MINUTE = 1_000
/**
 * A busy IP address range must leave a part of the fetch limit to other ranges. This part is the range's number of
 * fetches in this minute times the factor, but at most half of the limit. Therefore busy ranges cannot block the first
 * fetch of another range.
 */
const RESERVE_FACTORS = { ofHost: 2, ofAll: 10 }
const RETRY_AFTER_SECONDS = 30

/**
 * Counts a document fetch for the IP address range of the caller, on all servers together. Throws an error if the range
 * is over its limit. Returns the number of the range's earlier fetches in this minute.
 */
export async function countFetchFor(
  address: string,
  { db, business, limits }: Dependencies<'db' | 'business' | 'limits'>,
  now: Date,
): Promise<number> {
  const limit = (await business.get())?.limits?.profiles ?? limits.profiles
  const allowance = await countInMinute(db, `profiles ${networkOf(address)}`, limit, now)
  if (allowance.remaining < 0) throw rateLimitError(allowance, 'profiles from your address')
  return limit - allowance.remaining - 1
}

export interface FetchBudget {
  /**
   * Counts a document fetch against the limits that all callers share. Fetches of already cached documents do not
   * count. `earlierFetches` is the number of earlier fetches for the caller's IP address range in this minute.
   */
  spend(url: string, earlierFetches: number, now: Date): Promise<void>
}

export function fetchBudget(db: Database): FetchBudget {
  const all = { left: MAX_PER_MINUTE, minute: 0 }
  /**
   * The number of fetches that each host has left in this minute, from the last database query. If a host has no
   * fetches left, the server refuses a fetch without another query.
   */
  const hosts = new LRUCache<string, number>({ max: 2 * MAX_PER_MINUTE })
  return {
    async spend(url, earlierFetches, now) {
      const { host } = new URL(url)
      const minute = Math.floor(now.getTime() / MINUTE)
      if (minute !== all.minute) {
        Object.assign(all, { left: MAX_PER_MINUTE, minute })
        hosts.clear()
      }
      if (all.left <= reservedForOthers(earlierFetches * RESERVE_FACTORS.ofAll, MAX_PER_MINUTE))
        throw fetchBudgetError()
      const isCrowded = (left: number) =>
        left < reservedForOthers(earlierFetches * RESERVE_FACTORS.ofHost, MAX_PER_HOST_AND_MINUTE)
      if (isCrowded(hosts.get(host) ?? MAX_PER_HOST_AND_MINUTE)) throw fetchBudgetError(`of ${host} `)
      const { remaining } = await countInMinute(db, `fetches ${host}`, MAX_PER_HOST_AND_MINUTE, now)
      hosts.set(host, remaining)
      if (isCrowded(remaining)) throw fetchBudgetError(`of ${host} `)
      all.left--
    },
  }
}

const reservedForOthers = (wanted: number, limit: number): number => Math.min(wanted, limit / 2)

const fetchBudgetError = (qualifier = '') =>
  new ProtocolError('service_unavailable', `Too many new platforms ${qualifier}are calling. Try again shortly.`, {
    retryAfter: RETRY_AFTER_SECONDS,
  })
