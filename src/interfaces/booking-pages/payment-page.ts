import { isClaimed, restAtVisit } from '../../domain/bookings/booking-amounts-owed.ts'
import { type BookingRow, isBeingChecked } from '../../domain/bookings/booking-row.ts'
import { claimPayment } from '../../domain/bookings/report-payment-by-buyer.ts'
import { itemText } from '../../domain/bookings/translate-booking-texts.ts'
import { startCheckout } from '../../domain/checkouts/start-checkout.ts'
import { onlineProvider } from '../../domain/payments/find-payment-provider.ts'
import { ProviderError } from '../../domain/payments/payment-provider.ts'
import { type Payment, taxOfDue } from '../../domain/pricing/payment-amounts.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { View } from '../pages/page-layout.ts'
import { shortSummary } from './booking-summary.ts'
import { taskStatusView } from './closed-task-page.ts'
import { deadlineText, openTasks, showsOtherTasks } from './list-open-tasks.ts'
import type { PageContext, PageKind } from './load-booking-page-context.ts'
import { CLAIM, claimedNote, manualPayment } from './report-manual-payment.ts'
import { platformLink } from './return-to-platform-link.ts'

export const payment: PageKind = {
  show: (context, dependencies) => paymentView(context, dependencies),
  async submit(context, form, dependencies) {
    const name = onlineProvider(context.definition, dependencies.config)
    if (!name && form.get('do') === CLAIM)
      await dependencies.makeChange((tx) => claimPayment(tx, context.booking.id, dependencies.clock()))
    const provider = name && (await dependencies.payments.find(name))
    if (!provider) return undefined
    try {
      const to = await startCheckout(dependencies, { name, provider }, context.booking.id, {
        localizer: context.localizer,
      })
      return to === undefined ? undefined : { to }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      dependencies.log.error(
        { err: error, booking: context.booking.id },
        'The payment provider opened no checkout for a booking.',
      )
      return paymentView(context, dependencies, {
        status: 503,
        note: context.localizer.say('booking.payment.unreachable'),
      })
    }
  },
}

export function paymentView(
  context: PageContext,
  { config }: Dependencies<'config'>,
  { status = 200, note }: { status?: number; note?: string } = {},
): View {
  const { booking, localizer } = context
  const { record } = booking
  const { say, money } = localizer
  const ended = taskStatusView(context, 'payment')
  if (ended || !record.payment) return ended ?? nothingToPay(localizer)
  if (isBeingChecked(booking, context.now)) return checking(context, status)
  return {
    status,
    title: isClaimed(booking)
      ? say('booking.payment.claimed.title')
      : say('booking.payment', { amount: money(record.payment.due, record.payment.currency) }),
    formTargets: true,
    body: html`${note !== undefined && html`<p class="note" role="status">${note}</p>`}
${isClaimed(booking) && claimedNote(context)}
${shortSummary(context)}
${!isClaimed(booking) && html`<p>${whatFor(booking, localizer)} ${deadlineText(context)}</p>${bill(context, record.payment)}`}
${onlineProvider(context.definition, config) ? online(context) : manualPayment(context)}
${ways(context)}
${showsOtherTasks(context, 'payment') && openTasks(context, 'payment')}`,
  }
}

/**
 * The payment page after the payment deadline, while the result of a payment is still unknown. The payment provider has
 * not reported yet whether the payment succeeded.
 */
const checking = (context: PageContext, status: number): View => ({
  status,
  title: context.localizer.say('booking.payment.checking'),
  body: html`<p class="note" role="status">${deadlineText(context)}</p>
${shortSummary(context)}
${platformLink(context.booking, context.localizer)}`,
})

function whatFor(booking: BookingRow, { say, money }: Localizer): string {
  const rest = restAtVisit(booking)
  const isFirst = booking.record.payment?.received.length === 0
  return rest && isFirst
    ? say('booking.payment.text.deposit', { rest: money(rest.amount, rest.currency) })
    : say('booking.payment.text')
}

const nothingToPay = ({ say }: Localizer): View => ({
  status: 200,
  title: say('booking.payment.none'),
  body: html`<p>${say('booking.payment.none.text')}</p>`,
})

function bill(context: PageContext, payment: Payment): Content {
  const { items, due, currency } = payment
  const { say, money } = context.localizer
  const tax = taxOfDue(payment)
  const row = (label: string, amount: number) =>
    html`<tr><th scope="row">${label}</th><td>${money(amount, currency)}</td></tr>`
  const itemLabel = (label: string) => itemText(context.booking, context.definition, context.localizer, label)
  return html`<h2 id="due">${say('booking.payment.due')}</h2>
<table aria-labelledby="due">
<tbody>
${items.map(({ label, amount, quantity }) =>
  row(quantity === 1 ? itemLabel(label) : `${quantity} × ${itemLabel(label)}`, amount * quantity),
)}
${tax > 0 && row(say('booking.payment.tax'), tax)}
</tbody>
<tfoot>${row(say('booking.payment.now'), due)}</tfoot>
</table>`
}

/**
 * The form that starts an online payment. It also appears on the pages `/back` and `/done`, to which the payment
 * provider returns the buyer. Therefore the form names the payment page as its target.
 */
const online = ({
  pathOf,
  localizer: { say },
}: PageContext): Content => html`<form method="post" action="${pathOf('payment')}" target="_top"><button>${say('booking.payment.card')}</button></form>
<p class="soft">${say('booking.payment.stripe')}</p>`

function ways({ booking, isOpenedBefore, pathOf, localizer }: PageContext): Content {
  const way = (to: string, label: string) => html`<p><a class="way" href="${to}">${label}</a></p>`
  const leadsBack = booking.record.return_request !== undefined
  const isAtHome = isOpenedBefore && !leadsBack
  return html`${platformLink(booking, localizer)}
${!leadsBack && !isAtHome && !isClaimed(booking) && way(`${pathOf('payment')}/back`, localizer.say('booking.payment.back'))}
${(isAtHome || (isOpenedBefore && isClaimed(booking))) && way(pathOf('manage'), localizer.say('booking.see'))}`
}
