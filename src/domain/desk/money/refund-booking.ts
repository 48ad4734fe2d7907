import { money } from '../../../infra/util/round-money.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput } from '../../../protocol/errors.ts'
import type { RefundBooking } from '../../../protocol/types.generated.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { isUnresolved } from '../../bookings/lifecycle.ts'
import { lockBooking, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { keptAmountOf, type Payment, withRefund } from '../../pricing/payment-amounts.ts'
import { amount, onBookingAtDesk } from '../shared/operation-defaults.ts'

export const refund = defineOperation<RefundBooking>({
  ...onBookingAtDesk,
  id: 'refundBooking',
  rest: 'POST /business/bookings/{booking_id}/refunds',
  tool: 'usp_business_bookings_refund',
  title: 'Refund a booking',
  description:
    'Refunds some or all of the payments, in any status of the booking; the status stays. Money that the ' +
    'provider received is refunded automatically. Refund money paid to the business or to a platform there: ' +
    'this call only records it, as `elsewhere` in the payments of the booking.',
  role: 'manager',
  effect: 'create',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: idOrReference,
      amount: { ...amount('The amount; all that is left when left out.'), minimum: 1 },
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const { payment, refund } = refundOf(booking, input.amount, '$.amount')
    if (refund === 0) throw new BusinessRefusal('invalid_transition', 'There is nothing left to refund.')
    const by = { actor: caller.principal, action: 'refund', detail: { refund } }
    // `refundOf` sets the due amount to zero. A refund by the staff must not change what the buyer still owes.
    // Therefore the server restores the due amount.
    const { due = 0, items = [] } = booking.record.payment ?? {}
    const record = { ...booking.record, payment: { ...payment, due, items } }
    return { booking: toBooking(await saveBooking(db, booking, { change: { record }, by }, now), context) }
  },
})

const tooMuch = (payment: Payment | undefined, refundable: number) =>
  payment === undefined || refundable === 0
    ? 'Nothing can be refunded: this server received no money for the booking, or all of it was refunded.'
    : `At most ${refundable} can be refunded, which is ${money(refundable, payment.currency)}.`

/**
 * Computes the payment data of a booking after this refund. If the request names no amount, the business refunds all
 * money that it has not refunded yet.
 */
export function refundOf(
  { status, record: { payment } }: BookingRow,
  wished: number | undefined,
  path: string,
): { payment: Payment; refund: number } {
  const refundable = keptAmountOf(payment)
  if (isUnresolved(status))
    throw new BusinessRefusal(
      'invalid_transition',
      'The booking still has open actions. Cancel it to refund the payment.',
    )
  const refund = wished ?? refundable
  if (!payment || refund > refundable) throw invalidInput(tooMuch(payment, refundable), path)
  return { payment: withRefund(payment, refund), refund }
}
