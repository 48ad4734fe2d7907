import type { BookingRow } from '../../bookings/booking-row.ts'
import { saveBooking } from '../../bookings/change-booking.ts'
import { owedFee } from '../../bookings/owed-fee.ts'
import type { Change } from '../../db/change.ts'
import { enterReport } from '../../payments/enter-payment.ts'
import { paidBy } from '../../payments/payment.ts'
import type { Caller } from '../../protocol/caller.ts'

/** What is owed of the fee was paid. A booking that costs nothing itself has no payment that could list it. */
export async function payFee(
  tx: Change,
  booking: BookingRow,
  trace: { provider: string; transaction_id?: string },
  caller: Caller,
  now: Date,
): Promise<BookingRow> {
  const { payment } = booking.record
  const no_show = owedFee(booking)
  if (!no_show) return booking
  const fee = { amount: no_show.amount_due, currency: no_show.currency, purpose: 'no_show_fee' } as const
  const receipt = await enterReport(tx, booking, { ...fee, ...trace }, caller, now)
  const paid = { no_show: { ...no_show, amount_due: 0 }, ...(payment && { payment: paidBy(payment, receipt) }) }
  const by = { actor: caller.principal, action: 'complete_payment', detail: { fee: receipt.amount } }
  return saveBooking(tx, booking, { record: { ...booking.record, ...paid } }, by, now)
}
