import { startCheckout } from '../../checkouts/start-checkout.ts'
import type { Payment } from '../../payments/payment.ts'
import { ProviderError } from '../../payments/provider.ts'
import { onlineProvider } from '../../payments/providers.ts'
import type { Means } from '../../protocol/means.ts'
import { money } from '../pages/format.ts'
import { type Content, html } from '../pages/html.ts'
import type { View } from '../pages/layout.ts'
import { deadlineText, openTasks } from './open-tasks.ts'
import type { PageContext } from './page-context.ts'
import type { PageKind } from './page-kind.ts'
import { summary } from './summary.ts'
import { taskStatusView } from './task-status.ts'

/** Where the buyer pays, or learns how to. */
export const payment: PageKind = {
  show: (context, means) => paymentView(context, means),
  async submit(context, _, means) {
    const name = onlineProvider(context.definition, means.config)
    const provider = name && (await means.payments.named(name))
    if (!provider) return undefined
    try {
      const to = await startCheckout(means, { name, provider }, context.booking.id)
      return to === undefined ? undefined : { to }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      means.log.error({ err: error, booking: context.booking.id }, 'no checkout')
      return paymentView(context, means, {
        status: 503,
        note: 'We cannot reach the payment service just now. Please try again in a moment.',
      })
    }
  },
}

/** The page as it stands, with a word on what has just happened. */
export function paymentView(
  context: PageContext,
  { config }: Means<'config'>,
  { status = 200, note }: { status?: number; note?: string } = {},
): View {
  const { record } = context.booking
  const ended = taskStatusView(context, 'payment')
  if (ended || !record.payment) return ended ?? standingStill
  return {
    status,
    title: `Pay ${money(record.payment.due, record.payment.currency)}`,
    leadsOut: true,
    body: html`${note !== undefined && html`<p class="note" role="status">${note}</p>`}
<p>Your booking is confirmed once it is paid. ${deadlineText(context)}</p>
${summary(context)}
${bill(record.payment)}
${onlineProvider(context.definition, config) ? online : byHand(context)}
<p><a href="${context.pathOf('payment')}/back">Go back without paying</a></p>
${openTasks(context, 'payment')}`,
  }
}

const standingStill: View = { status: 200, title: 'Nothing to pay', body: html`<p>This booking costs nothing.</p>` }

function bill({ items, due, currency }: Payment): Content {
  const tax = due - items.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0)
  const row = (label: string, amount: number) =>
    html`<tr><th scope="row">${label}</th><td>${money(amount, currency)}</td></tr>`
  return html`<h2 id="due">What is due</h2>
<table aria-labelledby="due">
<tbody>
${items.map(({ label, amount, quantity }) => row(quantity === 1 ? label : `${quantity} × ${label}`, amount * quantity))}
${tax > 0 && row('Tax', tax)}
</tbody>
<tfoot>${row('To be paid now', due)}</tfoot>
</table>`
}

const online = html`<form method="post"><button>Pay by card</button></form>
<p class="soft">You pay on the secure page of Stripe. We never see your card.</p>`

function byHand({ definition, pathOf }: PageContext): Content {
  const { name, url = '' } = definition.business
  const contact = /^https?:/i.test(url) ? html`<a href="${url}" rel="noreferrer">${name}</a>` : name
  return html`<h2>How to pay</h2>
<p>${contact} takes this payment in person or by phone. Please get in touch with them; your booking is confirmed as soon as they have noted your payment.</p>
<p><a class="button" href="${pathOf('payment')}/done">I have paid</a></p>`
}
