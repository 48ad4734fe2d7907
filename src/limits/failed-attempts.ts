import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database.ts'
import { networkOf } from '../net/addresses.ts'
import { errors, type ProtocolError } from '../protocol/errors.ts'
import type { Limits } from '../protocol/limits.ts'
import type { Means } from '../protocol/means.ts'
import { type Allowance, count, exceeded } from './rate-limits.ts'

/** Addresses that have used up their failures, until when. Looked at before anything is computed for them. */
const blocked = new WeakMap<Database, LRUCache<string, { until: number; allowance: Allowance }>>()

export function refuseGuessing({ db }: Means<'db'>, address: string, now: Date): void {
  const block = blocked.get(db)?.get(networkOf(address))
  if (block && now.getTime() < block.until) throw exceeded(block.allowance)
}

/** An honest client is told by the first refusal that its token has ended, and others come from its address. */
export const isFailure = ({ code, details }: ProtocolError): boolean =>
  errors[code].http === 401 && code !== 'proof_nonce_required' && !details.ended

/** Counts a failed attempt to authenticate. */
export async function countFailureOf(
  address: string,
  { db, limits }: Means<'db' | 'limits'>,
  own: Limits = {},
  now: Date,
): Promise<void> {
  const limit = own.failed_authentications ?? limits.failed_authentications
  const network = networkOf(address)
  const allowance = await count(db, `failed ${network}`, limit, now)
  if (allowance.remaining > 0) return
  const addresses = blocked.get(db) ?? new LRUCache({ max: 10_000 })
  blocked.set(db, addresses.set(network, { until: now.getTime() + allowance.reset * 1000, allowance }))
}
