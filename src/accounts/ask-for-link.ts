import { leadsNowhere } from '../basics/email-address.ts'
import { newId } from '../basics/new-id.ts'
import { enterMailCauseFrom } from '../limits/mail-quota.ts'
import type { Stranger } from '../protocol/caller.ts'
import type { Means } from '../protocol/means.ts'
import { isKnownAddress } from './known-address.ts'
import { SIGN_IN_LETTER } from './sign-in-letter.ts'
import { signInLinkInsert, signInLinksLock, signInLinksOpen } from './sign-in-links.ts'

/** So many mails wait for one address at most, whoever asked for them. Those that are there work. */
const MOST_OPEN = 3

export interface AskedLink {
  /** As `sameEmail` has it. It is written to in this form: what only looks alike to the database gets no mail. */
  email: string
  /** BCP 47. */
  locale: string
  /** The page of ours to come back to, where somebody is on the way to somewhere. */
  returnTo: string | undefined
  /** Who asks: anybody may, for any address. */
  visitor: Stranger
}

/**
 * Mails a link to sign in by. Who comes for the bookings gets one if there is anything under the address. Who comes for an account,
 * or is about to link a platform, may be here for the first time, and always gets one.
 */
export async function askForLink(
  { email, locale, returnTo, visitor }: AskedLink,
  { makeChange, clock, tag }: Means<'makeChange' | 'clock' | 'tag'>,
): Promise<void> {
  if (leadsNowhere(email)) return
  await makeChange(async (tx) => {
    const now = clock()
    // Whether or not a mail comes of it, which nobody is to learn by being refused.
    enterMailCauseFrom(tx, visitor, now)
    await signInLinksLock(tx, email)
    const [open, isKnown] = [await signInLinksOpen(tx, email, now), await isKnownAddress(tx, email)]
    if (open >= MOST_OPEN || !(isKnown || returnTo !== undefined)) return
    const id = newId('sln')
    signInLinkInsert(tx, tag, { id, email, return_to: returnTo ?? null }, now)
    tx.mail(
      {
        kind: SIGN_IN_LETTER,
        subject: `account ${id}`,
        to: { email, locale },
        by: 'mail',
        snapshot: { link: id, ...(returnTo !== undefined && { back: returnTo }) },
      },
      now,
    )
  })
}
