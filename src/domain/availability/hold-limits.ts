import { defaultLimits } from '../../core/limits/rate-limits.ts'
import { secondsUntil } from '../../core/limits/stranger-caller-quota.ts'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { dateIn, wholeDays } from '../../infra/time/time-zone.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import type { Limits } from '../../protocol/call-limit-types.ts'
import type { Caller } from '../../protocol/caller-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { FREE_RELEASES, MAX_LIVE_HOLDS, UNOPENED_SHARE } from './availability-limits.ts'
import { scheduledLazily } from './cached-scheduled-times.ts'
import { sessionTimes } from './find-available-times.ts'
import type { Slot } from './find-slot.ts'
import type { ScheduledTime } from './generate-scheduled-times.ts'
import type { Plan } from './service-scheduling-plan.ts'

interface HoldOwner {
  principal: string
  address: string
  most: number
}

/**
 * The maximum number of active holds (short reservations) of a caller on one service. A platform has a higher maximum,
 * because it places holds for many buyers. A visitor of the booking pages may use the whole limit of their network (a
 * range of IP addresses). A family may share one browser.
 */
export function maxHoldsOf({ mechanism, stranger, principal }: Caller, limits: Limits = {}): number {
  if (mechanism === 'page' && stranger) return stranger.limits.holds
  if (stranger || !PLATFORM.test(principal)) return MAX_LIVE_HOLDS
  return limits.live_holds ?? defaultLimits.live_holds
}

/**
 * Matches the principal (stored name) of a platform that acts for many buyers. `client:X/buy_Y` does not match, because
 * there the platform X acts only for the buyer Y.
 */
const PLATFORM = /^(key|client|cert):[^/]+$/

/**
 * Refuses a hold (a short reservation) in two cases. Either the caller has too many active holds on the service, or the
 * caller recently released too many holds without a booking.
 */
export function requireFewHolds(
  tx: UnitOfWork,
  { principal, address, most }: HoldOwner,
  serviceId: string,
  now: Date,
): void {
  const { principal: free, address: freeNearby } = FREE_RELEASES
  tx.require({
    name: 'may_hold',
    values: [principal, address, serviceId, now, most, free, freeNearby],
    refusal: (detail) => tooMany(JSON.parse(detail), now),
  })
}

function tooMany({ live, until }: { live?: number; until: string }, now: Date): ProtocolError {
  const message =
    live === undefined
      ? 'Too many holds were released without a booking.'
      : `You have ${live} live holds on this service. Book or release one of them.`
  const retryAfter = Math.ceil((Date.parse(until) - now.getTime()) / 1000)
  return new ProtocolError('hold_limit_exceeded', message, { retryAfter })
}

/**
 * An AI assistant holds (reserves) a slot, and gives the buyer a link. If holds with unopened links already reserve too
 * much of the day, the function refuses another hold. Otherwise, one caller could block the day. The limit counts all
 * assistants together, because many of them share one IP address. Returns the day of the slot.
 */
export async function requireFewUnopened(
  tx: UnitOfWork,
  { plan, time }: Slot,
  spots: number,
  now: Date,
): Promise<string> {
  const { service, zone } = plan
  const day = dateIn(zone, time.start)
  const most = Math.max(1, Math.floor((await dailyCapacity(tx, plan, day, now)) * UNOPENED_SHARE))
  const isClass = service.type === 'group'
  tx.require({
    name: 'few_unopened',
    values: [service.id, day, now, isClass ? spots : 1, most, isClass],
    refusal: (detail) =>
      new ProtocolError('hold_limit_exceeded', 'Unopened links already reserve a part of this day.', {
        retryAfter: secondsUntil(detail, now),
      }),
  })
  return day
}

/**
 * The number of bookings that a service can have on one day, as if no booking existed yet. For classes, the function
 * counts seats. For other services, it counts bookings that fit one after another.
 */
async function dailyCapacity(db: Database, plan: Plan, day: string, now: Date): Promise<number> {
  const range = wholeDays(plan.zone, day)
  if (plan.service.type !== 'group') {
    const times: ScheduledTime[] = []
    for (const time of scheduledLazily(plan, range)) {
      times.push(time)
      if (isTimeSliceUsed()) await yieldToEventLoop()
    }
    return countDisjointTimes(plan, times)
  }
  const sessions = await sessionTimes(db, plan, { range, party: 1, now })
  return sessions.reduce((sum, { capacity }) => sum + (capacity?.total ?? 0), 0)
}

/**
 * The number of bookings that fit into these times without overlap. Each resource that buyers choose, such as a staff
 * member, serves one booking at a time. If buyers choose several kinds of resources, the kind with the fewest possible
 * bookings limits the result.
 */
function countDisjointTimes(plan: Plan, times: readonly ScheduledTime[]): number {
  const kinds = Math.max(1, times[0]?.picks.length ?? 0)
  const ofKinds = Array.from({ length: kinds }, (_, kind) => {
    const byPerson = Map.groupBy(times, ({ picks }) => picks[kind])
    return [...byPerson.values()].reduce((sum, ones) => sum + countConsecutive(plan, ones), 0)
  })
  return Math.min(...ofKinds)
}

/**
 * Counts the bookings that fit one after another, earliest end first. If the business assigns resources, such as rooms,
 * several bookings may fit at the same time. The kind of resource with the fewest candidates at work limits their
 * number.
 */
function countConsecutive({ before, after }: Plan, times: readonly ScheduledTime[]): number {
  let [count, free] = [0, Number.NEGATIVE_INFINITY]
  for (const { start, end, working } of times.toSorted((one, other) => one.end - other.end)) {
    if (start - before < free) continue
    count += working.length === 0 ? 1 : Math.min(...working.map(({ length }) => length))
    free = end + after
  }
  return count
}
