import { cancel } from '../../domain/bookings/cancel-and-refund.ts'
import { lockAndExpire } from '../../domain/bookings/lock-and-save-booking.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { getInTouch } from '../pages/business-contact-links.ts'
import type { Answer } from '../pages/page-layout.ts'
import { truncated } from '../pages/read-form-and-query.ts'
import { summary } from './booking-summary.ts'
import { type Costs, cancelingCostText, shownCancelingCosts, termsOf } from './cancellation-cost-text.ts'
import type { PageContext, PageKind } from './load-booking-page-context.ts'

const REASON_LENGTH = 2000

export const cancelPage: PageKind = {
  show: (context) => confirmCancel(context),
  async submit(context, form, dependencies) {
    const now = dependencies.clock()
    const disputed = await dependencies.makeChange(async (tx) => {
      const booking = await lockAndExpire(tx, context.booking.id, undefined, now)
      const terms = booking && termsOf(booking, now)
      if (!booking || !terms?.allowed) return undefined
      // The buyer agreed to the cancellation cost on the page. The page can be old, so the server compares this cost
      // with the current cost.
      if (form.get('terms') !== shownCancelingCosts(terms)) return booking
      const reason = truncated(REASON_LENGTH, form.get('reason')?.trim() ?? '')
      await cancel(tx, booking, { by: 'buyer', actor: 'buyer', ...(reason && { reason }) }, now)
      return undefined
    })
    if (!disputed) return { to: context.pathOf('manage') }
    return confirmCancel({ ...context, booking: disputed, now }, context.localizer.say('booking.cancel.changed'))
  },
}

function confirmCancel(context: PageContext, note?: string): Answer {
  const { booking, now, pathOf, localizer } = context
  const { say } = localizer
  const terms = termsOf(booking, now)
  // If `terms` is undefined, the booking has ended, and the buyer can no longer cancel it. The booking page shows its
  // final state.
  if (!terms) return { to: pathOf('manage') }
  const back = (label: string) => html`<p><a class="button plain" href="${pathOf('manage')}">${label}</a></p>`
  if (!terms.allowed)
    return {
      status: 200,
      title: say('booking.cancel'),
      body: html`<p class="note">${say(`booking.cancel.${terms.why}`)}</p>
${getInTouch(context)}
${summary(context)}
${back(say('booking.back'))}`,
    }
  return {
    status: note === undefined ? 200 : 409,
    title: say('booking.cancel.title'),
    body: html`${note !== undefined && html`<p class="note wrong" role="alert">${note}</p>`}
<p class="note">${cancelingCostText(context, terms)}</p>
${summary(context)}
${form(context, terms)}
${back(say('booking.keep'))}`,
  }
}

const form = ({ localizer: { say } }: PageContext, terms: Costs): Content => html`<form method="post">
<input type="hidden" name="terms" value="${shownCancelingCosts(terms)}">
<label for="reason">${say('booking.cancel.reason')} <span class="hint">${say('booking.optional')}</span></label>
<textarea id="reason" name="reason" rows="2" maxlength="${REASON_LENGTH}"></textarea>
<button class="danger">${say('booking.cancel.do')}</button>
</form>`
