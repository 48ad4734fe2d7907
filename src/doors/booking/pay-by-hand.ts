import { type Content, html } from '../../basics/html.ts'
import { isClaimed } from '../../bookings/claimed-payment.ts'
import { paymentInstructions } from '../../bookings/payment-instructions.ts'
import { contactLinks } from '../pages/contact.ts'
import { claimedText } from './open-tasks.ts'
import type { PageContext } from './page-context.ts'
import { whatComesByMail } from './what-comes-by-mail.ts'

/** What the form says that tells the staff of a payment. */
export const CLAIM = 'claim'

/** How the business wants to be paid, and a form that tells it so. Whether money has come in, only the business can say. */
export function payByHand(context: PageContext): Content {
  const { booking, definition, speech } = context
  const { say } = speech
  const { paragraphs, rows } = paymentInstructions(definition, booking, speech)
  const { name: business, language = 'en' } = definition.business
  // Who has an account to pay into need not ask how.
  const links = rows.length > 0 ? [] : contactLinks(definition)
  const isOwnWords = (text: string) => text === definition.payments?.manual?.how
  return html`<h2>${say('booking.payment.how')}</h2>
${paragraphs.map((text) => (isOwnWords(text) ? html`<p class="text" dir="auto" lang="${language}">${text}</p>` : html`<p>${text}</p>`))}
${rows.length > 0 && html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
${links.length > 0 && html`<ul class="reach">${links.map((link) => html`<li>${link}</li>`)}</ul>`}
${context.isOpenedBefore && whatComesByMail(context)}
${
  !isClaimed(booking) &&
  html`<p>${say('booking.payment.by_hand', { business })}</p>
<form method="post" action="${context.pathOf('payment')}"><button name="do" value="${CLAIM}">${say('booking.payment.claim')}</button></form>`
}`
}

/** What has become of it so far, and until when the business can confirm it, before all else. */
export const claimed = (context: PageContext): Content =>
  html`<p class="note" role="status">${claimedText(context)}</p>`
