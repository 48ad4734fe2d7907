import { LRUCache } from 'lru-cache'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { countInMinute, rateLimitError, secondsToNextMinute } from './rate-limits.ts'

/**
 * The maximum number of documents that all servers together fetch from one host in a minute. Without this limit,
 * callers could use this server to flood a host with requests. If the setting `limits.profiles` lets one IP address
 * range fetch many profiles, they may all come from one host: twice the setting leaves half of the limit to others.
 */
const maxPerHostAndMinute = (profilesPerRange: number): number => Math.max(240, 2 * profilesPerRange)
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

export type FetchLimitDependencies = Dependencies<'db' | 'business' | 'limits'>

const profilesPerRange = async ({ business, limits }: Omit<FetchLimitDependencies, 'db'>): Promise<number> =>
  (await business.get())?.limits?.profiles ?? limits.profiles

/**
 * Counts a document fetch for the IP address range of the caller, on all servers together. Throws an error if the range
 * is over its limit. Returns the number of the range's earlier fetches in this minute.
 */
export async function countFetchFor(
  address: string,
  { db, ...settings }: FetchLimitDependencies,
  now: Date,
): Promise<number> {
  const limit = await profilesPerRange(settings)
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

export function fetchBudget({ db, ...settings }: FetchLimitDependencies): FetchBudget {
  const all = { left: MAX_PER_MINUTE, minute: 0 }
  /**
   * The number of fetches that each host has left in this minute, from the last database query. If a host has no
   * fetches left, the server refuses a fetch without another query.
   */
  const hosts = new LRUCache<string, number>({ max: 2 * MAX_PER_MINUTE })
  return {
    async spend(url, earlierFetches, now) {
      const { host } = new URL(url)
      const maxPerHost = maxPerHostAndMinute(await profilesPerRange(settings))
      const minute = Math.floor(now.getTime() / MINUTE)
      if (minute !== all.minute) {
        Object.assign(all, { left: MAX_PER_MINUTE, minute })
        hosts.clear()
      }
      if (all.left <= reservedForOthers(earlierFetches * RESERVE_FACTORS.ofAll, MAX_PER_MINUTE))
        throw fetchBudgetError(now)
      const isCrowded = (left: number) => left < reservedForOthers(earlierFetches * RESERVE_FACTORS.ofHost, maxPerHost)
      if (isCrowded(hosts.get(host) ?? maxPerHost)) throw fetchBudgetError(now, `of ${host} `)
      const { remaining } = await countInMinute(db, `fetches ${host}`, maxPerHost, now)
      hosts.set(host, remaining)
      if (isCrowded(remaining)) throw fetchBudgetError(now, `of ${host} `)
      all.left--
    },
  }
}

const reservedForOthers = (wanted: number, limit: number): number => Math.min(wanted, limit / 2)

const fetchBudgetError = (now: Date, qualifier = '') =>
  new ProtocolError('service_unavailable', `Too many new platforms ${qualifier}are calling. Try again shortly.`, {
    retryAfter: secondsToNextMinute(now),
  })
