import { peopleOfBooking } from '../../protocol/named-people.ts'
import { defineOperation } from '../../protocol/operation.ts'
import type { ConfirmBooking } from '../../protocol/types.generated.ts'
import { approve } from './approve.ts'
import { toBooking } from './booking.ts'
import { lockBooking } from './change-booking.ts'
import { bookingOutput, idOrReference, summary } from './operation-parts.ts'

export const confirmBooking = defineOperation<ConfirmBooking>({
  id: 'confirmBooking',
  rest: 'POST /bookings/{booking_id}/confirm',
  tool: 'usp_bookings_confirm',
  title: 'Confirm a booking',
  description:
    'For the business only: confirms a booking that awaits approval. The buyer is asked to pay only afterwards.',
  capability: 'dev.usp-protocol.services.bookings',
  access: 'business_only',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: idOrReference,
      notes: { type: 'string', maxLength: 2000, description: 'A message to the buyer.' },
    },
  },
  output: bookingOutput,
  people: peopleOfBooking,
  summary,
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    return {
      booking: toBooking(await approve(db, booking, { actor: caller.principal, notes: input.notes }, now), context),
    }
  },
})
