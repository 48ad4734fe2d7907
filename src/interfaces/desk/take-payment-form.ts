import { markPaid } from '../../domain/desk/money/mark-booking-paid.ts'
import { COUNTER_KINDS, type CounterKind } from '../../domain/payments/queries.ts'
import { amountError, amountHelp, formatAmount } from '../../infra/i18n/format-amounts.ts'
import { shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { openSealed } from '../../protocol/open-sealed-content.ts'
import type { GetBusinessBooking } from '../../protocol/types.generated.ts'
import { faultOfField } from '../pages/form-error-summary.ts'
import { type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'

/** The example amount in help texts, in minor units of the currency, such as cents. */
export const EXAMPLE_AMOUNT = 1250
/** The number of seconds for which the booking page shows the note about a recorded payment. */
const NOTE_LIFETIME_SECONDS = 600

/**
 * A payment that a staff member has just recorded: the kind, the amount, the tip and the received cash. All amounts are
 * in minor units of the currency, such as cents.
 */
export type RecordedPayment = [kind: CounterKind, amount: number, tip: number, given: number]

/** Returns the money received for a booking minus its refunds, in minor units of the currency, such as cents. */
export const refundableAmount = ({ details: { collected = 0, refunded = 0 } }: GetBusinessBooking['output']): number =>
  collected - refunded

/**
 * The form to record a payment at the counter, with a button for each payment kind, such as cash. If the server refuses
 * the form, the page shows the submitted values again. A second submission records no second payment.
 */
export function payForm(
  { booking, details: { to_pay, currency } }: GetBusinessBooking['output'],
  { who, request: { localizer } }: DeskRequest,
  sent?: URLSearchParams,
): Content {
  if (to_pay === undefined || !isAllowed(who, markPaid)) return undefined
  const { say, money, locale } = localizer
  const field = (name: 'amount' | 'tip' | 'given', value = '') =>
    amountField({ id: `pay-${name}`, name, value: sent?.get(name) ?? value }, currency, localizer)
  const title = to_pay > 0 ? html`${say('desk.pay')} · ${money(to_pay, currency)}` : say('desk.pay.tip')
  return html`<details${sent && html` open`}><summary>${title}</summary>
<form method="post" action="/desk/bookings/${booking.id}/pay" class="pay">${IGNORE_ENTER}
<div class="sums">${to_pay > 0 && field('amount', formatAmount(to_pay, currency, locale))}${field('tip')}${field('given')}</div>
${kindButtons(say)}</form></details>`
}

export function amountField(
  { id, name, value }: { id: string; name: 'amount' | 'tip' | 'given'; value: string },
  currency: string,
  localizer: Localizer,
): Content {
  const { error, mark } = faultOfField(id, amountError(value, EXAMPLE_AMOUNT, currency, localizer))
  return html`<div><label for="${id}">${localizer.say(`desk.${name}`)}</label>${error}<input id="${id}" name="${name}" inputmode="decimal" autocomplete="off" maxlength="20" value="${value}"${mark}></div>
`
}

/**
 * Returns an error text that names the wrong amount in a payment form. The text links to the form field and contains an
 * example.
 */
export const amountFault = (id: string, name: 'amount' | 'tip' | 'given', currency: string, localizer: Localizer) =>
  html`<a href="#${id}">${localizer.say(`desk.${name}`)}</a>: ${amountHelp(localizer, EXAMPLE_AMOUNT, currency)}`

export const kindButtons = (say: Localizer['say']): Content =>
  html`<div class="picks">${COUNTER_KINDS.map(
    (kind) => html`<button class="plain" name="kind" value="${kind}">${say(`desk.kind.${kind}`)}</button>
`,
  )}</div>`

/**
 * A hidden and disabled first button of a payment form. The Enter key presses the first button of a form. In this form,
 * Enter must do nothing, because each visible button states how the customer paid.
 */
export const IGNORE_ENTER = html`<button disabled hidden></button>`

const scopeOf = (id: string) => `taken for ${id}`

/**
 * Converts a recorded payment to a signed token for the URL of the next page. Only this server can create such a token.
 */
export const sealRecordedPayment = (
  id: string,
  payment: RecordedPayment,
  { cursors, clock }: DeskDependencies,
): string => cursors.seal(scopeOf(id), payment, clock())

export function recordedPaymentNote(
  { booking: { id }, details: { currency } }: GetBusinessBooking['output'],
  sealed: string | null,
  { say, money }: Localizer,
  { cursors, clock }: DeskDependencies,
): Content {
  if (sealed === null) return undefined
  const payment = openSealed(() => cursors.open(scopeOf(id), sealed, clock(), NOTE_LIFETIME_SECONDS) as RecordedPayment)
  if (!payment) return undefined
  const [kind, amount, tip, given] = payment
  const change = given - amount - tip
  return html`<div class="note" role="status"><strong>${say('desk.paid')}</strong><br>${amountsText({ kind, amount, tip, currency }, { say, money })}${
    given > 0 && html`<p class="change">${say('desk.change')}: <strong>${money(change, currency)}</strong></p>`
  }</div>`
}

type Entry = GetBusinessBooking['output']['payments'][number]

export const kindOf = ({ source, kind }: Entry) =>
  source === 'provider' ? 'online' : source === 'platform' ? 'platform' : (kind ?? 'unsaid')

export function amountsText(
  { kind, amount, tip, currency }: { kind: ReturnType<typeof kindOf>; amount: number; tip: number; currency: string },
  { say, money }: Pick<Localizer, 'say' | 'money'>,
): string {
  const sums: [Message, number][] = [
    [`desk.kind.${kind}`, amount],
    ['desk.tip', tip],
  ]
  return sums.flatMap(([label, sum]) => (sum > 0 ? `${say(label)}: ${money(sum, currency)}` : [])).join(' · ')
}

/**
 * Lists the payments of a booking with their times. A payment that staff corrected has a line through it. The list
 * omits the entries that reverse such payments.
 */
export const paidLines = (payments: readonly Entry[], localizer: Localizer, zone: string): Content =>
  payments
    .filter(({ reverses }) => reverses === undefined)
    .map((one) => {
      const text = amountsText({ ...one, kind: kindOf(one), tip: one.tip ?? 0 }, localizer)
      const isWrong = isReversed(one, payments)
      return html`${isWrong ? html`<s>${text}</s> ${localizer.say('desk.pay.corrected')}` : text}<br>
<span class="soft">${shortMomentText(localizer, new Date(one.received_at), zone)}</span><br>`
    })

export const isReversed = ({ id }: Entry, payments: readonly Entry[]): boolean =>
  payments.some(({ reverses }) => reverses === id)
