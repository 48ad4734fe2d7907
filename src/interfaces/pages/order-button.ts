import type { Payment } from '../../domain/payments/payment.ts'
import type { Message } from '../../infra/i18n/catalogue.ts'
import type { Speech } from '../../infra/i18n/speech.ts'

/** What is pressed to book; `isAsked` where the business has to agree. */
interface Order {
  payment: Payment | undefined
  isAsked: boolean
  /** What stands there where nothing is to be paid, now or later. */
  free: Message
}

/** Whoever is bound to pay by pressing it reads so on the button, in the words that the law of the language's countries wants. */
export function orderText({ payment, isAsked, free }: Order, { say, money }: Speech): string {
  if (!payment || payment.amount + payment.tax === 0) return say(free)
  const price = money(payment.amount + payment.tax, payment.currency)
  return say(isAsked ? 'book.request.paid' : 'book.confirm.paid', { price })
}
