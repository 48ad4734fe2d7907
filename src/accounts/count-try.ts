import { hash } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { count, exceeded } from '../limits/rate-limits.ts'
import { networkOf } from '../net/addresses.ts'
import type { Means } from '../protocol/means.ts'

/** In a minute for one account: from one address, and from all before the next has to wait. */
export const TRIES = 10
/** In milliseconds: by so much each further try is slower than the one before, and no slower than this. */
const SLOWER = { each: 250, most: 5_000 }

/**
 * Counts a try to sign in before anything is computed for it, whether there is such an account or not. Whoever guesses is
 * turned away where it guesses from; tries from elsewhere make the owner of the account wait a little, and never go away.
 * Of the account only a digest is kept.
 */
export async function countTry(
  { db, business, clock, limits }: Means<'db' | 'business' | 'clock' | 'limits'>,
  email: string,
  address: string,
): Promise<void> {
  const perAddress = (await business.get())?.limits?.failed_authentications ?? limits.failed_authentications
  const account = hash('sha256', email, 'base64url')
  const network = networkOf(address)
  const now = clock()
  const [here, ofAddress] = await Promise.all([
    count(db, `sign-in ${account} at ${network}`, TRIES, now),
    count(db, `sign-in at ${network}`, perAddress, now),
  ])
  for (const allowance of [here, ofAddress]) if (allowance.remaining < 0) throw exceeded(allowance)
  const { remaining } = await count(db, `sign-in ${account}`, TRIES, now)
  if (remaining < 0) await pass(Math.min(SLOWER.most, -remaining * SLOWER.each))
}
