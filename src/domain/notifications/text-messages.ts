import type { NotificationText, TextMessage } from '../../core/mails/notification-text.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { shortened } from '../../infra/util/plain-text.ts'
import { asksForAttendance, type BuyerNotificationKind } from './buyer-notifications.ts'
import { type NotificationContext, valuesOf } from './notification-context.ts'

const texts: Partial<Record<BuyerNotificationKind, Message>> = {
  'booking.confirmed': 'text.confirmed',
  'booking.approved': 'text.confirmed',
  'booking.moved': 'text.moved',
  'booking.moved_by_business': 'text.moved',
  'booking.canceled': 'text.canceled',
  'booking.canceled_by_business': 'text.canceled_by_business',
  'booking.reminder': 'text.reminder',
}

/**
 * Returns the text message of a notification to the buyer. The result is empty if the notification has no text message. A
 * booking with open tasks gets none, because only the mail explains the tasks.
 */
export function textMessageTo(
  kind: BuyerNotificationKind,
  context: NotificationContext,
): Pick<NotificationText, 'textMessage'> {
  const message = texts[kind]
  const { booking, localizer, pageOf } = context
  if (message === undefined || booking.status === 'requires_action') return {}
  const isAsked = asksForAttendance(kind, booking)
  const values = textValuesOf(context, pageOf(isAsked ? 'attend' : 'manage'))
  const answer = isAsked ? 'text.reply' : message === 'text.confirmed' ? 'text.stop' : undefined
  return {
    textMessage: {
      texts: textsOf(message, values, localizer),
      ...(answer && { answerableTexts: textsOf(message, values, localizer, answer) }),
      until: booking.starts_at,
    },
  }
}

/** The kind of the text message that thanks a buyer who confirmed a visit with the answer 1. */
export const ATTENDING = 'booking.attending'

/** Thanks for the answer 1. The text names the visit, because a phone can get several reminders. */
export function attendanceText(context: NotificationContext): NotificationText {
  const { booking, localizer, pageOf } = context
  const texts = textsOf('text.attending', textValuesOf(context, pageOf('manage')), localizer)
  return asNotification({ texts, ignoresQuietHours: true, until: booking.starts_at })
}

/** A notification that the server sends only as a text message. The staff see the text as its subject. */
export const asNotification = (textMessage: TextMessage): NotificationText => ({
  subject: textMessage.texts.at(-1) ?? '',
  heading: textMessage.texts.at(-1) ?? '',
  paragraphs: [],
  textMessage,
})

interface TextValues {
  business: string
  service: string
  when: string
  url: string
}

function textValuesOf(context: NotificationContext, url: string): TextValues {
  const { others = [] } = context.booking
  const { business, service, short } = valuesOf(context)
  const when = others.length > 0 ? `${short} (+${others.length})` : `${short}`
  return { business: String(business), service: String(service), when, url }
}

/** The maximum numbers of characters of a name in a text message, and in one that does not fit otherwise. */
const NAME_CHARACTERS = [30, 14] as const

/**
 * Writes the same text message with a link, without it, and with shorter names. The server sends the first one that fits
 * into two segments. The sentence `answer` says what the buyer can answer.
 */
export function textsOf(
  message: Message,
  { business, service, when, url }: TextValues,
  { say }: Localizer,
  answer?: Message,
): string[] {
  const [text = '', shorter = ''] = NAME_CHARACTERS.map((most) =>
    [
      say(message, { business: shortened(business, most), service: shortened(service, most), when }),
      ...(answer === undefined ? [] : [say(answer)]),
    ].join(' '),
  )
  return [`${text} ${url}`, text, shorter]
}
