import type { Means } from '../protocol/means.ts'
import { accountSessionBegin } from './account-sessions.ts'
import { verifiedAccount } from './buyer-accounts.ts'
import { signInLinkUse } from './sign-in-links.ts'

/**
 * Thirty days from the mail, however often somebody comes: people look at their bookings every few weeks, a new link costs
 * them one mail, and whoever lost the address or the device is out by then at the latest. So looking writes nothing.
 */
export const ENTERED_SECONDS = 30 * 24 * 3600

/** Uses a link up: a new session of the account that the address owns, and where to go. Nothing where it is no link any more. */
export async function enterByLink(
  secret: string,
  { makeChange, clock }: Means<'makeChange' | 'clock'>,
): Promise<{ session: string; returnTo: string | undefined } | undefined> {
  return makeChange(async (tx) => {
    const now = clock()
    const link = await signInLinkUse(tx, secret, now)
    if (!link) return undefined
    const account = await verifiedAccount(tx, link.email, now)
    const session = await accountSessionBegin(tx, account, now, ENTERED_SECONDS)
    return { session, returnTo: link.return_to ?? undefined }
  })
}
