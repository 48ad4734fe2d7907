import { useNetworkMailQuota } from '../../core/limits/mail-quota.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { signInLinksLock } from './sign-in-links.ts'

/**
 * At most this many sign-in links for one email address are valid at a time. While so many are unused, the server sends
 * no new link, and the existing links stay valid.
 */
export const MOST_LINKS_OPEN = 3

export interface SignInLinkRequest {
  /**
   * The email address in the form of `normalizedEmail`. The server mails exactly this address, so that the owner of a
   * similar address gets no mail.
   */
  email: string
  /** The language of the mail as a BCP 47 tag, such as `de-CH`. */
  locale: string
  /**
   * The visitor who requests the mail. Visitors may enter any email address, so the mails count toward a quota of their
   * network.
   */
  visitor: Stranger
}

interface LinkMail {
  kind: string
  subject: string
  snapshot: Readonly<Record<string, string>>
}

/**
 * Mails the sign-in link that the callback `make` creates. If `make` returns undefined, no mail is sent. Parallel
 * requests for one email address wait for each other, so that they cannot exceed the limit of unused links.
 */
export async function mailSignInLink(
  { email, locale, visitor }: SignInLinkRequest,
  { makeChange, clock }: Dependencies<'makeChange' | 'clock'>,
  make: (tx: UnitOfWork, now: Date) => Promise<LinkMail | undefined>,
): Promise<void> {
  if (isUndeliverable(email)) return
  await makeChange(async (tx) => {
    const now = clock()
    // The request counts toward the mail quota even if the server sends no mail. Otherwise, a refusal would reveal
    // whether the address has an account.
    useNetworkMailQuota(tx, visitor, now)
    await signInLinksLock(tx, email)
    const mail = await make(tx, now)
    if (mail) tx.queueMail({ ...mail, to: { email, locale }, onlyChannel: 'mail' }, now)
  })
}
