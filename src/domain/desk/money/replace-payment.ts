import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { money } from '../../../infra/util/round-money.ts'
import type { Caller } from '../../../protocol/caller-types.ts'
import { BusinessRefusal, invalidInput } from '../../../protocol/errors.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { saveBooking } from '../../bookings/lock-and-save-booking.ts'
import type { PaymentRead } from '../../payments/queries.ts'
import { recordPayment, recordReversal } from '../../payments/record-payment.ts'
import { leftForVisit, type Payment, type Receipt, withoutReceipt } from '../../pricing/payment-amounts.ts'
import { paymentEffect } from './counter-payment-rules.ts'
import type { CorrectedPayment } from './payment-correction-rules.ts'

interface Correction {
  original: PaymentRead
  corrected: CorrectedPayment
  caller: Caller
}

/**
 * Corrects a payment that the staff entered wrongly. The server reverses the wrong payment and stores the correct one.
 * Both rows name the staff member who received the money. The booking shows only the correct payment.
 */
export async function replacePayment(
  tx: UnitOfWork,
  booking: BookingRow,
  { original, corrected, caller }: Correction,
  now: Date,
): Promise<BookingRow> {
  refuseUnfit(booking, original, corrected)
  await recordReversal(tx, original, now)
  const entry = { ...corrected, currency: original.currency, purpose: original.purpose, provider: 'manual' }
  const isPaid = corrected.amount + corrected.tip > 0
  const receipt = isPaid
    ? await recordPayment(tx, booking, { ...entry, source: 'staff', reported_by: original.reported_by }, now)
    : undefined
  const detail = {
    payment: original.id,
    ...(receipt && { by: receipt.id }),
    from: sumsOf(original),
    to: sumsOf(corrected),
  }
  const by = { actor: caller.principal, action: 'correct_payment', detail }
  const record = recordAfter(booking, original, corrected.amount > 0 ? receipt : undefined)
  if (record) return saveBooking(tx, booking, { change: { record }, by }, now)
  insertAuditEntry(tx, { ...by, subject: `booking ${booking.id}`, from: booking.status, to: booking.status }, now)
  return booking
}

const sumsOf = ({ amount, tip, kind }: CorrectedPayment) => ({ amount, tip, ...(kind && { kind }) })

/**
 * Returns the highest possible amount of the corrected payment, in minor units such as cents. The amount depends on how
 * much the buyer owes without the wrong payment.
 */
function mostOf({ record: { payment, no_show } }: BookingRow, original: PaymentRead): number {
  if (original.purpose === 'no_show_fee') return (no_show?.amount_due ?? 0) + original.amount
  const before = payment && withoutReceipt(payment, original.id)
  return before ? before.due + leftForVisit(before) : 0
}

function refuseUnfit(booking: BookingRow, original: PaymentRead, { amount }: CorrectedPayment): void {
  if (amount === original.amount) return
  if (original.purpose === 'tip')
    throw invalidInput('This entry was only a tip. The payment itself is another entry.', '$.amount')
  if (booking.status === 'canceled')
    throw new BusinessRefusal(
      'invalid_transition',
      'The booking is canceled, so its payment cannot be taken back.',
      '$.amount',
    )
  const most = mostOf(booking, original)
  if (amount > most)
    throw invalidInput(
      `At most ${most} was to be paid, which is ${money(most, original.currency)}. Enter anything beyond that as ` +
        'a tip.',
      '$.amount',
    )
}

/**
 * Returns the data of the booking after the correction of a payment. The result is undefined if the booking does not
 * list this kind of payment, for example a tip.
 */
function recordAfter(
  { record }: BookingRow,
  original: PaymentRead,
  receipt: Receipt | undefined,
): BookingRow['record'] | undefined {
  const { payment, no_show } = record
  if (original.purpose === 'tip') return undefined
  if (original.purpose !== 'no_show_fee')
    return payment && { ...record, payment: paymentAfterReplacement(payment, original.id, receipt) }
  if (!no_show) return undefined
  const owed = { ...no_show, amount_due: no_show.amount_due + original.amount - (receipt?.amount ?? 0) }
  const listed = payment && {
    payment: { ...payment, received: receiptsAfterReplacement(payment.received, original.id, receipt) },
  }
  return { ...record, ...listed, no_show: owed }
}

function paymentAfterReplacement(payment: Payment, id: string, receipt: Receipt | undefined): Payment {
  const before = withoutReceipt(payment, id)
  if (!receipt) return before
  const { payment: replaced, rest } = paymentEffect(before, receipt.amount)
  return { ...replaced, due: rest, received: receiptsAfterReplacement(payment.received, id, receipt) }
}

/**
 * Replaces the wrong payment in the list of received payments. The correct payment gets the position and the time of
 * the wrong one.
 */
const receiptsAfterReplacement = (received: readonly Receipt[], id: string, receipt: Receipt | undefined): Receipt[] =>
  received.flatMap((one) => (one.id !== id ? one : receipt ? { ...receipt, received_at: one.received_at } : []))
