import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { money } from '../../../infra/util/money.ts'
import type { Caller } from '../../../protocol/caller.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { saveBooking } from '../../bookings/change-booking.ts'
import type { PaymentRead } from '../../payments/queries.ts'
import { recordPayment, recordReversal } from '../../payments/record-payment.ts'
import { leftForVisit, type Payment, type Receipt, withoutReceipt } from '../../pricing/payment.ts'
import type { CorrectedPayment } from './correctable-payments.ts'
import { paymentEffect } from './counter-payments.ts'

interface Correction {
  wrong: PaymentRead
  right: CorrectedPayment
  caller: Caller
}

/**
 * Reverses the payment and enters the correct one, both for the staff member who took it. The booking lists only the
 * correct one.
 */
export async function replacePayment(
  tx: UnitOfWork,
  booking: BookingRow,
  { wrong, right, caller }: Correction,
  now: Date,
): Promise<BookingRow> {
  refuseUnfit(booking, wrong, right)
  await recordReversal(tx, wrong, now)
  const entry = { ...right, currency: wrong.currency, purpose: wrong.purpose, provider: 'manual' }
  const isPaid = right.amount + right.tip > 0
  const receipt = isPaid
    ? await recordPayment(tx, booking, { ...entry, source: 'staff', reported_by: wrong.reported_by }, now)
    : undefined
  const detail = { payment: wrong.id, ...(receipt && { by: receipt.id }), from: sumsOf(wrong), to: sumsOf(right) }
  const by = { actor: caller.principal, action: 'correct_payment', detail }
  const record = recordAfter(booking, wrong, right.amount > 0 ? receipt : undefined)
  if (record) return saveBooking(tx, booking, { change: { record }, by }, now)
  insertAuditEntry(tx, { ...by, subject: `booking ${booking.id}`, from: booking.status, to: booking.status }, now)
  return booking
}

const sumsOf = ({ amount, tip, kind }: CorrectedPayment) => ({ amount, tip, ...(kind && { kind }) })

/** The largest amount that the payment may have, by the current state of the booking. */
function mostOf({ record: { payment, no_show } }: BookingRow, wrong: PaymentRead): number {
  if (wrong.purpose === 'no_show_fee') return (no_show?.amount_due ?? 0) + wrong.amount
  const before = payment && withoutReceipt(payment, wrong.id)
  return before ? before.due + leftForVisit(before) : 0
}

function refuseUnfit(booking: BookingRow, wrong: PaymentRead, { amount }: CorrectedPayment): void {
  if (amount === wrong.amount) return
  if (wrong.purpose === 'tip')
    throw new BusinessRefusal(
      'validation_error',
      'This entry was only a tip. The payment itself is another entry.',
      '$.amount',
    )
  if (booking.status === 'canceled')
    throw new BusinessRefusal(
      'invalid_transition',
      'The booking is canceled, so its payment cannot be taken back.',
      '$.amount',
    )
  const most = mostOf(booking, wrong)
  if (amount > most)
    throw new BusinessRefusal(
      'validation_error',
      `At most ${most} was to be paid, which is ${money(most, wrong.currency)}. Enter anything beyond that as ` +
        'a tip.',
      '$.amount',
    )
}

/** The record of the booking after the correction; undefined if it does not contain the payment. */
function recordAfter(
  { record }: BookingRow,
  wrong: PaymentRead,
  receipt: Receipt | undefined,
): BookingRow['record'] | undefined {
  const { payment, no_show } = record
  if (wrong.purpose === 'tip') return undefined
  if (wrong.purpose !== 'no_show_fee')
    return payment && { ...record, payment: paymentAfterReplacement(payment, wrong.id, receipt) }
  if (!no_show) return undefined
  const owed = { ...no_show, amount_due: no_show.amount_due + wrong.amount - (receipt?.amount ?? 0) }
  const listed = payment && {
    payment: { ...payment, received: receiptsAfterReplacement(payment.received, wrong.id, receipt) },
  }
  return { ...record, ...listed, no_show: owed }
}

function paymentAfterReplacement(payment: Payment, id: string, receipt: Receipt | undefined): Payment {
  const before = withoutReceipt(payment, id)
  if (!receipt) return before
  const { payment: asked, rest } = paymentEffect(before, receipt.amount)
  return { ...asked, due: rest, received: receiptsAfterReplacement(payment.received, id, receipt) }
}

/** Keeps the position and the time of the wrong receipt. */
const receiptsAfterReplacement = (received: readonly Receipt[], id: string, receipt: Receipt | undefined): Receipt[] =>
  received.flatMap((one) => (one.id !== id ? one : receipt ? { ...receipt, received_at: one.received_at } : []))
