import { defineOperation } from '../../../protocol/define-operation.ts'
import type { StartBooking } from '../../../protocol/types.generated.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { lockBooking, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { onBookingAtDesk } from '../shared/operation-defaults.ts'
import { refuseUnlessAllowed } from './refuse-invalid-change.ts'

export const start = defineOperation<StartBooking>({
  ...onBookingAtDesk,
  id: 'startBooking',
  rest: 'POST /business/bookings/{booking_id}/start',
  tool: 'usp_business_bookings_start',
  title: 'Start a booking',
  description: 'Marks that the buyer has arrived and the service has begun.',
  effect: 'update',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference } },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    refuseUnlessAllowed(booking, 'start', 'started')
    const by = { actor: caller.principal, action: 'start' }
    return { booking: toBooking(await saveBooking(db, booking, { change: { step: 'start' }, by }, now), context) }
  },
})
