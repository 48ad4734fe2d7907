import { defineOperation } from '../../../protocol/define-operation.ts'
import type { CompleteBooking } from '../../../protocol/types.generated.ts'
import { allocationEnd } from '../../bookings/allocate-booking-slot.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { lockBooking, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { onBookingAtDesk } from '../shared/operation-defaults.ts'
import { refuseUnlessAllowed } from './refuse-invalid-change.ts'

export const complete = defineOperation<CompleteBooking>({
  ...onBookingAtDesk,
  id: 'completeBooking',
  rest: 'POST /business/bookings/{booking_id}/complete',
  tool: 'usp_business_bookings_complete',
  title: 'Complete a booking',
  description: 'Marks a booking as completed. Others can book the rest of its time.',
  effect: 'update',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference } },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    refuseUnlessAllowed(booking, 'finish', 'completed')
    await allocationEnd(db, booking)
    const by = { actor: caller.principal, action: 'complete' }
    return { booking: toBooking(await saveBooking(db, booking, { change: { step: 'finish' }, by }, now), context) }
  },
})
