import { hash } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { count, exceeded } from '../../core/limits/rate-limits.ts'
import { networkOf } from '../../infra/net/addresses.ts'
import type { Means } from '../../protocol/means.ts'

/** Attempts a minute on one account: from one address, and from all addresses before further ones are slowed down. */
export const SIGN_IN_ATTEMPTS = 10
/** Milliseconds by which each further attempt is slower than the one before, and the most. */
const SLOWER = { each: 250, most: 5_000 }

/**
 * Counts an attempt to sign in before anything is computed for it, whether there is such an account or not. Guessing is
 * refused to the address it comes from; attempts from elsewhere make the account's owner wait a little, but never lock it.
 * Of the account only a digest is kept.
 */
export async function countSignInAttempt(
  { db, business, clock, limits }: Means<'db' | 'business' | 'clock' | 'limits'>,
  email: string,
  address: string,
): Promise<void> {
  const perAddress = (await business.get())?.limits?.failed_authentications ?? limits.failed_authentications
  const account = hash('sha256', email, 'base64url')
  const network = networkOf(address)
  const now = clock()
  const [here, ofAddress] = await Promise.all([
    count(db, `sign-in ${account} at ${network}`, SIGN_IN_ATTEMPTS, now),
    count(db, `sign-in at ${network}`, perAddress, now),
  ])
  for (const allowance of [here, ofAddress]) if (allowance.remaining < 0) throw exceeded(allowance)
  const { remaining } = await count(db, `sign-in ${account}`, SIGN_IN_ATTEMPTS, now)
  if (remaining < 0) await pass(Math.min(SLOWER.most, -remaining * SLOWER.each))
}
