import type { Database } from '../../../infra/db/database.ts'
import { DAY } from '../../../infra/time/time-units.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../../infra/util/yield-to-event-loop.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import { rankCandidates } from '../../availability/allocate-slot.ts'
import { assignDistinct } from '../../availability/assign-distinct-resources.ts'
import { type AvailableTime, availableOf, type SearchedTime } from '../../availability/available-times.ts'
import { scheduledLazily } from '../../availability/cached-scheduled-times.ts'
import { readOccupancy } from '../../availability/find-available-times.ts'
import { memoizedOccupancy, type Occupancy, occupancyFromSpans } from '../../availability/resource-occupancy.ts'
import { type Plan, planOf } from '../../availability/service-scheduling-plan.ts'
import { mergedOverlaps, type Span } from '../../availability/time-spans.ts'
import { daysWithin, withinDays } from '../../availability/working-hours-and-closures.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import { isPossible } from '../../bookings/operations-by-status.ts'
import { planWithoutRules, withDuration } from '../bookings/drop-overridden-booking-rules.ts'
import type { Absence } from './absence.ts'

/**
 * The numbers of days after the start of a booking in which the server searches for another time. The search runs in
 * steps, and usually the first step finds a time.
 */
const SEARCH_STEPS_DAYS = [1, 7, 31]

export interface AnotherTime {
  start: number
  end: number
  location: string | undefined
  resources: string[]
}

/**
 * A time that the search must not suggest, although the database does not show it as occupied. Examples are the time of
 * the absence and the times of earlier suggestions.
 */
interface ClaimedTime {
  resources: readonly string[]
  span: Span
}

/**
 * A booking that needs another time, and the plan (the booking settings) of its service. The business still offers the
 * service.
 */
interface BookingToMove {
  booking: BookingRow
  plan: Plan
}

interface Search {
  away: Absence
  now: Date
  taken: ClaimedTime[]
}

/**
 * Suggests another time for each booking that an absence affects: the same time with other resources, or else the next
 * free time. Suggestions never conflict with each other. The server first tries the same time for all bookings.
 * Otherwise, a later time for one booking could use a resource that another booking needs to keep its time.
 */
export async function otherTimes(
  db: Database,
  bookings: readonly BookingRow[],
  { away, definition, now }: { away: Absence; definition: BusinessDefinition | undefined; now: Date },
): Promise<Map<string, AnotherTime>> {
  const found = new Map<string, AnotherTime>()
  const search = { away, now, taken: [{ resources: away.resources, span: away.range }] }
  const toMove = bookings.flatMap((booking) => {
    const plan = planOf(definition, booking.service_id)
    const length = booking.ends_at.getTime() - booking.starts_at.getTime()
    const isToBeHad = plan && isPossible('reschedule', booking) && (plan.service.status ?? 'active') === 'active'
    return isToBeHad ? { booking, plan: plan.byTheDay ? plan : withDuration(plan, length, booking.resource_ids) } : []
  })
  for (const find of [sameTime, laterTime])
    for (const one of toMove) {
      const { booking, plan } = one
      const time = found.has(booking.id) ? undefined : await find(db, one, search)
      if (!time) continue
      found.set(booking.id, time)
      search.taken.push({ resources: time.resources, span: [time.start - plan.before, time.end + plan.after] })
    }
  return found
}

/**
 * Suggests the same time with other resources. The start need not be a regular start time of the service, because an
 * existing booking can begin at any minute.
 */
async function sameTime(
  db: Database,
  { booking, plan }: BookingToMove,
  search: Search,
): Promise<AnotherTime | undefined> {
  const start = booking.starts_at.getTime()
  if (start < search.now.getTime()) return undefined
  const anyMinute = planWithoutRules(plan, [], booking.record.party_size)
  return firstWithin(db, { booking, plan: anyMinute }, search, [start, start + 1])
}

async function laterTime(db: Database, toMove: BookingToMove, search: Search): Promise<AnotherTime | undefined> {
  const from = Math.max(toMove.booking.starts_at.getTime(), search.now.getTime())
  let until = from
  for (const days of SEARCH_STEPS_DAYS) {
    const time = await firstWithin(db, toMove, search, [until, from + days * DAY])
    if (time) return time
    until = from + days * DAY
  }
}

async function firstWithin(
  db: Database,
  { booking, plan }: BookingToMove,
  { away, now, taken }: Search,
  range: Span,
): Promise<AnotherTime | undefined> {
  const { party_size: party, location } = booking.record
  const length = booking.ends_at.getTime() - booking.starts_at.getTime()
  const isClosed = ({ start, end }: AvailableTime) =>
    location !== undefined && location.id === away.place && start < away.range[1] && end > away.range[0]
  const isSoLong = ({ start, end }: AvailableTime) => plan.resourceDurations.size > 0 || end - start === length
  const fits = (time: AvailableTime) =>
    isSoLong(time) && time.location === location?.id && time.capacity?.remaining !== 0 && !isClosed(time)
  const except = { kind: 'booking', id: booking.id } as const
  const busy = withTaken(await readOccupancy(db, plan, range, { now, except, ranks: true }), taken)
  for (const date of daysWithin(plan.zone, range)) {
    if (isTimeSliceUsed()) await yieldToEventLoop()
    const first: SearchedTime[] = []
    for (const time of availableOf(scheduledLazily(plan, withinDays(plan.zone, [date], range)), plan, busy, party)) {
      if (isTimeSliceUsed()) await yieldToEventLoop()
      if (first[0] && first[0].start < time.start) break
      if (fits(time)) first.push(time)
    }
    if (first.length > 0) return nearest(first, booking, plan, busy)
  }
}

/**
 * Chooses one of several free times with the same start: the time that keeps the most of the booking's current
 * resources.
 */
function nearest(
  times: readonly SearchedTime[],
  { resource_ids: current }: BookingRow,
  plan: Plan,
  busy: Occupancy,
): AnotherTime | undefined {
  const isOwn = (id: string) => current.includes(id)
  const found = times.flatMap((time) => {
    const ownFirst = rankCandidates(plan, busy, time).map((ids) =>
      ids.toSorted((one, other) => +isOwn(other) - +isOwn(one)),
    )
    const assigned = assignDistinct(ownFirst)
    const { start, end, location, picks } = time
    return assigned ? [{ start, end, location, resources: [...picks, ...assigned] }] : []
  })
  const keptCount = ({ resources }: AnotherTime) => resources.filter(isOwn).length
  return found.toSorted((one, other) => keptCount(other) - keptCount(one))[0]
}

function withTaken(busy: Occupancy, taken: readonly ClaimedTime[]): Occupancy {
  return memoizedOccupancy((id) => {
    const { taken: claimed = [], held = [] } = busy.get(id) ?? {}
    const more = taken.flatMap(({ resources, span }) => (resources.includes(id) ? [span] : []))
    return occupancyFromSpans(mergedOverlaps([...claimed, ...more].toSorted(([one], [other]) => one - other)), held)
  })
}
