import type { Database } from '../../../infra/db/database.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { slotUnavailable } from '../../availability/allocate-slot.ts'
import { assignDistinct } from '../../availability/assign-distinct-resources.ts'
import type { Slot } from '../../availability/find-slot.ts'
import { resourcesOf } from '../../availability/service-scheduling-plan.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { type BusySpan, busySpans } from '../../busy-times/busy-time-queries.ts'
import { conflictsOfClass } from '../../busy-times/conflict-queries.ts'
import { toBusy } from '../hours/day-schedule-schema.ts'

type Occupying = Pick<BookingRow, 'starts_at' | 'ends_at' | 'session_id'>

/**
 * Refuses a slot if too few people and rooms are left for it, because the others are busy in other calendars. The ledger
 * would refuse it too, but without a reason, because buyers must not learn of other calendars. A booking that already
 * overlaps a busy time may move within this busy time.
 */
export async function refuseBusyElsewhere(db: Database, slot: Slot, booking: Occupying | undefined): Promise<void> {
  const busy = await busyTimesInTheWay(db, slot, booking)
  if (busy.length === 0) return
  const taken_by = busy.map((span) => ({ kind: 'busy', ...toBusy(span, slot.plan.zone) }))
  const listed = taken_by.map(({ resource_id, start, end }) => `${resource_id} (${start} to ${end})`).join(', ')
  const { message, path } = slotUnavailable()
  throw new BusinessRefusal('slot_unavailable', `${message} Busy in another calendar: ${listed}.`, path, { taken_by })
}

async function busyTimesInTheWay(
  db: Database,
  { plan, time }: Slot,
  booking: Occupying | undefined,
): Promise<BusySpan[]> {
  const { session } = time
  if (session !== undefined) return booking?.session_id === session ? [] : conflictsOfClass(db, session)
  const range = [time.start - plan.before, time.end + plan.after] as const
  const spans = await busySpans(db, { range, resources: resourcesOf(plan) })
  const busy = spans.filter(({ from, to }) => !booking || +booking.starts_at >= to || +booking.ends_at <= from)
  const isFree = (id: string) => busy.every(({ resource_id }) => resource_id !== id)
  const assigned = time.scheduled?.working ?? []
  const needed = [...time.picks.map((id) => [id]), ...assigned.map((ones) => ones.map(({ id }) => id))]
  return assignDistinct(needed.map((ids) => ids.filter(isFree))) ? [] : busy
}
