import { hash } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { countInMinute, rateLimitError } from '../../core/limits/rate-limits.ts'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'

/**
 * At most this many sign-in attempts at one account are possible in a minute without a delay. The server refuses
 * further attempts from one network. It only delays further attempts from several networks, so that attackers cannot
 * lock the owner out.
 */
export const SIGN_IN_ATTEMPTS = 10
/**
 * How long the server delays a sign-in attempt, in milliseconds: `each` for every attempt over the limit, but at most
 * `most` in total.
 */
const DELAY_MS = { each: 250, most: 5_000 }

/**
 * Counts a sign-in attempt before any other work, even if the account does not exist. Refuses too many attempts from
 * one network. Attempts from other networks can only delay the owner's sign-in, and never prevent it. The counter
 * stores only a digest of the email address.
 */
export async function countSignInAttempt(
  { db, business, clock, limits }: Dependencies<'db' | 'business' | 'clock' | 'limits'>,
  email: string,
  address: string,
): Promise<void> {
  const perAddress = (await business.get())?.limits?.failed_authentications ?? limits.failed_authentications
  const account = hash('sha256', email, 'base64url')
  const network = networkOf(address)
  const now = clock()
  const [ofNetwork, ofAddress] = await Promise.all([
    countInMinute(db, `sign-in ${account} at ${network}`, SIGN_IN_ATTEMPTS, now),
    countInMinute(db, `sign-in at ${network}`, perAddress, now),
  ])
  for (const allowance of [ofNetwork, ofAddress]) if (allowance.remaining < 0) throw rateLimitError(allowance)
  const { remaining } = await countInMinute(db, `sign-in ${account}`, SIGN_IN_ATTEMPTS, now)
  if (remaining < 0) await pass(Math.min(DELAY_MS.most, -remaining * DELAY_MS.each))
}
