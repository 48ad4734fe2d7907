import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { correctPayment } from '../../domain/desk/money/correct-payment.ts'
import { COUNTER_KINDS } from '../../domain/payments/queries.ts'
import { parseAmount } from '../../infra/i18n/format-amounts.ts'
import type { Content } from '../../infra/util/html-template.ts'
import { ignoreNotFound } from '../../pipeline/call-operation-from-page.ts'
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
import { amountFault } from './take-payment-form.ts'

export async function submitPaymentCorrection(
  id: string,
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer } = deskRequest.request
  const { say, money, locale } = localizer
  if (!isAllowed(deskRequest.who, correctPayment)) return missingRolePage(correctPayment, deskRequest)
  const before = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (before.refusal) return undefined
  const { currency, to_pay = 0 } = before.result.details
  const again = (text: Content) => bookingPage(id, deskRequest, dependencies, { text, isRefusal: true, form })
  const sumOf = (name: string) => (form.get(name)?.trim() ? parseAmount(form.get(name) ?? '', currency, locale) : 0)
  const kind = COUNTER_KINDS.find((one) => one === form.get('kind'))
  const [amount, tip] = kind ? [sumOf('amount'), sumOf('tip')] : [0, 0]
  const payment_id = form.get('payment') || '-'
  if (amount === undefined || tip === undefined || (kind && amount + tip === 0)) {
    const name = amount === undefined || (form.has('amount') && tip !== undefined) ? 'amount' : 'tip'
    return again(amountFault(`${name}-${payment_id}`, name, currency, localizer))
  }
  const input = { booking_id: id, payment_id, amount, tip, ...(kind && { kind }) }
  const answer = await callAsStaff(correctPayment, input, deskRequest, dependencies).catch(ignoreNotFound)
  const { refusal } = answer ?? {}
  const amountBefore = before.result.payments.find((one) => one.id === input.payment_id)?.amount ?? 0
  if (refusal?.path === '$.amount' && refusal.code === 'validation_error')
    return again(say('desk.pay.too_much', { open: money(to_pay + amountBefore, currency) }))
  if (refusal) return again(refusalText(refusal.code, localizer, 'desk.pay.wrong.never'))
  return { to: `/desk/bookings/${before.result.booking.id}` }
}
