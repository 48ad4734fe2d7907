import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { markPaid } from '../../domain/desk/money/mark-booking-paid.ts'
import { COUNTER_KINDS } from '../../domain/payments/queries.ts'
import { parseAmount } from '../../infra/i18n/format-amounts.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { Content } from '../../infra/util/html-template.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import { bookingPage } from './booking-page.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer } from './desk-page.ts'
import { amountFault, sealRecordedPayment } from './take-payment-form.ts'

/**
 * Records a payment at the counter, and redirects to the page of the booking. A note on that page shows the change to
 * give back to the customer.
 */
export async function recordPayment(
  id: string,
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  const { say, money, locale } = localizer
  if (!isAllowed(deskRequest.who, markPaid)) return missingRolePage(markPaid, deskRequest)
  const before = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (before.refusal) return undefined
  const { currency, to_pay = 0 } = before.result.details
  const again = (text: Content) => bookingPage(id, deskRequest, dependencies, { text, isRefusal: true, form })
  const sumOf = (name: string) => {
    const text = form.get(name)?.trim() ?? ''
    return text === '' ? 0 : parseAmount(text, currency, locale)
  }
  const sums = { amount: sumOf('amount'), tip: sumOf('tip'), given: sumOf('given') }
  const { amount, tip, given: wasGiven } = sums
  const kind = COUNTER_KINDS.find((one) => one === form.get('kind'))
  if (!kind) return again(say('desk.kind.none'))
  if (amount === undefined || tip === undefined || wasGiven === undefined || amount + tip === 0)
    return again(faultyAmount(sums, { to_pay, currency }, localizer))
  const given = kind === 'cash' ? wasGiven : 0
  if (given > 0 && given < amount + tip) return again(say('desk.given.less', { sum: money(amount + tip, currency) }))
  const { refusal } = await callAsStaff(
    markPaid,
    { booking_id: id, amount, kind, ...(tip > 0 && { tip }) },
    deskRequest,
    dependencies,
  )
  const isTooMuch = refusal?.path === '$.amount'
  if (isTooMuch) return again(say('desk.pay.too_much', { open: money(to_pay, currency) }))
  if (refusal) return again(refusalText(refusal.code, localizer, 'desk.pay.none'))
  const sealedPayment = sealRecordedPayment(before.result.booking.id, [kind, amount, tip, given], dependencies)
  return { to: `/desk/bookings/${before.result.booking.id}?taken=${encodeURIComponent(sealedPayment)}` }
}

/**
 * Returns an error text for an amount that the server cannot read. If all amounts are readable, but the payment is
 * zero, the text names the first field of the form.
 */
function faultyAmount(
  sums: Record<'amount' | 'tip' | 'given', number | undefined>,
  { to_pay, currency }: { to_pay: number; currency: string },
  localizer: Localizer,
): Content {
  const unread = (['amount', 'tip', 'given'] as const).find((name) => sums[name] === undefined)
  const name = unread ?? (to_pay > 0 ? 'amount' : 'tip')
  return amountFault(`pay-${name}`, name, currency, localizer)
}
