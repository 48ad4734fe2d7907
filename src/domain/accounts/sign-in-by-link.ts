import type { Dependencies } from '../../protocol/dependencies.ts'
import { type AccountSession, accountSessionsEnd, sessionByLink } from './account-sessions.ts'
import { accountOfMailbox, passwordChoose } from './buyer-accounts.ts'
import { signInLinkUse } from './sign-in-links.ts'

/**
 * Uses up a sign-in link. Returns a new session of the address's account and the page to open; undefined if the link is no
 * longer valid. Only the holder of a link can choose a password. A new password ends all sessions of the account.
 */
export async function signInByLink(
  secret: string,
  password: string | undefined,
  { makeChange, clock }: Dependencies<'makeChange' | 'clock'>,
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
