import { LRUCache } from 'lru-cache'
import type { Database } from '../../infra/db/database.ts'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import type { Limits } from '../../protocol/call-limit-types.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { errors, ProtocolError } from '../../protocol/errors.ts'
import { countInMinute, headersOf } from './rate-limits.ts'

type LimitDependencies = Dependencies<'db' | 'business' | 'limits'>

/**
 * Caches the blocked IP address ranges, and the time when each block ends. A range is blocked after too many failed
 * authentications. The cache makes the check of a call fast.
 */
const blocked = new WeakMap<Database, LRUCache<string, { failures: number; until: number }>>()

/**
 * Throws an error if too many authentications from the caller's IP address range failed in this minute. The function
 * reads the limit again, because the business can have raised it since the block began.
 */
export async function refuseGuessing(dependencies: LimitDependencies, address: string, now: Date): Promise<void> {
  const block = blocked.get(dependencies.db)?.get(networkOf(address))
  if (!block || now.getTime() >= block.until) return
  const limit = limitOf(dependencies, (await dependencies.business.get())?.limits)
  if (block.failures < limit) return
  const retryAfter = Math.ceil((block.until - now.getTime()) / 1000)
  throw new ProtocolError(
    'rate_limited',
    `Authentication from this address failed ${block.failures} times within a minute. Wait ${retryAfter} seconds.`,
    { retryAfter, headers: headersOf({ limit, remaining: 0, reset: retryAfter }) },
  )
}

const limitOf = ({ limits }: Pick<LimitDependencies, 'limits'>, businessLimits: Limits = {}): number =>
  businessLimits.failed_authentications ?? limits.failed_authentications

/**
 * Whether an error counts as a failed authentication, which could be an attempt to guess. An expired token and a
 * missing nonce do not count, because honest callers also cause these errors.
 */
export const isFailure = ({ code, details }: ProtocolError): boolean =>
  errors[code].http === 401 && code !== 'proof_nonce_required' && !details.ended

export async function countFailureOf(
  address: string,
  dependencies: Dependencies<'db' | 'limits'>,
  businessLimits: Limits | undefined,
  now: Date,
): Promise<void> {
  const limit = limitOf(dependencies, businessLimits)
  const network = networkOf(address)
  const { remaining, reset } = await countInMinute(dependencies.db, `failed ${network}`, limit, now)
  if (remaining > 0) return
  const addresses = blocked.get(dependencies.db) ?? new LRUCache({ max: 10_000 })
  const block = { failures: limit - remaining, until: now.getTime() + reset * 1000 }
  blocked.set(dependencies.db, addresses.set(network, block))
}
