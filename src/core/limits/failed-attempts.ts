import { LRUCache } from 'lru-cache'
import type { Database } from '../../infra/db/database.ts'
import { networkOf } from '../../infra/net/addresses.ts'
import { errors, ProtocolError } from '../../protocol/errors.ts'
import type { Limits } from '../../protocol/limits.ts'
import type { Means } from '../../protocol/means.ts'
import { count, headersOf } from './rate-limits.ts'

type LimitMeans = Means<'db' | 'business' | 'limits'>

/** Addresses that have used up their failures, until when. Looked at before anything is computed for them. */
const blocked = new WeakMap<Database, LRUCache<string, { failures: number; until: number }>>()

/** Refuses an address that failed too often in this minute, by the limit as it is now: it may have been raised since. */
export async function refuseGuessing(means: LimitMeans, address: string, now: Date): Promise<void> {
  const block = blocked.get(means.db)?.get(networkOf(address))
  if (!block || now.getTime() >= block.until) return
  const limit = limitOf(means, (await means.business.get())?.limits)
  if (block.failures < limit) return
  const retryAfter = Math.ceil((block.until - now.getTime()) / 1000)
  throw new ProtocolError(
    'rate_limited',
    `Attempts to authenticate from this address failed ${block.failures} times within a minute. Wait ${retryAfter} seconds.`,
    { retryAfter, headers: headersOf({ limit, remaining: 0, reset: retryAfter }) },
  )
}

const limitOf = ({ limits }: Pick<LimitMeans, 'limits'>, own: Limits = {}): number =>
  own.failed_authentications ?? limits.failed_authentications

/** An honest client is told by the first refusal that its token has ended, and others come from its address. */
export const isFailure = ({ code, details }: ProtocolError): boolean =>
  errors[code].http === 401 && code !== 'proof_nonce_required' && !details.ended

/** Counts a failed attempt to authenticate. */
export async function countFailureOf(
  address: string,
  means: Means<'db' | 'limits'>,
  own: Limits | undefined,
  now: Date,
): Promise<void> {
  const limit = limitOf(means, own)
  const network = networkOf(address)
  const { remaining, reset } = await count(means.db, `failed ${network}`, limit, now)
  if (remaining > 0) return
  const addresses = blocked.get(means.db) ?? new LRUCache({ max: 10_000 })
  const block = { failures: limit - remaining, until: now.getTime() + reset * 1000 }
  blocked.set(means.db, addresses.set(network, block))
}
