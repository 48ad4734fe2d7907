import { LRUCache } from 'lru-cache'
import type { Database } from '../../infra/db/database.ts'
import { networkOf } from '../../infra/net/addresses.ts'
import { MINUTE } from '../../infra/time/units.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import { count, exceeded } from './rate-limits.ts'

/** Fetches from one host in a minute, by all servers and for all callers. Callers must not flood a host through us. */
const EACH_HOST = 240
/** Fetches by this server in a minute, for all callers and all hosts. */
const ALL = 1_000
/**
 * A network must leave a part of each budget to others: its fetches in this minute times this factor, at most half the
 * budget. A few networks that name many addresses then cannot starve networks that name one.
 */
const LEFT = { ofHost: 2, ofAll: 10 }
const RETRY_AFTER = 30

/**
 * Counts a fetch for the caller's network, on all servers together. Returns the number of earlier fetches in this minute. A
 * network over its limit is refused here and uses nothing of the shared budgets.
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
  /** Counts the fetch of an unknown document. `had` is the number of the network's earlier fetches in this minute. */
  spend(url: string, had: number, now: Date): Promise<void>
}

export function fetchBudget(db: Database): FetchBudget {
  const all = { left: ALL, minute: 0 }
  /** The remaining budget of each host, as this server last read it. A refusal by this cache needs no query. */
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
