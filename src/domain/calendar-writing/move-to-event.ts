import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { SECOND } from '../../infra/time/time-units.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import { STAFF_PREFIX } from '../../protocol/caller-types.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import { moveBooking } from '../bookings/apply-booking-move.ts'
import { bookingNotFound, lockAndExpire } from '../bookings/lock-and-save-booking.ts'
import { refuseByStatus } from '../bookings/operations-by-status.ts'
import { refuseBusyElsewhere } from '../desk/bookings/refuse-busy-elsewhere.ts'
import { resolveSlotOf } from '../desk/bookings/resolve-requested-slot.ts'

/** The actor in the history of the booking: somebody of the staff, in the other calendar. */
const ACTOR = `${STAFF_PREFIX}calendar`

/**
 * Moves a booking to the time of its event, like a staff member who overrides no rule. Refuses a time that the rules do
 * not allow, and a booking that has begun. The buyer, the platform and the calendars get the move as usual.
 */
export async function moveToEvent(
  tx: UnitOfWork,
  { booking: id, from, to }: { booking: string; from: number; to: number },
  { business, tag }: Dependencies<'business' | 'tag'>,
  now: Date,
): Promise<void> {
  await tx.waitForSlot(`time ${from}`)
  const booking = await lockAndExpire(tx, id, undefined, now)
  if (!booking) throw bookingNotFound()
  refuseByStatus('reschedule', booking)
  if (booking.starts_at <= now) throw new BusinessRefusal('reschedule_not_allowed', 'The booking has begun.')
  const length = to - from
  const isSameLength = length === +booking.ends_at - +booking.starts_at
  if (length <= 0 || length % SECOND !== 0)
    throw new BusinessRefusal('slot_unavailable', 'The event lasts no whole number of seconds.')
  const request = {
    start: rfc3339(booking.record.zone, from),
    ...(!isSameLength && { duration: `PT${length / SECOND}S` }),
  }
  const { slot } = await resolveSlotOf({ db: tx, business, tag, now }, booking, request)
  if (slot.time.end !== to) throw new BusinessRefusal('slot_unavailable', 'The service does not end at this time.')
  await refuseBusyElsewhere(tx, slot, booking)
  const definition = await business.get()
  const isWithheld = !(definition?.mails?.notify_of_moves ?? true)
  const byStaff = { overridden: [], ...(isWithheld && { mail: { isWithheld } }) }
  await moveBooking(tx, booking, { slot, hold: undefined, fee: 0, actor: ACTOR, byStaff }, now)
}
