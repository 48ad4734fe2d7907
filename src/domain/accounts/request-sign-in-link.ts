import { sql } from 'kysely'
import { type Database, onlyRow } from '../../infra/db/database.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { MOST_LINKS_OPEN, mailSignInLink, type SignInLinkRequest } from './mail-sign-in-link.ts'
import { signInLinkInsert, signInLinksOpen } from './sign-in-links.ts'
import { SIGN_IN_MAIL } from './sign-in-mail-text.ts'

/**
 * Mails a sign-in link. `returnTo` is the page that opens after the sign-in. If `returnTo` is set, the buyer may want
 * to create an account, so the server mails any email address. Without `returnTo`, the server mails only an email
 * address that has a booking, a waitlist entry or an account.
 */
export const requestSignInLink = (
  request: SignInLinkRequest,
  returnTo: string | undefined,
  dependencies: Dependencies<'makeChange' | 'clock' | 'tag'>,
): Promise<void> =>
  mailSignInLink(request, dependencies, async (tx, now) => {
    const { email } = request
    const [open, isKnown] = [await signInLinksOpen(tx, email, now), await isKnownAddress(tx, email)]
    if (open >= MOST_LINKS_OPEN || !(isKnown || returnTo !== undefined)) return undefined
    const id = newId('sln')
    signInLinkInsert(tx, dependencies.tag, { id, email, return_to: returnTo ?? null }, now)
    const snapshot = { link: id, ...(returnTo !== undefined && { back: returnTo }) }
    return { kind: SIGN_IN_MAIL, subject: `account ${id}`, snapshot }
  })

async function isKnownAddress(db: Database, email: string): Promise<boolean> {
  const found = await sql<{ known: boolean }>`
    select exists (select from bookings where lower(people #>> '{buyer,email}') = ${email} and search_text <> '')
      or exists (select from waitlist_entries where lower(buyer ->> 'email') = ${email})
      or exists (select from buyer_accounts where email = ${email}) as known`.execute(db)
  return onlyRow(found).known
}
