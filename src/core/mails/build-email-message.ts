import type { SendMailOptions } from 'nodemailer'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { oneLine } from '../../infra/util/plain-text.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { mailHtml } from './mail-html.ts'
import { mailText } from './mail-text.ts'
import type { NotificationText } from './notification-text.ts'

interface Envelope {
  id: string
  from: string
  recipient: string
  baseUrl: string
  localizer: Localizer
}

export function messageOf(
  letter: NotificationText,
  definition: BusinessDefinition,
  { id, from, recipient, baseUrl, localizer }: Envelope,
): SendMailOptions {
  const { calendar } = letter
  const replyTo = definition.mails?.reply_to ?? definition.website?.contact?.email
  return {
    messageId: messageId(id, baseUrl),
    from,
    // The mail library splits a recipient text at each comma. Therefore the recipient is an object.
    to: { name: '', address: recipient },
    ...(replyTo !== undefined && { replyTo: { name: oneLine(definition.business.name), address: replyTo } }),
    subject: oneLine(letter.subject),
    text: mailText(letter, definition, localizer),
    html: mailHtml(letter, definition, localizer),
    ...(calendar && {
      icalEvent: {
        method: calendar.method,
        content: calendar.text,
        filename: calendar.method === 'CANCEL' ? 'cancel.ics' : 'invite.ics',
      },
    }),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': localizer.language },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * Returns the message id of a mail. All attempts to send a mail use the same id. Therefore a mail program can recognize
 * a mail that arrives twice.
 */
export const messageId = (id: string, baseUrl: string): string => `<${id}@${new URL(baseUrl).hostname}>`
