import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { markPaid } from '../../domain/desk/money/mark-booking-paid.ts'
import { COUNTER_KINDS } from '../../domain/payments/queries.ts'
import { amountHelp, parseAmount } from '../../infra/i18n/format-amounts.ts'
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
import { EXAMPLE_AMOUNT, sealRecordedPayment } from './take-payment-form.ts'

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
  const again = (text: string) => bookingPage(id, deskRequest, dependencies, { text, isRefusal: true, form })
  const sumOf = (name: string) => {
    const text = form.get(name)?.trim() ?? ''
    return text === '' ? 0 : parseAmount(text, currency, locale)
  }
  const [amount, tip, wasGiven] = [sumOf('amount'), sumOf('tip'), sumOf('given')]
  const kind = COUNTER_KINDS.find((one) => one === form.get('kind'))
  if (!kind) return again(say('book.send_again'))
  if (amount === undefined || tip === undefined || wasGiven === undefined || amount + tip === 0)
    return again(amountHelp(localizer, EXAMPLE_AMOUNT, currency))
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
  if (refusal) return again(refusalText(refusal.code, localizer, 'desk.refused'))
  const sealedPayment = sealRecordedPayment(before.result.booking.id, [kind, amount, tip, given], dependencies)
  return { to: `/desk/bookings/${before.result.booking.id}?taken=${encodeURIComponent(sealedPayment)}` }
}
