import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database.ts'
import { errors, type ProtocolError } from '../protocol/errors.ts'
import type { Call } from '../protocol/operation.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from './addresses.ts'
import { presentsCredential } from './authenticate.ts'
import { type Allowance, count, exceeded, type Limits } from './rate-limits.ts'

/** Addresses that have used up their failures, until when. Looked at before anything is computed for them. */
const blocked = new WeakMap<Database, LRUCache<string, { until: number; allowance: Allowance }>>()

export function refuseGuessing({ db }: Runtime, address: string, now: Date): void {
  const block = blocked.get(db)?.get(networkOf(address))
  if (block && now.getTime() < block.until) throw exceeded(block.allowance)
}

/** Counts a failed attempt to authenticate. Showing nothing at all is no attempt. */
export async function countFailure(
  error: ProtocolError,
  call: Call,
  runtime: Runtime,
  own: Limits = {},
  now: Date,
): Promise<void> {
  if (isFailure(error) && presentsCredential(call)) await countFailureOf(call.peer.address, runtime, own, now)
}

export const isFailure = ({ code }: ProtocolError): boolean =>
  errors[code].http === 401 && code !== 'proof_nonce_required'

/** The same where it is known that it was one. */
export async function countFailureOf(
  address: string,
  { db, limits }: Runtime,
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
