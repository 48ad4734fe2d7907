import { SECOND } from '../../../infra/time/time-units.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { BusinessDefinition, RescheduleBusinessBooking } from '../../../protocol/types.generated.ts'
import { moveBooking } from '../../bookings/apply-booking-move.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import { lockBooking } from '../../bookings/lock-and-save-booking.ts'
import type { MailAboutMove } from '../../bookings/notification-rules.ts'
import { refuseByStatus } from '../../bookings/operations-by-status.ts'
import { onBookingAtDesk } from '../shared/operation-defaults.ts'
import { refuseBusyElsewhere } from './refuse-busy-elsewhere.ts'
import { resolveSlotOf } from './resolve-requested-slot.ts'
import { slotRequestProperties, waitForTime } from './slot-request.ts'

/** The staff can delay the mail about a moved booking by at most this many seconds. */
const MAX_MAIL_DELAY_SECONDS = 600

function mailAboutMove(
  { mail_after: seconds = 0, notify_buyer }: RescheduleBusinessBooking['input'],
  business: BusinessDefinition | undefined,
  now: Date,
): MailAboutMove | undefined {
  const isWithheld = !(notify_buyer ?? business?.mails?.notify_of_moves ?? true)
  const isRequested = notify_buyer === true
  if (seconds === 0 && !isWithheld && !isRequested) return undefined
  return { notBefore: new Date(now.getTime() + seconds * SECOND), isWithheld, isRequested }
}

export const reschedule = defineOperation<RescheduleBusinessBooking>({
  ...onBookingAtDesk,
  id: 'rescheduleBusinessBooking',
  rest: 'POST /business/bookings/{booking_id}/reschedule',
  tool: 'usp_business_bookings_reschedule',
  title: 'Move a booking for the business',
  description:
    'Moves a booking to another time, however often it was moved before, at no cost to the buyer. Members that ' +
    'are left out stay unchanged.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: idOrReference,
      ...slotRequestProperties,
      mail_after: {
        type: 'integer',
        minimum: 0,
        maximum: MAX_MAIL_DELAY_SECONDS,
        description:
          'Seconds before the buyer gets a mail about the move; at once when left out. If the booking moves back ' +
          'before that, no mail is sent.',
      },
      notify_buyer: {
        type: 'boolean',
        description:
          'Whether the buyer gets a mail about the move; `mails.notify_of_moves` of the business when left out. ' +
          'usp_business_bookings_notify_of_move changes it later.',
      },
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    await waitForTime(db, input)
    const booking = await lockBooking(context, input.booking_id)
    refuseByStatus('reschedule', booking)
    const { slot, overridden } = await resolveSlotOf(context, booking, input)
    await refuseBusyElsewhere(db, slot, booking)
    const by = {
      hold: undefined,
      fee: 0,
      actor: caller.principal,
      byStaff: { overridden, mail: mailAboutMove(input, await context.business.get(), now) },
    }
    return { booking: toBooking(await moveBooking(db, booking, { slot, ...by }, now), context) }
  },
})
