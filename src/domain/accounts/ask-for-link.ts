import { newId } from '../../infra/util/new-id.ts'
import type { Means } from '../../protocol/means.ts'
import { isKnownAddress } from './known-address.ts'
import { type AskedLink, MOST_LINKS_OPEN, mailLink } from './mail-link.ts'
import { SIGN_IN_LETTER } from './sign-in-letter.ts'
import { signInLinkInsert, signInLinksOpen } from './sign-in-links.ts'

/**
 * Mails a link to sign in by. Who comes for the bookings gets one if there is anything under the address. Who comes for an account,
 * or is about to link a platform, may be here for the first time, and always gets one. `returnTo` is the page of ours to come back
 * to, where somebody is on the way to somewhere.
 */
export const askForLink = (
  asked: AskedLink,
  returnTo: string | undefined,
  means: Means<'makeChange' | 'clock' | 'tag'>,
): Promise<void> =>
  mailLink(asked, means, async (tx, now) => {
    const { email } = asked
    const [open, isKnown] = [await signInLinksOpen(tx, email, now), await isKnownAddress(tx, email)]
    if (open >= MOST_LINKS_OPEN || !(isKnown || returnTo !== undefined)) return undefined
    const id = newId('sln')
    signInLinkInsert(tx, means.tag, { id, email, return_to: returnTo ?? null }, now)
    const snapshot = { link: id, ...(returnTo !== undefined && { back: returnTo }) }
    return { kind: SIGN_IN_LETTER, subject: `account ${id}`, snapshot }
  })
