import type { NotificationText } from '../../core/mails/notification-text.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { shortened } from '../../infra/util/plain-text.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { asNotification } from './text-messages.ts'

/** The kind of the text message that answers a message of a buyer which the server does not understand. */
export const UNREAD_REPLY = 'unread_reply'

/** Tells the buyer that the staff do not read the answers, and how to reach the business. */
export function unreadReplyText(
  page: string,
  { say }: Localizer,
  { business: { name }, website }: BusinessDefinition,
): NotificationText {
  const business = shortened(name, MAX_NAME_CHARACTERS)
  const phone = website?.contact?.phone
  const text = phone === undefined ? say('text.unread', { business }) : say('text.unread.call', { business, phone })
  return asNotification({ texts: [`${text} ${page}`, text], ignoresQuietHours: true })
}

const MAX_NAME_CHARACTERS = 30
