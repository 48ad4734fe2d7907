import type { WriteNotification } from '../../core/mails/notification-text.ts'
import { momentText } from '../../infra/i18n/format-times.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { GUEST_CODE_MAIL, GUEST_CODE_MINUTES, guestCodeOf } from '../bookings/guest-codes.ts'

/**
 * Returns the function that writes the mail with a guest code. A guest is a person without a sign-in. With the code,
 * the guest proves that the email address is theirs. The mail contains no text from the requester, who may be a
 * stranger.
 */
export const guestCodeMailWriter =
  ({ tag }: Dependencies<'tag'>): WriteNotification =>
  ({ kind, snapshot }, localizer, { business }) => {
    if (kind !== GUEST_CODE_MAIL) throw new Error(`There is no letter ${kind} to a guest`)
    const { code, service, start, zone } = asRecord(snapshot)
    const values = {
      business: business.name,
      service: String(service),
      minutes: GUEST_CODE_MINUTES,
      code: guestCodeOf(tag, String(code)),
      when: momentText(localizer, new Date(Number(start)), String(zone)),
    }
    return {
      subject: localizer.say('letter.guest_code.subject', values),
      heading: localizer.say('letter.guest_code.heading', values),
      paragraphs: [localizer.say('letter.guest_code.text', values), localizer.say('letter.guest_code.not_you')],
    }
  }
