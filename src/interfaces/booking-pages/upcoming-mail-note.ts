import { willMail } from '../../core/mails/build-queued-mails.ts'
import { nextMail } from '../../domain/bookings/next-expected-mail.ts'
import type { MailNeed } from '../../domain/bookings/notification-rules.ts'
import { mailedBuyer } from '../../domain/bookings/notify-about-booking.ts'
import { isRemindedByMail } from '../../domain/bookings/send-reminders.ts'
import { maskedEmail } from '../../infra/util/email-address.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { PageContext } from './load-booking-page-context.ts'

export function nextMailText({ booking, isMailSetUp, definition, now, localizer }: PageContext): Content {
  const isSent = (need: MailNeed) => willMail(mailedBuyer(booking, need), { isMailSetUp, definition })
  const isReminded = isRemindedByMail(booking, definition, now)
  const mail = nextMail(booking, { isSent, isReminded, now })
  const email = maskedEmail(booking.people.buyer.email)
  return mail && html`<p>${localizer.say(`booking.mail.${mail}`, { email })}</p>`
}
