import { isShareUsed, letOthers } from '../basics/long-work.ts'
import type { Database } from '../db/database.ts'
import type { Message } from '../protocol/types.generated.ts'
import { DAY } from '../time/units.ts'
import { dateIn } from '../time/zone.ts'
import { type AvailableTime, availableOf } from './available-times.ts'
import { bookable, firstAvailableTime } from './find-available-times.ts'
import { atMost, info } from './notices.ts'
import { hasRoom, largestParty } from './party.ts'
import type { Plan } from './plan.ts'
import { planWith } from './plan-with.ts'
import { scheduledInAnyOrder } from './scheduled-times.ts'
import type { Span } from './spans.ts'
import { isPartOf } from './with-resource.ts'
import { daysWithin, withinDays } from './working-hours.ts'

/** What was asked for. */
interface SlotQuery {
  range: Span
  zone: string
  party: number
  resource: string | undefined
  location: string | undefined
  fits(time: AvailableTime): boolean
}

/** How far ahead the next free time is looked for. */
const AHEAD = 92 * DAY

/** Why there is nothing in the range, in a sentence, and when there is. */
export async function emptyNotice(db: Database, plan: Plan, query: SlotQuery, now: Date): Promise<Message> {
  const never = neverWhy(plan, query)
  if (never !== undefined) return info('no_availability', never)
  const { range, party, resource, location, fits } = query
  const searched = planWith(plan, { ids: [resource], location })
  const [from, to] = bookable(plan, [now.getTime(), now.getTime() + AHEAD], now)
  const middle = Math.min(Math.max(from, range[1]), to)
  const first = (part: Span) => firstAvailableTime(db, searched, { range: part, party, now, fits })
  const next = (await first([middle, to])) ?? (await first([from, middle]))
  const hint = next
    ? ` The next free time is on ${dateIn(query.zone, next.start)}.`
    : ' There is no free time in the coming three months.'
  return info('no_availability', (await notThenWhy(searched, query, now)) + hint)
}

/** Why it cannot be had like this on any day. */
function neverWhy(plan: Plan, { party, resource, location }: SlotQuery): string | undefined {
  const { requirements, locations } = plan
  if (location !== undefined && !locations.includes(location)) return 'This service is not to be had at that place.'
  if (resource !== undefined && !isPartOf(plan, resource)) return 'This person or thing is no part of this service.'
  const isTooSmall = requirements.some(({ candidates }) => !candidates.some((one) => hasRoom(plan, one, party)))
  if (isTooSmall) return 'There is no place for so many together.'
  const most = largestParty(plan)
  if (party > most) return atMost(most)
}

async function notThenWhy(plan: Plan, { range, fits }: SlotQuery, now: Date): Promise<string> {
  if (range[0] === range[1]) return 'The range ends at the moment at which it begins.'
  if (range[1] <= now.getTime()) return 'These days are past.'
  if (range[1] <= now.getTime() + plan.minAdvance) return 'This is too soon: bookings need more notice.'
  const [from, to] = bookable(plan, range, now)
  if (from >= to) return 'This is further ahead than can be booked.'
  if (plan.service.type === 'group') return 'No class with room takes place then.'
  return (await isEverScheduled(plan, [from, to], fits))
    ? 'Everything is booked then.'
    : 'There are no hours for it then.'
}

/** Whether anything would do if nothing were booked: no more is reckoned than up to the first. */
async function isEverScheduled(plan: Plan, range: Span, fits: SlotQuery['fits']): Promise<boolean> {
  for (const day of daysWithin(plan.zone, range)) {
    await letOthers()
    const scheduled = scheduledInAnyOrder(plan, withinDays(plan.zone, [day], range))
    for (const time of availableOf(scheduled, plan, new Map(), 1)) {
      if (fits(time)) return true
      if (isShareUsed()) await letOthers()
    }
  }
  return false
}
