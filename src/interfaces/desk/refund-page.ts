import { fullName, guestOf } from '../../domain/bookings/people-of-booking.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { refund } from '../../domain/desk/money/refund-booking.ts'
import { amountError, formatAmount, parseAmount } from '../../infra/i18n/format-amounts.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { GetBusinessBooking } from '../../protocol/types.generated.ts'
import { faultOfField } from '../pages/form-error-summary.ts'
import { hidden } from '../pages/form-inputs.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { amountFault, EXAMPLE_AMOUNT, isReversed, kindOf, refundableAmount } from './take-payment-form.ts'

type Read = GetBusinessBooking['output']

/**
 * Shows the page where staff refund a payment. Staff enter an amount, see how the money goes back to the buyer, and
 * confirm. A second submission of the form causes no second refund.
 */
export async function refundPage(
  id: string,
  form: URLSearchParams | undefined,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  const { say, money, locale } = localizer
  if (!isAllowed(deskRequest.who, refund)) return missingRolePage(refund, deskRequest)
  const answer = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const read = answer.result
  const { booking, details } = read
  const { currency } = details
  const left = refundableAmount(read)
  const text = form?.get('amount') ?? formatAmount(left, currency, locale)
  const amount = parseAmount(text, currency, locale)
  const tooMuch = amount && amount > left ? say('desk.refund.too_much', { left: money(left, currency) }) : undefined
  const { error, mark } = faultOfField('amount', amountError(text, EXAMPLE_AMOUNT, currency, localizer) ?? tooMuch)
  const formPage = (problem?: Content): DeskView => ({
    status: problem === undefined ? 200 : 409,
    title: say('desk.refund'),
    who: deskRequest.who,
    body: html`${problem !== undefined && html`<p class="note wrong" role="alert">${problem}</p>`}${whose(read)}
<form method="post"><label for="amount">${say('desk.amount')}</label>${error}<input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="20" value="${text}" required${mark}>
<button>${say('desk.refund')}</button></form>`,
  })
  if (form === undefined) return formPage()
  if (!amount) return formPage(amountFault('amount', 'amount', currency, localizer))
  if (form.get('sure') !== 'yes') {
    if (tooMuch !== undefined) return formPage(html`<a href="#amount">${say('desk.amount')}</a>: ${tooMuch}`)
    return {
      status: 200,
      title: say('desk.refund.sure', { amount: money(amount, currency) }),
      who: deskRequest.who,
      body: html`${whose(read)}${ways(read, amount, localizer)}
<form method="post" data-draft>${hidden({ amount: text, sure: 'yes' })}<button class="danger">${say('desk.refund.do', { amount: money(amount, currency) })}</button></form>
<p><a href="/desk/bookings/${booking.id}">${say('waiting.back')}</a></p>`,
    }
  }
  const { refusal } = await callAsStaff(refund, { booking_id: id, amount }, deskRequest, dependencies)
  if (refusal) return formPage(refusalText(refusal.code, localizer, 'desk.refund.none'))
  return { to: `/desk/bookings/${booking.id}` }
}

const whose = ({ booking }: Read): Content =>
  html`<p><a href="/desk/bookings/${booking.id}">${fullName(guestOf(booking))}</a> · ${booking.service_name}</p>`

/**
 * Lists the payments from which the amount would be refunded, the latest first. The payment provider returns online
 * payments. Staff return all other payments by hand.
 */
function ways({ payments, details: { currency } }: Read, amount: number, { say, money }: Localizer): Content {
  let open = amount
  const lines = payments.toReversed().flatMap((one) => {
    const isWrong = one.reverses !== undefined || isReversed(one, payments)
    const isOfBooking = one.purpose !== 'nothing_due' && one.purpose !== 'tip' && !isWrong
    const returned = one.refunds.reduce((sum, { amount: back }) => sum + back, 0)
    const back = isOfBooking ? Math.min(open, one.amount - returned) : 0
    open -= back
    return back > 0 ? [{ one, back }] : []
  })
  return html`<ul class="story">${lines.map(({ one, back }) => {
    const by = say(one.source === 'provider' ? 'desk.refund.self' : 'desk.refund.hand')
    return html`<li>${say(`desk.kind.${kindOf(one)}`)}: <strong>${money(back, currency)}</strong><br><span class="soft">${by}</span></li>
`
  })}</ul>`
}
