import { LRUCache } from 'lru-cache'
import type { Database } from '../../infra/db/database.ts'
import { networkOf } from '../../infra/net/addresses.ts'
import { MINUTE } from '../../infra/time/units.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import { count, exceeded } from './rate-limits.ts'

/** Fetches from one host in a minute, by all servers together and for whomever: nobody is to be flooded through us. */
const EACH_HOST = 240
/** Those of this server in a minute, however many addresses ask and hosts are named. */
const ALL = 1_000
/**
 * Some of both is left to others by whoever had some of it within the minute: of each this many times as much as they had, until
 * it is a half. So a few who name many do not keep those from being served who name one.
 */
const LEFT = { ofHost: 2, ofAll: 10 }
const RETRY_AFTER = 30

/**
 * Counts what an address had us fetch, for all servers together, and says how many it had before. Whoever has no more of it
 * takes nothing from others.
 */
export async function countFetchFor(
  address: string,
  { db, business, limits }: Means<'db' | 'business' | 'limits'>,
  now: Date,
): Promise<number> {
  const limit = (await business.get())?.limits?.profiles ?? limits.profiles
  const allowance = await count(db, `profiles ${networkOf(address)}`, limit, now)
  if (allowance.remaining < 0) throw exceeded(allowance, 'profiles from your address')
  return limit - allowance.remaining - 1
}

export interface FetchBudget {
  /** Counts the fetch of something that is not known yet, for a network that had so many before. */
  spend(url: string, had: number, now: Date): Promise<void>
}

export function fetchBudget(db: Database): FetchBudget {
  const all = { left: ALL, minute: 0 }
  /** What is left of hosts, as far as this server was told within the minute: what is refused is not counted either. */
  const hosts = new LRUCache<string, number>({ max: 2 * ALL })
  return {
    async spend(url, had, now) {
      const { host } = new URL(url)
      const minute = Math.floor(now.getTime() / MINUTE)
      if (minute !== all.minute) {
        Object.assign(all, { left: ALL, minute })
        hosts.clear()
      }
      if (all.left <= leftToOthers(had * LEFT.ofAll, ALL)) throw tooMany()
      const isCrowded = (left: number) => left < leftToOthers(had * LEFT.ofHost, EACH_HOST)
      if (isCrowded(hosts.get(host) ?? EACH_HOST)) throw tooMany(`of ${host} `)
      const { remaining } = await count(db, `fetches ${host}`, EACH_HOST, now)
      hosts.set(host, remaining)
      if (isCrowded(remaining)) throw tooMany(`of ${host} `)
      all.left--
    },
  }
}

const leftToOthers = (wanted: number, of: number): number => Math.min(wanted, of / 2)

const tooMany = (whose = '') =>
  new ProtocolError('service_unavailable', `Too many new platforms ${whose}are calling. Try again shortly.`, {
    retryAfter: RETRY_AFTER,
  })
