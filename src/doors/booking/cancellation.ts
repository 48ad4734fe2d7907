import type { BookingRow } from '../../bookings/booking-row.ts'
import { next } from '../../bookings/lifecycle.ts'
import { cancellationTerms } from '../../bookings/policies.ts'
import { netOf } from '../../payments/payment.ts'
import { Outcome } from '../../protocol/errors.ts'
import { money } from '../pages/format.ts'
import { type Content, html } from '../pages/html.ts'
import type { PageContext } from './page-context.ts'

export const REASON_LENGTH = 2000

export type Terms = { allowed: true; fee: number; refund: number } | { allowed: false; why: string }

/** What canceling costs now, or why the buyer cannot; nothing where there is nothing to cancel any more. */
export function termsOf(booking: BookingRow, now: Date): Terms | undefined {
  if (next(booking.status, 'cancel') === undefined) return undefined
  try {
    return { allowed: true, ...cancellationTerms(booking, 'buyer', now) }
  } catch (error) {
    if (error instanceof Outcome) return { allowed: false, why: error.message }
    throw error
  }
}

/** What the page said of it, sent back with the form. */
export const sealOf = ({ fee, refund }: { fee: number; refund: number }) => `${fee} ${refund}`

/** The form that cancels, under what it costs. */
export function cancellation(context: PageContext): Content {
  const terms = termsOf(context.booking, context.now)
  if (!terms) return undefined
  if (!terms.allowed) return html`<p class="soft">${terms.why}</p>`
  return html`<h2>Cancel this booking</h2>
<p>${cost(context, terms)}</p>
<form method="post">
<input type="hidden" name="terms" value="${sealOf(terms)}">
<label for="reason">Reason <span class="hint">(if you like)</span></label>
<textarea id="reason" name="reason" rows="2" maxlength="${REASON_LENGTH}"></textarea>
<button class="danger">Cancel the booking</button>
</form>`
}

function cost({ booking, definition }: PageContext, { fee, refund }: { fee: number; refund: number }): string {
  const { payment } = booking.record
  const currency = payment?.currency ?? definition.business.currency
  const net = netOf(payment)
  const amount = (minorUnits: number) => money(minorUnits, currency)
  if (net === 0)
    return fee > 0 ? `Canceling now costs ${amount(fee)}, to be paid to the business.` : 'Canceling is free.'
  if (refund === net) return `Canceling is free: the ${amount(net)} you paid goes back to you.`
  if (refund === 0) return `Canceling now costs the ${amount(net)} you paid: nothing of it goes back.`
  return `Canceling now costs ${amount(net - refund)}: of the ${amount(net)} you paid, ${amount(refund)} goes back to you.`
}
