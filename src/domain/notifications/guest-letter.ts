import type { LetterOf } from '../../core/mails/letter.ts'
import { momentText } from '../../infra/i18n/times.ts'
import { recordOf } from '../../infra/util/record-of.ts'
import type { Means } from '../../protocol/means.ts'
import { GUEST_CODE_MINUTES, GUEST_LETTER, guestCodeOf } from '../bookings/guest-codes.ts'

/** The mail with the guest code. It contains no text that the requester wrote. */
export const guestLetterOf =
  ({ tag }: Means<'tag'>): LetterOf =>
  ({ kind, snapshot }, speech, { business }) => {
    if (kind !== GUEST_LETTER) throw new Error(`There is no letter ${kind} to a guest`)
    const { code, service, start, zone } = recordOf(snapshot)
    const values = {
      ...{ business: business.name, service: String(service), minutes: GUEST_CODE_MINUTES },
      ...{ code: guestCodeOf(tag, String(code)), when: momentText(speech, new Date(Number(start)), String(zone)) },
    }
    return {
      subject: speech.say('letter.guest_code.subject', values),
      heading: speech.say('letter.guest_code.heading', values),
      paragraphs: [speech.say('letter.guest_code.text', values), speech.say('letter.guest_code.not_you')],
    }
  }
