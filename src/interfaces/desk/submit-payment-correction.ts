import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { correctPayment } from '../../domain/desk/money/correct-payment.ts'
import { COUNTER_KINDS } from '../../domain/payments/queries.ts'
import { amountHelp, parseAmount } from '../../infra/i18n/amounts.ts'
import { refusalText } from '../pages/refusals.ts'
import { bookingPage } from './booking-page.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  ignoreNotFound,
  isAllowed,
  missingRolePage,
} from './desk-calls.ts'
import type { Answer } from './desk-page.ts'
import { EXAMPLE_AMOUNT } from './pay-form.ts'

export async function submitPaymentCorrection(
  id: string,
  form: URLSearchParams,
  asking: DeskRequest,
  means: DeskDependencies,
): Promise<Answer> {
  const { speech } = asking.request
  const { say, money, locale } = speech
  if (!isAllowed(asking.who, correctPayment)) return missingRolePage(correctPayment, asking)
  const before = await callAsStaff(readBooking, { booking_id: id }, asking, means)
  if (before.refusal) return undefined
  const { currency, to_pay = 0 } = before.result.details
  const again = (text: string) => bookingPage(id, asking, means, { text, isRefusal: true, form })
  const sumOf = (name: string) => (form.get(name)?.trim() ? parseAmount(form.get(name) ?? '', currency, locale) : 0)
  const kind = COUNTER_KINDS.find((one) => one === form.get('kind'))
  const [amount, tip] = kind ? [sumOf('amount'), sumOf('tip')] : [0, 0]
  if (amount === undefined || tip === undefined || (kind && amount + tip === 0))
    return again(amountHelp(speech, EXAMPLE_AMOUNT, currency))
  const input = { booking_id: id, payment_id: form.get('payment') || '-', amount, tip, ...(kind && { kind }) }
  const answer = await callAsStaff(correctPayment, input, asking, means).catch(ignoreNotFound)
  const { refusal } = answer ?? {}
  const was = before.result.payments.find((one) => one.id === input.payment_id)?.amount ?? 0
  if (refusal?.path === '$.amount' && refusal.code === 'validation_error')
    return again(say('desk.pay.too_much', { open: money(to_pay + was, currency) }))
  if (refusal) return again(refusalText(refusal.code, speech, 'desk.refused'))
  return { to: `/desk/bookings/${before.result.booking.id}` }
}
