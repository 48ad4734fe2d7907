import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { money } from '../../../infra/util/round-money.ts'
import type { Caller } from '../../../protocol/caller-types.ts'
import { BusinessRefusal, invalidInput } from '../../../protocol/errors.ts'
import { owedFee } from '../../bookings/booking-amounts-owed.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { awaits } from '../../bookings/buyer-tasks.ts'
import { completePayment } from '../../bookings/complete-buyer-task.ts'
import { saveBooking } from '../../bookings/lock-and-save-booking.ts'
import type { CounterKind } from '../../payments/queries.ts'
import { recordReportedPayment } from '../../payments/record-payment.ts'
import { type Payment, withReceipt } from '../../pricing/payment-amounts.ts'
import { openAtCounter, paymentEffect, takesTip } from './counter-payment-rules.ts'

export interface CounterPayment {
  amount: number
  currency: string
  tip: number
  provider: 'manual'
  kind?: CounterKind
  transaction_id?: string
}

interface CounterEntry {
  counterPayment: CounterPayment
  caller: Caller
}

/** Records a payment at the counter. If the buyer pays only a tip, the booking does not change. */
export async function takePayment(
  tx: UnitOfWork,
  booking: BookingRow,
  { counterPayment, caller }: CounterEntry,
  now: Date,
): Promise<BookingRow> {
  refuseUnfit(booking, counterPayment)
  const { payment } = booking.record
  if (counterPayment.amount === 0) return takeTip(tx, booking, { counterPayment, caller }, now)
  if (owedFee(booking)) return takeFee(tx, booking, { counterPayment, caller }, now)
  return payment ? takePrice(tx, booking, { payment, counterPayment, caller }, now) : booking
}

function refuseUnfit(booking: BookingRow, { amount, tip, currency }: CounterPayment): void {
  const open = openAtCounter(booking)
  const isTaken = amount > 0 ? open > 0 : tip > 0
  if (!isTaken || (tip > 0 && !takesTip(booking) && open === 0))
    throw new BusinessRefusal(
      'invalid_transition',
      `This booking awaits no payment: it is ${booking.status.replaceAll('_', ' ')}.`,
    )
  if (amount > open)
    throw invalidInput(
      `At most ${open} is to be paid, which is ${money(open, currency)}. Enter anything beyond that as a tip.`,
      '$.amount',
    )
}

/** Records a payment of the price. The payment completes the payment task, or pays the rest of a confirmed booking. */
async function takePrice(
  tx: UnitOfWork,
  booking: BookingRow,
  { payment: before, counterPayment, caller }: CounterEntry & { payment: Payment },
  now: Date,
): Promise<BookingRow> {
  const { purpose, payment, rest } = paymentEffect(before, counterPayment.amount)
  const actor = caller.principal
  const receipt = await recordReportedPayment(tx, booking, { ...counterPayment, purpose, caller }, now)
  if (awaits(booking, 'payment')) return completePayment(tx, booking, { payment, receipt, rest, actor }, now)
  const record = { ...booking.record, payment: withReceipt(payment, receipt, rest) }
  return saveBooking(tx, booking, { change: { record }, by: { actor, action: 'complete_payment' } }, now)
}

/**
 * Records that the buyer pays the no-show fee. If the booking has a price, the payment data of the booking also list
 * this payment.
 */
async function takeFee(
  tx: UnitOfWork,
  booking: BookingRow,
  { counterPayment, caller }: CounterEntry,
  now: Date,
): Promise<BookingRow> {
  const { payment, no_show } = booking.record
  if (!no_show) return booking
  const receipt = await recordReportedPayment(tx, booking, { ...counterPayment, purpose: 'no_show_fee', caller }, now)
  const owed = { no_show: { ...no_show, amount_due: no_show.amount_due - counterPayment.amount } }
  const record = { ...booking.record, ...owed, ...(payment && { payment: withReceipt(payment, receipt) }) }
  const by = { actor: caller.principal, action: 'complete_payment', detail: { fee: receipt.amount } }
  return saveBooking(tx, booking, { change: { record }, by }, now)
}

/** Records a tip. The data of a booking do not contain tips, so platforms and buyers do not see them. */
async function takeTip(
  tx: UnitOfWork,
  booking: BookingRow,
  { counterPayment, caller }: CounterEntry,
  now: Date,
): Promise<BookingRow> {
  await recordReportedPayment(tx, booking, { ...counterPayment, purpose: 'tip', caller }, now)
  const { id, status } = booking
  const entry = { actor: caller.principal, action: 'take_tip', subject: `booking ${id}`, from: status, to: status }
  insertAuditEntry(tx, { ...entry, detail: { tip: counterPayment.tip } }, now)
  return booking
}
