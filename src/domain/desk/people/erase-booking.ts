import { defineOperation } from '../../../protocol/define-operation.ts'
import type { EraseBooking } from '../../../protocol/types.generated.ts'
import { idOrReference } from '../../bookings/booking-response.ts'
import { lockBooking } from '../../bookings/lock-and-save-booking.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { eraseBookings, erasedOutput, erasedSummary } from './erase-personal-data.ts'

export const eraseBooking = defineOperation<EraseBooking>({
  ...atDesk,
  id: 'eraseBooking',
  rest: 'POST /business/bookings/{booking_id}/erase',
  tool: 'usp_business_bookings_erase',
  title: 'Erase the people of a booking',
  description:
    'Erases the people from a booking and from all its notifications and events. The booked service and the ' +
    'payments stay. This cannot be undone.',
  role: 'manager',
  effect: 'remove',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference } },
  output: erasedOutput,
  summary: erasedSummary,
  async handle(context) {
    const { db, caller, now } = context
    const { id } = await lockBooking(context, context.input.booking_id)
    return { booking_ids: await eraseBookings(db, [id], caller.principal, now) }
  },
})
