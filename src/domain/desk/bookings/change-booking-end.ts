import { claimTake, resourcesLock } from '../../../core/ledger/resource-claims.ts'
import { type ChangeContext, defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput } from '../../../protocol/errors.ts'
import type { Tag } from '../../../protocol/keyed-digest.ts'
import type { AdjustBooking } from '../../../protocol/types.generated.ts'
import { readMoment } from '../../availability/read-query-range.ts'
import { planOf } from '../../availability/service-scheduling-plan.ts'
import { readSlotId, slotId } from '../../availability/time-slot-response.ts'
import { allocationEnd } from '../../bookings/allocate-booking-slot.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { lockBooking, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { claimedTimeRefusal } from '../hours/refuse-claimed-time.ts'
import { moment, onBookingAtDesk } from '../shared/operation-defaults.ts'
import { refuseTooLong } from './refuse-invalid-change.ts'

export const adjust = defineOperation<AdjustBooking>({
  ...onBookingAtDesk,
  id: 'adjustBooking',
  rest: 'POST /business/bookings/{booking_id}/adjust',
  tool: 'usp_business_bookings_adjust',
  title: 'Change how long a booking takes',
  description:
    'Changes the end of a booking that has not begun or is in progress: to a later end, if the time is free, ' +
    'or to an earlier one. The price stays the same.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id', 'end'],
    properties: { booking_id: idOrReference, end: moment('The new end.') },
  },
  async handle(context) {
    const { input, db, caller, now, tag } = context
    const booking = await lockBooking(context, input.booking_id)
    refuseUnadjustable(booking)
    const ends_at = new Date(readMoment('end', input.end))
    if (ends_at <= booking.starts_at || ends_at <= now)
      throw invalidInput('It must end after it starts, and not before now.', '$.end')
    refuseTooLong(booking.starts_at.getTime(), ends_at.getTime())
    if (ends_at.getTime() === booking.ends_at.getTime()) return { booking: toBooking(booking, context) }
    await claimUntil(context, booking, ends_at)
    const { sequence, slot_id } = booking.record
    const lasting = booking.status === 'confirmed' ? slotUntil(tag, slot_id, ends_at) : slot_id
    const change = { ends_at, record: { ...booking.record, slot_id: lasting, sequence: sequence + 1 } }
    const by = { actor: caller.principal, action: 'adjust', detail: { from: booking.ends_at, to: ends_at } }
    return { booking: toBooking(await saveBooking(db, booking, { change, by }, now), context) }
  },
})

function refuseUnadjustable({ status, session_id }: BookingRow): void {
  if (status !== 'in_progress' && status !== 'confirmed')
    throw new BusinessRefusal(
      'invalid_transition',
      'Only a confirmed booking or one in progress can be adjusted; this booking is ' +
        `${status.replaceAll('_', ' ')}.`,
    )
  if (session_id !== null)
    throw new BusinessRefusal('invalid_transition', 'A class ends at the same time for all who take part.')
}

/**
 * Returns the slot id of a confirmed booking for its new end. The calling code leaves the slot id of a booking in
 * progress unchanged.
 */
function slotUntil(tag: Tag, id: string, end: Date): string {
  const key = readSlotId(tag, id)
  return key ? slotId(tag, { ...key, end: end.getTime() }) : id
}

/** Reserves the resources of the booking until its new end, including the buffers before and after the booking. */
async function claimUntil({ db, business, now }: ChangeContext, booking: BookingRow, end: Date): Promise<void> {
  const { id, service_id, starts_at, resource_ids } = booking
  const { before, after } = planOf(await business.get(), service_id) ?? { before: 0, after: 0 }
  const time = { from: starts_at.getTime() - before, to: end.getTime() + after }
  await resourcesLock(db, resource_ids)
  await allocationEnd(db, booking)
  if (!(await claimTake(db, { resources: resource_ids, time, holder: { kind: 'booking', id } }, now)))
    throw await claimedTimeRefusal(
      db,
      {
        holderId: id,
        resources: resource_ids,
        range: [time.from, time.to],
        zone: booking.record.zone,
        path: '$.end',
        advice: 'Move or cancel the other booking first.',
        heedsOtherCalendars: true,
      },
      now,
    )
}
