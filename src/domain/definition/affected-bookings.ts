import type { Database } from '../../infra/db/database.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { referenceOf } from '../bookings/booking-response.ts'
import { type UpcomingBooking, upcomingBookings } from './affected-booking-queries.ts'
import { type AffectedReason, affectedReasonsBy } from './affected-booking-reasons.ts'

export interface AffectedUpcomingBooking {
  booking: UpcomingBooking
  /**
   * The new reasons why the booking cannot take place. A reason that already applied under the old business definition
   * is left out.
   */
  reasons: AffectedReason[]
  /**
   * All reasons why the booking cannot take place under the new business definition. Reasons that already applied under
   * the old definition are included.
   */
  all: AffectedReason[]
  isNew: boolean
}

/**
 * Finds the upcoming bookings that cannot take place under the new business definition. The result also includes
 * bookings that could not take place under the old definition.
 */
export async function findAffectedBookings(
  db: Database,
  before: BusinessDefinition | undefined,
  after: BusinessDefinition,
  now: Date,
): Promise<AffectedUpcomingBooking[]> {
  const [reasonsBefore, reasonsAfter] = [before ? affectedReasonsBy(before) : async () => [], affectedReasonsBy(after)]
  const found: AffectedUpcomingBooking[] = []
  for await (const booking of upcomingBookings(db, now)) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    const all = await reasonsAfter(booking)
    if (all.length === 0) continue
    const known: AffectedReason[] = await reasonsBefore(booking)
    const reasons = all.filter((reason) => !known.includes(reason))
    found.push({ booking, reasons, all, isNew: reasons.length > 0 })
  }
  return found
}

export const MAX_AFFECTED_LISTED = 50

/**
 * Makes the list of bookings that the change of the business definition affects, earliest first. The list contains no
 * personal data, because it is part of an answer.
 */
export function toAffectedList(found: readonly AffectedUpcomingBooking[]) {
  const fresh = found.filter(({ isNew }) => isNew)
  return { total: fresh.length, bookings: fresh.slice(0, MAX_AFFECTED_LISTED).map(toListed) }
}

const toListed = ({ booking, reasons }: AffectedUpcomingBooking) => ({
  id: booking.id,
  reference: referenceOf(booking),
  service_id: booking.service_id,
  service_name: booking.service_name,
  start: rfc3339(booking.zone, booking.starts_at.getTime()),
  end: rfc3339(booking.zone, booking.ends_at.getTime()),
  resource_ids: booking.resource_ids,
  reasons,
})

export type AffectedList = ReturnType<typeof toAffectedList>

export const NO_AFFECTED_BOOKINGS: AffectedList = { total: 0, bookings: [] }
