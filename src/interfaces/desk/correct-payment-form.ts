import { correctPayment } from '../../domain/desk/money/correct-payment.ts'
import { formatAmount } from '../../infra/i18n/format-amounts.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { GetBusinessBooking } from '../../protocol/types.generated.ts'
import { hidden } from '../pages/form-inputs.ts'
import { type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { amountField, amountsText, IGNORE_ENTER, kindButtons } from './take-payment-form.ts'

/**
 * Shows forms that correct payments at the counter. Each form has a button for each payment kind, such as cash. If the
 * server refuses a form, the page shows the submitted values again.
 */
export function correctForms(
  { booking, payments, details: { currency } }: GetBusinessBooking['output'],
  { who, request: { localizer } }: DeskRequest,
  sent?: URLSearchParams,
): Content {
  const correctablePayments = payments.filter(({ correctable }) => correctable)
  if (correctablePayments.length === 0 || !isAllowed(who, correctPayment)) return undefined
  const { say, locale } = localizer
  const form = ({ id, amount, tip = 0, kind, purpose }: (typeof correctablePayments)[number]) => {
    const sentForm = sent?.get('payment') === id ? sent : undefined
    const field = (name: 'amount' | 'tip', sum: number) =>
      amountField(
        {
          id: `${name}-${id}`,
          name,
          value: sentForm?.get(name) ?? (sum > 0 ? formatAmount(sum, currency, locale) : ''),
        },
        currency,
        localizer,
      )
    return html`<form method="post" action="/desk/bookings/${booking.id}/payment" class="pay">${hidden({ payment: id })}${IGNORE_ENTER}
<p>${amountsText({ kind: kind ?? 'unsaid', amount, tip, currency }, localizer)}</p>
<div class="sums">${purpose !== 'tip' && field('amount', amount)}${field('tip', tip)}</div>
${kindButtons(say)}
<button class="danger" name="kind" value="none">${say('desk.pay.wrong.none')}</button></form>
`
  }
  return html`<details${sent && html` open`}><summary>${say('desk.pay.wrong')}</summary>
<p class="hint">${say('desk.pay.wrong.text')}</p>
${correctablePayments.toReversed().map(form)}</details>`
}
