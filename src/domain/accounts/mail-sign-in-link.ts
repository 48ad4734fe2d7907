import { useNetworkMailQuota } from '../../core/limits/mail-quota.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import type { Stranger } from '../../protocol/caller.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { signInLinksLock } from './sign-in-links.ts'

/**
 * The most valid sign-in links for one mail address, regardless of their requesters. Beyond the limit, no further link
 * is sent, and the existing links stay valid.
 */
export const MOST_LINKS_OPEN = 3

export interface SignInLinkRequest {
  /**
   * The mail address in the form of `normalizedEmail`. The mail goes to this form, so an address that only looks alike
   * to the database gets no mail.
   */
  email: string
  /** The language of the mail as a BCP 47 tag. */
  locale: string
  /** The caller. A stranger may name any mail address, so the mails count toward the quota of the stranger. */
  visitor: Stranger
}

interface LinkMail {
  kind: string
  subject: string
  snapshot: Readonly<Record<string, string>>
}

/**
 * Mails a sign-in link if `make` creates one. Parallel requests for the same address wait for each other, so that the
 * limit counts all of them.
 */
export async function mailSignInLink(
  { email, locale, visitor }: SignInLinkRequest,
  { makeChange, clock }: Dependencies<'makeChange' | 'clock'>,
  make: (tx: UnitOfWork, now: Date) => Promise<LinkMail | undefined>,
): Promise<void> {
  if (isUndeliverable(email)) return
  await makeChange(async (tx) => {
    const now = clock()
    // The request counts toward the quota even if no mail is sent. Otherwise a refusal would reveal if the address is
    // known.
    useNetworkMailQuota(tx, visitor, now)
    await signInLinksLock(tx, email)
    const mail = await make(tx, now)
    if (mail) tx.queueMail({ ...mail, to: { email, locale }, onlyChannel: 'mail' }, now)
  })
}
