import { dateFormat } from '../../infra/util/cached-intl-formatters.ts'
import { money } from '../../infra/util/round-money.ts'
import type { UcpTerm } from '../../protocol/types.generated.ts'
import { leftForVisit, type Payment } from '../pricing/payment-amounts.ts'

type Schedule = UcpTerm['schedules'][number]

/**
 * Returns the payment term of a UCP checkout, which says when the buyer pays. A deposit leads to two payments, and a
 * payment at the visit to one. If the whole price is due when the checkout is completed, the result is undefined,
 * because UCP then needs no term.
 */
export function termOf(payment: Payment, start: string, zone: string): UcpTerm | undefined {
  const { currency, due } = payment
  const rest = leftForVisit(payment)
  if (rest <= 0) return undefined
  const visit: Schedule = {
    id: 'at_service',
    type: 'at_service',
    description: { plain: `${money(rest, currency)} is due at your appointment on ${spokenTime(start, zone)}.` },
    due_at: start,
    amount: rest,
  }
  if (due === 0) return { id: 'pay_at_service', title: 'Pay at your appointment', schedules: [visit] }
  const deposit: Schedule = {
    id: 'deposit',
    type: 'immediate',
    description: { plain: `${money(due, currency)} is due now as a deposit.` },
    amount: due,
  }
  return { id: 'deposit', title: 'Deposit now, the rest at your appointment', schedules: [deposit, visit] }
}

/**
 * Tells whether the buyer pays everything at the visit. Nothing is then due when the platform completes the UCP
 * checkout.
 */
export const isOffline = ({ schedules }: UcpTerm): boolean => schedules.every(({ type }) => type === 'at_service')

const spokenTime = (start: string, timeZone: string): string =>
  dateFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(new Date(start))
