import { useNetworkMailQuota } from '../../core/limits/mail-quota.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import type { Stranger } from '../../protocol/caller.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { signInLinksLock } from './sign-in-links.ts'

/** Open links for one address, from all requesters. The existing ones keep working. */
export const MOST_LINKS_OPEN = 3

export interface SignInLinkRequest {
  /**
   * In the form of `normalizedEmail`. The mail goes to this form, so an address that only looks alike to the database gets none.
   */
  email: string
  /** BCP 47. */
  locale: string
  /** The caller, who is a stranger and may name any address. */
  visitor: Stranger
}

interface LinkMail {
  kind: string
  subject: string
  snapshot: Readonly<Record<string, string>>
}

/**
 * Mails a sign-in link if `make` creates one. Parallel requests for the same address wait, so the limit counts all of
 * them.
 */
export async function mailSignInLink(
  { email, locale, visitor }: SignInLinkRequest,
  { makeChange, clock }: Dependencies<'makeChange' | 'clock'>,
  make: (tx: UnitOfWork, now: Date) => Promise<LinkMail | undefined>,
): Promise<void> {
  if (isUndeliverable(email)) return
  await makeChange(async (tx) => {
    const now = clock()
    // Counted even if no mail is sent, so a refusal reveals nothing about the address.
    useNetworkMailQuota(tx, visitor, now)
    await signInLinksLock(tx, email)
    const mail = await make(tx, now)
    if (mail) tx.queueMail({ ...mail, to: { email, locale }, onlyChannel: 'mail' }, now)
  })
}
