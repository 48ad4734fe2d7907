import { dateIn, wholeDays } from '../../infra/time/time-zone.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { type WorkingTime, workingTimeAt } from '../availability/resource-working-times.ts'
import { sessionsInBatches } from '../availability/scheduled-class-sessions.ts'
import { type Plan, planOf, resourcesOf } from '../availability/service-scheduling-plan.ts'
import type { Span } from '../availability/time-spans.ts'
import type { UpcomingBooking } from './affected-booking-queries.ts'

/**
 * The reasons why a booking cannot take place under a business definition. Either the service, class, location or
 * resource of the booking is missing, or it is not available at the booked time.
 */
export const AFFECTED_REASONS = ['no_service', 'no_class', 'no_place', 'no_resource', 'closed', 'away'] as const
export type AffectedReason = (typeof AFFECTED_REASONS)[number]

/**
 * Returns a function that checks one booking against this business definition. That function lists the reasons why the
 * booking cannot take place. If the list is empty, the booking can take place.
 */
export function affectedReasonsBy(
  business: BusinessDefinition,
): (booking: UpcomingBooking) => Promise<AffectedReason[]> {
  const classes = new Map<string, boolean>()
  const workingTimeOf = workingTimesByDay()
  return async (booking) => {
    const plan = planOf(business, booking.service_id)
    if (!plan) return ['no_service']
    if (booking.session_id === null) return whyAtItsTime(plan, booking, workingTimeOf)
    // The server caches the result for each class session. One session has many bookings, and the recurrence rule of
    // the class is slow to compute.
    const isHeld = classes.get(booking.session_id) ?? (await isWanted(plan, booking))
    classes.set(booking.session_id, isHeld)
    return isHeld ? [] : ['no_class']
  }
}

async function isWanted(plan: Plan, { starts_at, resource_ids, location_id }: UpcomingBooking): Promise<boolean> {
  const start = starts_at.getTime()
  for await (const [session] of sessionsInBatches(plan, [start, start + 1]))
    return (
      session !== undefined &&
      session.location === (location_id ?? undefined) &&
      session.resources.toSorted().join() === resource_ids.toSorted().join()
    )
  return false
}

type WorkingTimeOf = ReturnType<typeof workingTimesByDay>

/**
 * Caches the working times of one day at a time. The calling function checks the bookings in the order of their days.
 * Therefore this small cache is enough to compute each day of a location only once.
 */
function workingTimesByDay() {
  const known = new Map<string, WorkingTime>()
  let since = ''
  return (plan: Plan, [start, end]: Span, location: string | undefined): WorkingTime => {
    const [first, last] = [dateIn(plan.zone, start), dateIn(plan.zone, end)]
    if (first !== since) known.clear()
    since = first
    const key = JSON.stringify([last, location, plan.byTheDay])
    const found = known.get(key) ?? workingTimeAt(plan, wholeDays(plan.zone, first, last), location)
    known.set(key, found)
    return found
  }
}

function whyAtItsTime(
  plan: Plan,
  { starts_at, ends_at, resource_ids, location_id }: UpcomingBooking,
  workingTimeOf: WorkingTimeOf,
): AffectedReason[] {
  const [start, end] = [starts_at.getTime(), ends_at.getTime()]
  const location = location_id ?? plan.locations[0]
  const { isOpen, isThere } = workingTimeOf(plan, [start, end], location)
  // A booking of a service without resources occupies only the placeholder `service:<id>`. The placeholder is not a
  // resource, so the check ignores it. Therefore the booking stays valid even if the service now requires resources.
  const needed = resource_ids.filter((id) => id !== `service:${plan.service.id}`)
  const known = new Set(resourcesOf(plan))
  const resources = (plan.business.resources ?? []).filter(({ id }) => needed.includes(id) && known.has(id))
  const isAway = resources.some(
    (one) => !(one.locations?.includes(location ?? '') ?? true) || !isThere(one, start, end),
  )
  return [
    ...(plan.locations.includes(location) ? [] : ['no_place' as const]),
    ...(resources.length < needed.length ? ['no_resource' as const] : []),
    ...(isOpen(start, end) ? [] : ['closed' as const]),
    ...(isAway ? ['away' as const] : []),
  ]
}
