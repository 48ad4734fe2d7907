import { cancellationFacts, cancellationText } from '../../domain/bookings/cancellation-costs.ts'
import { isDepositRefundable, paymentFor } from '../../domain/pricing/booking-price.ts'
import { clockText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { formToken, trap } from '../pages/form-token.ts'
import type { View } from '../pages/page-layout.ts'
import { legalLine } from '../pages/policy-and-legal-links.ts'
import { minutesLeft, orderText, slotSummary } from '../pages/slot-summary.ts'
import { needsAddress, needsPhone, type ShownForm } from './buyer-form.ts'
import { addressFields, detailsSummary, notesField, personFields, textConsent } from './buyer-form-fields.ts'
import { termsTag } from './detect-changed-terms.ts'
import type { Held } from './find-hold-or-booking.ts'
import type { BookDependencies } from './step-request.ts'
import { queryOf } from './visitor-choices.ts'

export async function detailsPage(
  held: Held,
  { buyerForm, note }: ShownForm,
  localizer: Localizer,
  dependencies: BookDependencies,
): Promise<View> {
  const { say } = localizer
  const { plan } = held
  const { service } = plan
  const currentHold = { hold: held.hold.id, visit: held.visitor }
  const another = `/book/${service.id}?${queryOf(plan, { ...held.choice, currentHold })}`
  const isRefused = note !== undefined || buyerForm.faults.size > 0
  return {
    status: isRefused ? 422 : 200,
    title: say('book.details'),
    body: html`${detailsSummary(buyerForm, localizer, note)}
${timeLeft(held, localizer, dependencies.clock())}
${slotSummary(held.slot, { party: held.hold.spots, price: held.hold.price }, localizer)}
<form method="post" novalidate>
${formToken(dependencies)}${trap}<input type="hidden" name="terms" value="${termsTag(held, dependencies)}">
${personFields(buyerForm, localizer, { phone: needsPhone(service) })}
${await textConsent(buyerForm, localizer, dependencies)}
${needsAddress(service) && addressFields(buyerForm, localizer)}
${notesField(buyerForm, localizer)}
<p class="soft">${[...terms(held, localizer, dependencies.clock())].map((text) => html`${text} `)}</p>
${legalLine(plan.business, localizer)}
<button>${confirmText(held, localizer)}</button>
</form>
<p><a class="way" href="${another}">${say('book.other_time')}</a></p>`,
  }
}

function timeLeft({ hold: { expires_at }, plan }: Held, localizer: Localizer, now: Date): Content {
  return html`<p class="note" role="timer">${minutesLeft(expires_at, now, 'book.lapsed', localizer)} ${localizer.say('book.kept.until', { time: clockText(localizer, expires_at, plan.zone) })}</p>`
}

function confirmText({ plan, slot, hold }: Held, localizer: Localizer): string {
  const isAsked = plan.service.policies.confirmation_mode === 'manual'
  const payment = paymentFor(slot, hold.spots, hold.price)
  return orderText({ payment, isAsked, free: isAsked ? 'book.request' : 'book.confirm' }, localizer)
}

function* terms({ plan, slot, hold }: Held, localizer: Localizer, now: Date): Iterable<string> {
  const payment = paymentFor(slot, hold.spots, hold.price)
  if (plan.service.policies.confirmation_mode === 'manual')
    yield localizer.say('book.terms.manual', { business: plan.business.business.name })
  if (payment?.timing === 'at_service') yield localizer.say('book.terms.at_service')
  const { policies, pricing } = plan.service
  const agreed = {
    policies,
    deposit_refundable: isDepositRefundable(plan.service, hold.price),
    ...(payment && { payment }),
  }
  const facts = cancellationFacts(agreed, new Date(slot.time.start), now)
  yield* cancellationText(facts, { zone: plan.zone, currency: payment?.currency ?? pricing.currency }, localizer)
}
