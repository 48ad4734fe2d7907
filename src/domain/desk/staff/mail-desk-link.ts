import { staffOfEmail } from '../../../core/authentication/staff.ts'
import { staffLinkInsert, staffLinksOpen } from '../../../core/authentication/staff-links.ts'
import { newId } from '../../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../../protocol/dependencies.ts'
import { MOST_LINKS_OPEN, mailSignInLink, type SignInLinkRequest } from '../../accounts/mail-sign-in-link.ts'
import { SIGN_IN_LINK_MINUTES } from '../../accounts/sign-in-links.ts'
import { DESK_LINK } from './staff-notification.ts'

export const mailDeskLink = (
  asked: SignInLinkRequest,
  means: Dependencies<'makeChange' | 'clock' | 'tag'>,
): Promise<void> =>
  mailSignInLink(asked, means, async (tx, now) => {
    const member = await staffOfEmail(tx, asked.email)
    if (!member || (await staffLinksOpen(tx, member.id, now)) >= MOST_LINKS_OPEN) return undefined
    const id = newId('dln')
    staffLinkInsert(tx, means.tag, { id, staffId: member.id, minutes: SIGN_IN_LINK_MINUTES }, now)
    return { kind: DESK_LINK, subject: `staff ${id}`, snapshot: { link: id } }
  })
