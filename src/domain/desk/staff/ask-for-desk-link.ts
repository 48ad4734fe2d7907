import { staffOfEmail } from '../../../core/authentication/staff.ts'
import { staffLinkEnter, staffLinksOpen } from '../../../core/authentication/staff-links.ts'
import { newId } from '../../../infra/util/new-id.ts'
import type { Means } from '../../../protocol/means.ts'
import { type AskedLink, MOST_LINKS_OPEN, mailLink } from '../../accounts/mail-link.ts'
import { SIGN_IN_LINK_MINUTES } from '../../accounts/sign-in-links.ts'
import { DESK_LINK } from './staff-letter.ts'

export const askForDeskLink = (asked: AskedLink, means: Means<'makeChange' | 'clock' | 'tag'>): Promise<void> =>
  mailLink(asked, means, async (tx, now) => {
    const member = await staffOfEmail(tx, asked.email)
    if (!member || (await staffLinksOpen(tx, member.id, now)) >= MOST_LINKS_OPEN) return undefined
    const id = newId('dln')
    staffLinkEnter(tx, means.tag, { id, staffId: member.id, minutes: SIGN_IN_LINK_MINUTES }, now)
    return { kind: DESK_LINK, subject: `staff ${id}`, snapshot: { link: id } }
  })
