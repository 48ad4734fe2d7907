import { SIGN_IN_LINK_MINUTES, signInLinksLock } from '../../accounts/sign-in-links.ts'
import { staffOfEmail } from '../../authentication/staff.ts'
import { staffLinkEnter, staffLinksOpen } from '../../authentication/staff-links.ts'
import { leadsNowhere } from '../../basics/email-address.ts'
import { newId } from '../../basics/new-id.ts'
import { enterMailCauseFrom } from '../../limits/mail-quota.ts'
import type { Stranger } from '../../protocol/caller.ts'
import type { Means } from '../../protocol/means.ts'
import { DESK_LINK } from './staff-letter.ts'

/** So many links of somebody's wait at most, whoever asked for them. Those that are there work. */
const MOST_OPEN = 3

export interface AskedDeskLink {
  /** As `sameEmail` has it. */
  email: string
  /** BCP 47. */
  locale: string
  /** Who asks: anybody may, for any address. */
  visitor: Stranger
}

/** Mails a link to sign in by at the desk, if the address is that of somebody who works here. */
export async function askForDeskLink(
  { email, locale, visitor }: AskedDeskLink,
  { makeChange, clock, tag }: Means<'makeChange' | 'clock' | 'tag'>,
): Promise<void> {
  if (leadsNowhere(email)) return
  await makeChange(async (tx) => {
    const now = clock()
    // Whether or not a mail comes of it, which nobody is to learn by being refused.
    enterMailCauseFrom(tx, visitor, now)
    await signInLinksLock(tx, email)
    const member = await staffOfEmail(tx, email)
    if (!member || (await staffLinksOpen(tx, member.id, now)) >= MOST_OPEN) return
    const id = newId('dln')
    staffLinkEnter(tx, tag, { id, staffId: member.id, minutes: SIGN_IN_LINK_MINUTES }, now)
    tx.mail({ kind: DESK_LINK, subject: `staff ${id}`, to: { email, locale }, by: 'mail', snapshot: { link: id } }, now)
  })
}
