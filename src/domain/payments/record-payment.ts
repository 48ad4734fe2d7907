import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import { oneLine } from '../../infra/util/plain-text.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { type Caller, isStaff } from '../../protocol/caller-types.ts'
import { isDeposit, type Payment, type Receipt } from '../pricing/payment-amounts.ts'
import { type PaymentRow, paymentInsert } from './queries.ts'

type Trace = Pick<Receipt, 'transaction_id' | 'order_reference' | 'provider'>
type Counter = Partial<Pick<PaymentRow, 'kind' | 'tip'>>
type NewPayment = { id?: string } & Pick<PaymentRow, 'amount' | 'currency' | 'purpose' | 'source' | 'reported_by'> &
  Trace &
  Counter

/**
 * Stores a payment for a booking, with the name of the caller who reported the payment. Returns undefined if the
 * provider has already reported the same payment.
 */
export async function recordPayment(
  tx: Database,
  booking: { id: string },
  payment: NewPayment,
  now: Date,
): Promise<Receipt | undefined> {
  const row = rowOf(booking, payment)
  if (!(await paymentInsert(tx, row, now))) return undefined
  const { transaction_id, order_reference, provider } = payment
  const trace = omitUndefined({ transaction_id, order_reference, provider })
  return { id: row.id, amount: row.amount, returned: 0, received_at: now.toISOString(), ...trace }
}

/**
 * Stores the payment for a new booking. If the provider has already reported the same payment, the transaction fails.
 */
export const recordFirstPayment = (tx: UnitOfWork, booking: { id: string }, payment: NewPayment, now: Date): void =>
  tx.insert('payments', { ...rowOf(booking, payment), received_at: now })

function rowOf(
  { id: booking_id }: { id: string },
  { id = newId('pay'), transaction_id, order_reference, provider, kind = null, tip = 0, ...payment }: NewPayment,
): PaymentRow {
  const names = {
    reference: transaction_id ?? null,
    order_reference: order_reference ?? null,
    provider: provider ?? null,
  }
  return { id, booking_id, ...payment, ...names, kind, tip, reverses: null }
}

/** Corrects a wrongly entered payment with a second row of negative amounts. The correction moves no money. */
export async function recordReversal(tx: Database, original: PaymentRow, now: Date): Promise<void> {
  const { booking_id, currency, purpose, source, reported_by, provider, reference, order_reference, kind } = original
  const copied = { booking_id, currency, purpose, source, reported_by, provider, reference, order_reference, kind }
  const sums = { amount: -original.amount, tip: -original.tip }
  await paymentInsert(tx, { id: newId('pay'), ...copied, ...sums, reverses: original.id }, now)
}

type ReportedPayment = Pick<PaymentRow, 'amount' | 'currency' | 'purpose'> &
  Trace &
  Counter & { caller: Pick<Caller, 'principal'> }

export async function recordReportedPayment(
  tx: Database,
  booking: { id: string },
  { caller, transaction_id, order_reference, provider, ...payment }: ReportedPayment,
  now: Date,
): Promise<Receipt> {
  const source = isStaff(caller) ? 'staff' : 'platform'
  const trace = omitUndefined({
    transaction_id: visible(transaction_id),
    order_reference: visible(order_reference),
    provider: visible(provider),
  })
  const receipt = await recordPayment(tx, booking, { ...payment, ...trace, source, reported_by: caller.principal }, now)
  if (!receipt) throw new Error(`The payment of ${booking.id} was entered twice`)
  return receipt
}

/** Removes invisible characters from a text of a caller. The result is undefined if no other characters remain. */
const visible = (text: string | undefined): string | undefined => oneLine(text ?? '') || undefined

export const amountDue = (payment: Payment) =>
  ({ amount: payment.due, currency: payment.currency, purpose: purposeOf(payment) }) as const

export const purposeOf = (payment: Payment) =>
  payment.received.length > 0 ? 'difference' : isDeposit(payment) ? 'deposit' : 'price'
