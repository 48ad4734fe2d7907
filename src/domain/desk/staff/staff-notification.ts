import { staffLinkUrl } from '../../../core/authentication/desk-sign-in-links.ts'
import type { WriteNotification } from '../../../core/mails/notification-text.ts'
import { TEST_MAIL, TEST_TEXT } from '../../../core/mails/test-mail-queries.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { SIGN_IN_LINK_MINUTES } from '../../accounts/sign-in-links.ts'

/** The kinds of mails with a desk link (a sign-in URL): the invitation of a new staff member, and a requested link. */
export const INVITATION = 'desk_invitation'
export const DESK_LINK = 'desk_link'

export const INVITATION_DAYS = 3

/**
 * Returns the function that writes the mails with a desk link (a sign-in URL) to a staff member. The database stores
 * only the id of a link. The function computes the secret part of the URL.
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
    if (kind === TEST_MAIL)
      return {
        subject: say('letter.mail_server_test.subject', values),
        heading: say('letter.mail_server_test.heading'),
        paragraphs: [say('letter.mail_server_test.text', values)],
      }
    if (kind === TEST_TEXT)
      return {
        subject: say('text.test', values),
        heading: say('text.test', values),
        paragraphs: [],
        textMessage: { texts: [say('text.test', values)], ignoresQuietHours: true },
      }
    if (kind !== DESK_LINK) throw new Error(`There is no letter ${kind} to one of the staff`)
    return {
      subject: say('letter.desk_link.subject', values),
      heading: say('letter.sign_in.heading'),
      paragraphs: [say('letter.desk_link.text', values), say('letter.sign_in.not_you')],
      actions: [{ label: say('letter.sign_in.action'), url }],
    }
  }
