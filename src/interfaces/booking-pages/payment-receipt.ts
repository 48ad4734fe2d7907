import { restAtVisit } from '../../domain/bookings/booking-amounts-owed.ts'
import { keptAmountOf, type Receipt } from '../../domain/pricing/payment-amounts.ts'
import { dayText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { PageContext } from './load-booking-page-context.ts'

export function receipt({ booking, definition, localizer }: PageContext): Content {
  const { payment, zone } = booking.record
  if (!payment || payment.received.length === 0) return undefined
  const { say, money } = localizer
  const { currency } = payment
  const rest = restAtVisit(booking)
  const row = (title: Content, amount: number) =>
    html`<tr><th scope="row">${title}</th><td>${money(amount, currency)}</td></tr>
`
  return html`<h2 id="receipt">${say('booking.receipt')}</h2>
<table aria-labelledby="receipt">
<tbody>
${payment.received.map((one) => [
  row(
    html`${dayText(localizer, new Date(one.received_at), zone)}<br><span class="soft">${how(one, definition.business.name, localizer)}</span>`,
    one.amount,
  ),
  one.returned > 0 && row(say('booking.receipt.returned'), -one.returned),
])}</tbody>
<tfoot>${row(say('booking.receipt.kept'), keptAmountOf(payment))}${rest && row(say('booking.rest'), rest.amount)}</tfoot>
</table>`
}

function how({ provider, transaction_id, order_reference }: Receipt, business: string, { say }: Localizer): string {
  const way =
    provider === 'stripe'
      ? say('booking.receipt.card')
      : provider === undefined
        ? say('booking.receipt.platform')
        : say('booking.receipt.by_hand', { business })
  const number = order_reference ?? transaction_id
  return number === undefined ? way : say('booking.receipt.numbered', { way, number })
}
