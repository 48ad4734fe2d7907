import { enterMailCauseFrom } from '../../core/limits/mail-quota.ts'
import type { Change } from '../../infra/db/change.ts'
import { leadsNowhere } from '../../infra/util/email-address.ts'
import type { Stranger } from '../../protocol/caller.ts'
import type { Means } from '../../protocol/means.ts'
import { signInLinksLock } from './sign-in-links.ts'

/** So many links of somebody's wait at most, whoever asked for them. Those that are there work. */
export const MOST_LINKS_OPEN = 3

export interface AskedLink {
  /** As `sameEmail` has it. It is written to in this form: what only looks alike to the database gets no mail. */
  email: string
  /** BCP 47. */
  locale: string
  /** Who asks: anybody may, for any address. */
  visitor: Stranger
}

/** What is kept of the mail. */
interface LinkMail {
  kind: string
  subject: string
  snapshot: Readonly<Record<string, string>>
}

/** Mails a link to sign in by, if one is made. Whoever asks for the same address at once waits, so that all of them are counted. */
export async function mailLink(
  { email, locale, visitor }: AskedLink,
  { makeChange, clock }: Means<'makeChange' | 'clock'>,
  make: (tx: Change, now: Date) => Promise<LinkMail | undefined>,
): Promise<void> {
  if (leadsNowhere(email)) return
  await makeChange(async (tx) => {
    const now = clock()
    // Whether or not a mail comes of it, which nobody is to learn by being refused.
    enterMailCauseFrom(tx, visitor, now)
    await signInLinksLock(tx, email)
    const mail = await make(tx, now)
    if (mail) tx.mail({ ...mail, to: { email, locale }, by: 'mail' }, now)
  })
}
