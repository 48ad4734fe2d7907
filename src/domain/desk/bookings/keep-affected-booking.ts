import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { KeepBooking } from '../../../protocol/types.generated.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { lockBooking } from '../../bookings/lock-and-save-booking.ts'
import { conflictsKeep } from '../../busy-times/conflict-queries.ts'
import { questionsEnd } from '../../busy-times/event-questions.ts'
import { onBookingAtDesk } from '../shared/operation-defaults.ts'
import { strandedKeep } from './affected-booking-list-queries.ts'

export const keep = defineOperation<KeepBooking>({
  ...onBookingAtDesk,
  id: 'keepBooking',
  rest: 'POST /business/bookings/{booking_id}/keep',
  tool: 'usp_business_bookings_keep',
  title: 'Keep an affected booking',
  description:
    'Keeps a booking as agreed, although the business definition or another calendar no longer allows it. It is ' +
    'listed as affected again only after another change. A class is kept as a whole.',
  effect: 'update',
  input: { type: 'object', required: ['booking_id'], properties: { booking_id: idOrReference } },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    const kept = [await strandedKeep(db, booking.id), await conflictsKeep(db, booking), await questionsEnd(db, booking)]
    if (!kept.includes(true))
      throw new BusinessRefusal(
        'invalid_transition',
        'No change of the definition and no other calendar affects this booking, so there is nothing to keep.',
      )
    const by = { actor: caller.principal, action: 'keep', subject: `booking ${booking.id}` }
    insertAuditEntry(db, { ...by, from: booking.status, to: booking.status }, now)
    return { booking: toBooking(booking, context) }
  },
})
