import { defineOperation } from '../protocol/operation.ts'
import type { GetBooking } from '../protocol/types.generated.ts'
import { toBooking } from './booking.ts'
import { readBooking } from './change-booking.ts'
import { bookingId, onBooking } from './operation-parts.ts'

export const getBooking = defineOperation<GetBooking>({
  ...onBooking,
  id: 'getBooking',
  rest: 'GET /bookings/{booking_id}',
  tool: 'usp_bookings_get',
  title: 'Read a booking',
  description: 'Returns a booking of the caller as it is now: status, time, what is still to be done, payment.',
  effect: 'read',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: bookingId } },
  async handle(context) {
    return { booking: toBooking(await readBooking(context, context.input.booking_id), context) }
  },
})
