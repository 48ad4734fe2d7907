import { toBooking } from '../../bookings/booking.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { lockBooking, saveBooking } from '../../bookings/change-booking.ts'
import { completePayment } from '../../bookings/complete-task.ts'
import { idOrReference } from '../../bookings/operation-parts.ts'
import { owedFee } from '../../bookings/owed-fee.ts'
import { awaits } from '../../bookings/tasks.ts'
import type { Change } from '../../db/change.ts'
import { amountDue, enterReport } from '../../payments/enter-payment.ts'
import { paidBy } from '../../payments/payment.ts'
import type { Caller } from '../../protocol/caller.ts'
import { Outcome } from '../../protocol/errors.ts'
import { defineOperation } from '../../protocol/operation.ts'
import type { MarkBookingPaid } from '../../protocol/types.generated.ts'
import { onBookingAtDesk } from '../shared/operation-parts.ts'
import { payFee } from './pay-fee.ts'

export const markPaid = defineOperation<MarkBookingPaid>({
  ...onBookingAtDesk,
  id: 'markBookingPaid',
  rest: 'POST /business/bookings/{booking_id}/paid',
  tool: 'usp_business_bookings_mark_paid',
  title: 'Mark a booking as paid',
  description:
    'Tells that what is due, or owed since nobody came, was paid to the business. A booking that waited for it stands, once nothing else is to be ' +
    'done. Repeating it changes nothing.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: idOrReference,
      transaction_id: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Number of the receipt or the like.',
      },
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const { cancellation } = booking.record
    if (cancellation?.canceled_by === 'system')
      throw new Outcome('payment_expired', 'The booking was given up, since it was not paid in time.')
    if (isPaid(booking)) return { booking: toBooking(booking, context), messages: [{ ...alreadyPaid }] }
    const { transaction_id } = input
    const paid = { provider: 'manual', ...(transaction_id !== undefined && { transaction_id }) }
    const after = owedFee(booking)
      ? await payFee(db, booking, paid, caller, now)
      : await pay(db, booking, paid, caller, now)
    if (after.status === 'canceled')
      throw new Outcome('payment_expired', 'The booking was given up a moment ago, since it was not paid in time.')
    return { booking: toBooking(after, context) }
  },
})

const isPaid = (booking: BookingRow): boolean => {
  const { status, record } = booking
  const { payment, no_show } = record
  if (status === 'canceled' || owedFee(booking)) return false
  return payment ? payment.due === 0 && payment.received.length > 0 : no_show !== undefined
}

const alreadyPaid = {
  type: 'info',
  code: 'already_confirmed',
  content: 'It was paid before; nothing has changed.',
} as const

/** By the payment the booking waits for, or what one that stands already still owes. */
async function pay(
  tx: Change,
  booking: BookingRow,
  paid: { provider: string; transaction_id?: string },
  caller: Caller,
  now: Date,
): Promise<BookingRow> {
  const { status, record } = booking
  const { payment } = record
  const waits = awaits(booking, 'payment')
  const stands = ['confirmed', 'in_progress', 'completed', 'no_show'].includes(status)
  if (!payment || payment.due === 0 || !(waits || stands))
    throw new Outcome('invalid_transition', `This booking awaits no payment: it is ${status.replaceAll('_', ' ')}.`)
  const actor = caller.principal
  const receipt = await enterReport(tx, booking, { ...amountDue(payment), ...paid }, caller, now)
  if (waits) return completePayment(tx, booking, { payment, receipt, actor }, now)
  const change = { record: { ...record, payment: paidBy(payment, receipt) } }
  return saveBooking(tx, booking, change, { actor, action: 'complete_payment' }, now)
}
