import type { Payment } from '../../domain/payments/payment.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'

/** An order. `isAsked` means that the business has to confirm it. */
interface Order {
  payment: Payment | undefined
  isAsked: boolean
  /** The text when nothing has to be paid, now or later. */
  free: Message
}

/** Text of the order button. If the order costs money it states the price, in the wording required by law. */
export function orderText({ payment, isAsked, free }: Order, { say, money }: Localizer): string {
  if (!payment || payment.amount + payment.tax === 0) return say(free)
  const price = money(payment.amount + payment.tax, payment.currency)
  return say(isAsked ? 'book.request.paid' : 'book.confirm.paid', { price })
}
