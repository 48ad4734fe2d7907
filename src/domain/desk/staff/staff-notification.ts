import { staffLinkUrl } from '../../../core/authentication/desk-sign-in-links.ts'
import type { WriteNotification } from '../../../core/mails/notification-text.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { SIGN_IN_LINK_MINUTES } from '../../accounts/sign-in-links.ts'

/** The kinds of mails to staff members: an invitation for a new member, and a sign-in link on request. */
export const INVITATION = 'desk_invitation'
export const DESK_LINK = 'desk_link'

export const INVITATION_DAYS = 3

/**
 * Returns the function that writes the sign-in mail to a staff member. The database stores only the id of the link, and
 * not its secret.
 */
export const staffNotificationOf =
  ({ config, tag }: Dependencies<'config' | 'tag'>): WriteNotification =>
  ({ kind, snapshot }, { say }, { business }) => {
    const { link, name } = asRecord(snapshot)
    const url = staffLinkUrl(config.baseUrl, tag, String(link))
    const values = { business: business.name, name: String(name), days: INVITATION_DAYS, minutes: SIGN_IN_LINK_MINUTES }
    if (kind === INVITATION)
      return {
        subject: say('letter.desk_invitation.subject', values),
        heading: say('letter.desk_invitation.heading', values),
        paragraphs: [say('letter.desk_invitation.text', values)],
        actions: [{ label: say('letter.desk_invitation.action'), url }],
      }
    if (kind !== DESK_LINK) throw new Error(`There is no letter ${kind} to one of the staff`)
    return {
      subject: say('letter.desk_link.subject', values),
      heading: say('letter.sign_in.heading'),
      paragraphs: [say('letter.desk_link.text', values), say('letter.sign_in.not_you')],
      actions: [{ label: say('letter.sign_in.action'), url }],
    }
  }
