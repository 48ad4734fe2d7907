import { useNetworkMailQuota } from '../../core/limits/mail-quota.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { signInLinksLock } from './sign-in-links.ts'

/**
 * One email address can have at most this many unused sign-in links at a time. At this limit, the server mails no new
 * link, and the existing links stay valid.
 */
export const MOST_LINKS_OPEN = 3

export interface SignInLinkRequest {
  /**
   * The email address in lower case, without spaces around it (see `normalizedEmail`). The server sends the mail to
   * exactly this address. Therefore the owner of a similar email address cannot get the link.
   */
  email: string
  /** The language of the mail as a BCP 47 tag, such as `de-CH`. */
  locale: string
  /**
   * The visitor who requests the mail. A visitor can enter the email address of any person. Therefore each request
   * counts toward a mail quota for the network (the range of IP addresses) of the visitor.
   */
  visitor: Stranger
}

interface LinkMail {
  kind: string
  subject: string
  snapshot: Readonly<Record<string, string>>
}

/**
 * Mails the sign-in link that the callback `make` creates. If `make` returns undefined, the server sends no mail. A
 * lock makes parallel requests for one email address wait for each other. Without the lock, parallel requests could
 * exceed the limit of unused links.
 */
export async function mailSignInLink(
  { email, locale, visitor }: SignInLinkRequest,
  { makeChange, clock }: Dependencies<'makeChange' | 'clock'>,
  make: (tx: UnitOfWork, now: Date) => Promise<LinkMail | undefined>,
): Promise<void> {
  if (isUndeliverable(email)) return
  await makeChange(async (tx) => {
    const now = clock()
    // The request counts toward the mail quota even if the server sends no mail. Otherwise, the visitor could see from
    // the quota whether the email address has an account.
    useNetworkMailQuota(tx, visitor, now)
    await signInLinksLock(tx, email)
    const mail = await make(tx, now)
    if (mail) tx.queueMail({ ...mail, to: { email, locale }, onlyChannel: 'mail' }, now)
  })
}
