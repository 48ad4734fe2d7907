import { hash } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { countInMinute, rateLimitError } from '../../core/limits/rate-limits.ts'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'

/**
 * The server accepts this many sign-in attempts per minute at one account without delay. If one network (a range of IP
 * addresses) makes more attempts, the server refuses the additional attempts. If several networks together make more
 * attempts, the server only delays the attempts. Therefore attackers cannot lock the owner of the account out.
 */
export const SIGN_IN_ATTEMPTS = 10
/**
 * The delay of a sign-in attempt above the limit, in milliseconds. The delay grows by `each` with every further
 * attempt, up to `most`.
 */
const DELAY_MS = { each: 250, most: 5_000 }

/**
 * Counts a sign-in attempt, even if the account does not exist. If one network (a range of IP addresses) makes too many
 * attempts, the server refuses the attempt. Attempts from several networks together only delay the sign-in. The counter
 * stores a digest (hash) of the email address, and not the email address itself.
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
