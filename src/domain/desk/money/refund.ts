import { BusinessRefusal } from '../../../protocol/errors.ts'
import { defineOperation } from '../../../protocol/operation.ts'
import type { RefundBooking } from '../../../protocol/types.generated.ts'
import { toBooking } from '../../bookings/booking.ts'
import { lockBooking, saveBooking } from '../../bookings/change-booking.ts'
import { idOrReference } from '../../bookings/operation-parts.ts'
import { amount, onBookingAtDesk } from '../shared/operation-parts.ts'
import { refundOf } from './refund-of.ts'

export const refund = defineOperation<RefundBooking>({
  ...onBookingAtDesk,
  id: 'refundBooking',
  rest: 'POST /business/bookings/{booking_id}/refunds',
  tool: 'usp_business_bookings_refund',
  title: 'Refund a booking',
  description:
    'Refunds some or all of the payments, in any status of the booking; the status stays. Money that the ' +
    'provider received is refunded automatically. Money paid to the business or to a platform has to be ' +
    'refunded there: this call only records it, as `elsewhere` in the payments of the booking.',
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
    // The amount due does not change.
    const { due = 0, items = [] } = booking.record.payment ?? {}
    const record = { ...booking.record, payment: { ...payment, due, items } }
    return { booking: toBooking(await saveBooking(db, booking, { record }, by, now), context) }
  },
})
