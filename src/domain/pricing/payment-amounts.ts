import { rfc3339Exact } from '../../infra/time/time-zone.ts'
import type { BookingPayment } from '../../protocol/types.generated.ts'

/**
 * The price of a booking, and the payments that the business received for it. All amounts are in minor units, such as
 * cents.
 */
export interface Payment {
  timing: 'at_booking' | 'at_service' | 'deposit_required'
  currency: string
  amount: number
  tax: number
  deposit?: number
  due: number
  items: LineItem[]
  /** The payments that the business received, earliest first. */
  received: Receipt[]
  /** The amount of the latest refund. Absent if there was no refund. */
  last_refund?: number
  /**
   * Set if the buyer has already paid a part of the amount that is payable on site. `due` then includes the unpaid rest
   * of this amount.
   */
  visit_asked?: true
}

/**
 * A payment that the business received. The table `payments` also stores who reported the payment: a payment provider,
 * a platform or the staff.
 */
export interface Receipt {
  id: string
  amount: number
  returned: number
  received_at: string
  transaction_id?: string
  order_reference?: string
  provider?: string
}

export interface LineItem {
  label: string
  amount: number
  quantity: number
}

/** The whole price with tax, in minor units. */
export const totalOf = ({ amount, tax }: Pick<Payment, 'amount' | 'tax'>): number => amount + tax

/**
 * The tax in the amount that is due now. The amounts of the price items exclude tax, so the rest of the due amount is
 * tax.
 */
export const taxOfDue = ({ due, items }: Pick<Payment, 'due' | 'items'>): number =>
  due - sum(items.map(({ amount, quantity }) => amount * quantity))

export const takesPayment = (payment: Payment | undefined): payment is Payment =>
  payment !== undefined && payment.timing !== 'at_service'

/** Whether the buyer pays a deposit in advance, and the rest on site. A deposit of the whole price leaves no rest. */
export const isDeposit = (payment: Payment | undefined): payment is Payment & { deposit: number } =>
  payment?.timing === 'deposit_required' && payment.deposit !== undefined && payment.deposit < totalOf(payment)

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0)

export const collectedOf = ({ received }: Payment): number => sum(received.map(({ amount }) => amount))
export const refundedOf = ({ received }: Payment): number => sum(received.map(({ returned }) => returned))

/** The amount that the business keeps: all received payments minus all refunds, in minor units. */
export const keptAmountOf = (payment: Payment | undefined): number =>
  payment ? collectedOf(payment) - refundedOf(payment) : 0

/**
 * The amount that the buyer pays on site: the whole price, or the rest after a deposit. Zero if `due` already includes
 * this amount.
 */
export function leftForVisit({ timing, amount, tax, deposit = amount + tax, visit_asked }: Payment): number {
  if (visit_asked) return 0
  if (timing === 'at_service') return amount + tax
  return timing === 'deposit_required' ? amount + tax - deposit : 0
}

/**
 * Adds a received payment. The parameter `due` is the amount that the buyer still owes afterwards. The server may
 * refund a part of the new payment immediately.
 */
export const withReceipt = (payment: Payment, receipt: Receipt, due = 0): Payment => ({
  ...payment,
  due,
  items: [],
  received: [...payment.received, receipt],
  ...(receipt.returned > 0 && { last_refund: receipt.returned }),
})

/**
 * Removes a received payment, so that the buyer owes its amount again. If no other received payment is left, `due`
 * excludes the amount that the buyer pays on site.
 */
export function withoutReceipt(payment: Payment, id: string): Payment {
  const removed = payment.received.find((one) => one.id === id)
  if (!removed) return payment
  const received = payment.received.filter((one) => one.id !== id)
  const open = { ...payment, due: payment.due + removed.amount, received }
  const { visit_asked: _, ...unasked } = open
  const due = open.due - leftForVisit(unasked)
  return received.length === 0 && payment.visit_asked && due >= 0 ? { ...unasked, due } : open
}

/**
 * Records a refund. The function takes the amount from the latest received payments first. Afterwards, nothing is due.
 */
export function withRefund(payment: Payment, amount: number): Payment {
  let open = amount
  const received = payment.received.toReversed().map((receipt) => {
    const back = Math.min(open, receipt.amount - receipt.returned)
    open -= back
    return { ...receipt, returned: receipt.returned + back }
  })
  if (amount < 0 || open > 0) throw new Error(`Of ${keptAmountOf(payment)} that was kept ${amount} cannot go back`)
  return {
    ...payment,
    due: 0,
    items: [],
    received: received.reverse(),
    ...(amount > 0 && { last_refund: amount }),
  }
}

/**
 * Converts the payment of a booking to the format of answers. `owed` is an additional amount that the buyer owes, such
 * as a no-show fee.
 */
export function toPayment(payment: Payment, zone: string, owed = 0): BookingPayment {
  const { timing, amount, currency, due, tax, deposit, received } = payment
  const [first] = received
  return {
    status: statusOf(payment, owed),
    timing,
    amount,
    currency,
    amount_due: timing === 'at_service' ? 0 : due + owed,
    ...(tax > 0 && { tax_amount: tax }),
    ...(deposit !== undefined && { deposit_amount: deposit }),
    ...traceOf(first),
    ...(first && {
      amount_paid: collectedOf(payment),
      transactions: received.map((receipt) => toTransaction(receipt, zone)),
    }),
    ...refundsOf(payment),
  }
}

export function refundsOf(payment: Payment): { refund_amount?: number; refund_total?: number } {
  const refund_total = refundedOf(payment)
  return refund_total > 0 ? { refund_amount: payment.last_refund ?? refund_total, refund_total } : {}
}

const traceOf = ({ transaction_id, order_reference }: Partial<Receipt> = {}) => ({
  ...(transaction_id !== undefined && { transaction_id }),
  ...(order_reference !== undefined && { order_reference }),
})

const toTransaction = ({ amount, returned, provider, ...receipt }: Receipt, zone: string) => ({
  amount,
  received_at: rfc3339Exact(zone, new Date(receipt.received_at)),
  ...(returned > 0 && { refund_total: returned }),
  ...traceOf(receipt),
  ...(provider !== undefined && { provider }),
})

/**
 * The payment status of a booking, as answers show it:
 *
 * | received minus refunds | due       | refunds | status                |
 * | ---------------------- | --------- | ------- | --------------------- |
 * | nothing                | -         | no      | pending               |
 * | nothing                | nothing   | yes     | refunded              |
 * | nothing                | something | yes     | pending               |
 * | something              | something | -       | deposit_paid          |
 * | something              | nothing   | yes     | partially_refunded    |
 * | something              | nothing   | no      | paid, or deposit_paid |
 *
 * If no amount is ever due in advance and nothing was received, the status is `not_required`. A booking with a deposit
 * gets the status `paid` when the buyer has paid the rest at the visit.
 */
export function statusOf(payment: Payment, owed = 0): BookingPayment['status'] {
  const { timing, deposit = totalOf(payment), visit_asked } = payment
  const [kept, back, due] = [keptAmountOf(payment), refundedOf(payment), payment.due + owed]
  if ((timing === 'at_service' && !visit_asked) || (deposit === 0 && kept + back + due === 0)) return 'not_required'
  if (kept === 0) return back > 0 && due === 0 ? 'refunded' : 'pending'
  if (due > 0) return 'deposit_paid'
  if (back > 0) return 'partially_refunded'
  return isDeposit(payment) && !visit_asked ? 'deposit_paid' : 'paid'
}
