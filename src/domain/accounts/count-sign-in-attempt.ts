import { hash } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { countInMinute, rateLimitError } from '../../core/limits/rate-limits.ts'
import { networkOf } from '../../infra/net/ip-addresses.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'

/**
 * The number of sign-in attempts at one account per minute that the server accepts without delay. If one network makes
 * more attempts, the server refuses them. If several networks together make more attempts, the server only delays them.
 * Therefore attackers cannot lock the owner out.
 */
export const SIGN_IN_ATTEMPTS = 10
/**
 * The delay of a sign-in attempt in milliseconds. The delay grows by `each` with every attempt over the limit, up to
 * `most`.
 */
const DELAY_MS = { each: 250, most: 5_000 }

/**
 * Counts a sign-in attempt, even if the account does not exist. Refuses the attempt if one network makes too many
 * attempts. Attempts from other networks only delay the sign-in of the owner. The counter stores a digest of the email
 * address, and not the address itself.
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
