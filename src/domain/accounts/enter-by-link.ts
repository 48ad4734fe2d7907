import type { Means } from '../../protocol/means.ts'
import { type AccountSession, accountSessionsEnd, sessionByLink } from './account-sessions.ts'
import { accountOfMailbox, passwordChoose } from './buyer-accounts.ts'
import { signInLinkUse } from './sign-in-links.ts'

/**
 * Uses a link up: a new session of the account that the address owns, and where to go. Nothing where it is no link any more. A
 * password is chosen by whoever holds a link and by nobody else; with it all sessions end that somebody may have by the one before.
 */
export async function enterByLink(
  secret: string,
  password: string | undefined,
  { makeChange, clock }: Means<'makeChange' | 'clock'>,
): Promise<{ session: AccountSession; returnTo: string | undefined } | undefined> {
  return makeChange(async (tx) => {
    const now = clock()
    const link = await signInLinkUse(tx, secret, now)
    if (!link) return undefined
    const id = await accountOfMailbox(tx, link.email, now)
    if (password !== undefined) {
      await passwordChoose(tx, { id, email: link.email }, password)
      await accountSessionsEnd(tx, id)
    }
    return { session: await sessionByLink(tx, id, now), returnTo: link.return_to ?? undefined }
  })
}
