import { isClaimed } from '../../domain/bookings/booking-amounts-owed.ts'
import { referenceOf } from '../../domain/bookings/booking-response.ts'
import type { BookingRow } from '../../domain/bookings/booking-row.ts'
import { amountToPay, paymentInstructions } from '../../domain/bookings/payment-instructions.ts'
import { giroCode } from '../../domain/payments/bank-transfer-qr.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { contactLinks } from '../pages/business-contact-links.ts'
import { claimedText } from './list-open-tasks.ts'
import type { PageContext } from './load-booking-page-context.ts'
import { qrCode } from './qr-code.ts'
import { nextMailText } from './upcoming-mail-note.ts'

/** The value of the form field `do` if the buyer reports (claims) that they have made a manual payment. */
export const CLAIM = 'claim'

/**
 * Instructions for a manual payment, such as a bank transfer, and a form for the buyer to report the payment. Only the
 * business can confirm the payment.
 */
export function manualPayment(context: PageContext): Content {
  const { booking, definition, localizer } = context
  const { say } = localizer
  // After the buyer has reported the payment, the page no longer asks for the payment. The page still contains the
  // payment instructions, such as the bank account.
  if (isClaimed(booking))
    return html`<details><summary>${say('booking.payment.how')}</summary>${howToPay(context)}</details>
${context.isOpenedBefore && nextMailText(context)}`
  return html`<h2>${say('booking.payment.how')}</h2>
${howToPay(context)}
${context.isOpenedBefore && nextMailText(context)}
<p>${say('booking.payment.by_hand', { business: definition.business.name })}</p>
<form method="post" action="${context.pathOf('payment')}"><button name="do" value="${CLAIM}">${say('booking.payment.claim')}</button></form>`
}

function howToPay({ booking, definition, localizer }: PageContext): Content {
  const { paragraphs, rows } = paymentInstructions(definition, booking, localizer)
  const { language = 'en' } = definition.business
  // The page shows links to contact the business only if it shows no bank account for the payment.
  const links = rows.length > 0 ? [] : contactLinks(definition)
  const isOwnWords = (text: string) => text === definition.payments?.manual?.how
  return html`${paragraphs.map((text) => (isOwnWords(text) ? html`<p class="text" dir="auto" lang="${language}">${text}</p>` : html`<p>${text}</p>`))}
${rows.length > 0 && html`<dl>${rows.map((row) => rowToCopy(row, localizer))}</dl>`}
${codeOf(booking, definition, localizer)}
${links.length > 0 && html`<ul class="reach">${links.map((link) => html`<li>${link}</li>`)}</ul>`}`
}

/**
 * A row with a value, such as a bank account, and a button to copy the value. The button is visible only if the browser
 * runs scripts.
 */
const rowToCopy = ([name, value]: [string, string], { say }: Localizer): Content =>
  html`<div><dt>${name}</dt><dd>${value}</dd><dd class="copy" data-needed><button type="button" class="plain" data-copy="${value}" data-done="${say('booking.payment.copied')}" aria-label="${say('booking.payment.copy')}: ${name}">${say('booking.payment.copy')}</button></dd></div>`

function codeOf(booking: BookingRow, { payments }: BusinessDefinition, { say }: Localizer): Content {
  const [account, sum] = [payments?.manual?.bank_transfer, amountToPay(booking)]
  const code = account && sum && giroCode(account, sum, referenceOf(booking))
  return code && html`<p>${say('booking.payment.code')}</p>${qrCode(code, say('booking.payment.code'))}`
}

/**
 * A note at the top of the page after the buyer has reported the payment. The note names the deadline for the business
 * to confirm the payment.
 */
export const claimedNote = (context: PageContext): Content =>
  html`<p class="note" role="status">${claimedText(context)}</p>`
