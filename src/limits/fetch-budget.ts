import type { Database } from '../db/database.ts'
import { networkOf } from '../net/addresses.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Means } from '../protocol/means.ts'
import { MINUTE } from '../time/units.ts'
import { count, exceeded } from './rate-limits.ts'

/** Fetches from one host in a minute, by all servers together and for whomever: nobody is to be flooded through us. */
const EACH_HOST = 240
/** Those of this server in a minute, however many addresses ask and hosts are named. */
const ALL = { fetches: 300, per: MINUTE }
const RETRY_AFTER = 30

/** Counts what an address had us fetch, for all servers together. Whoever has no more of it takes nothing from others. */
export async function countFetchFor(
  address: string,
  { db, business, limits }: Means<'db' | 'business' | 'limits'>,
  now: Date,
): Promise<void> {
  const limit = (await business.get())?.limits?.profiles ?? limits.profiles
  const allowance = await count(db, `profiles ${networkOf(address)}`, limit, now)
  if (allowance.remaining < 0) throw exceeded(allowance, 'profiles from your address')
}

export interface FetchBudget {
  /** Counts the fetch of something that is not known yet. */
  spend(url: string, now: Date): Promise<void>
}

export function fetchBudget(db: Database): FetchBudget {
  const all = { left: ALL.fetches, until: 0 }
  return {
    async spend(url, now) {
      const { host } = new URL(url)
      if (now.getTime() >= all.until) Object.assign(all, { left: ALL.fetches, until: now.getTime() + ALL.per })
      if (all.left <= 0) throw tooMany()
      if ((await count(db, `fetches ${host}`, EACH_HOST, now)).remaining < 0) throw tooMany(`of ${host} `)
      all.left--
    },
  }
}

const tooMany = (whose = '') =>
  new ProtocolError('service_unavailable', `Too many new platforms ${whose}are calling. Try again shortly.`, {
    retryAfter: RETRY_AFTER,
  })
