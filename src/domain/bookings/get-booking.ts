import { defineOperation } from '../../protocol/define-operation.ts'
import type { GetBooking } from '../../protocol/types.generated.ts'
import { bookingId, bookingWithCredential, onBooking, toBooking } from './booking-response.ts'
import { renewCredential } from './issue-booking-credential.ts'
import { readBooking } from './lock-and-save-booking.ts'

export const getBooking = defineOperation<GetBooking>({
  ...onBooking,
  id: 'getBooking',
  rest: 'GET /bookings/{booking_id}',
  tool: 'usp_bookings_get',
  title: 'Read a booking',
  description: 'Returns the current state of a booking of the caller: status, time, open actions and payment.',
  effect: 'read',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: bookingId } },
  output: bookingWithCredential,
  async handle(context) {
    const booking = await readBooking(context, context.input.booking_id)
    const credential = await renewCredential(context, booking)
    return { booking: toBooking(booking, context), ...(credential && { booking_scoped_credential: credential }) }
  },
})
