import type { Database } from '../../infra/db/database.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import type { Message } from '../../protocol/types.generated.ts'
import { SEARCH_AHEAD_MS } from './availability-limits.ts'
import type { SearchedTime } from './available-times.ts'
import { atMost, info } from './closure-and-party-notices.ts'
import { bookableRange, firstAvailableTime } from './find-available-times.ts'
import { largestParty } from './party-size-capacity.ts'
import { narrowPlan, type Plan, resourcesById } from './service-scheduling-plan.ts'
import type { Span } from './time-spans.ts'
import { isEverScheduled, type NeverReason, whyNeverAvailable, whyOutsideWindow } from './why-never-available.ts'

interface SlotQuery {
  range: Span
  zone: string
  party: number
  resource: string | undefined
  location: string | undefined
  fits(time: SearchedTime): boolean
}

export async function emptyNotice(db: Database, plan: Plan, query: SlotQuery, now: Date): Promise<Message> {
  const never = whyNeverAvailable(plan, query)
  if (never) return info('no_availability', neverText(plan, never, query))
  const { range, party, resource, location, fits } = query
  const searched = narrowPlan(plan, { ids: [resource], location })
  const [from, to] = bookableRange(plan, [now.getTime(), now.getTime() + SEARCH_AHEAD_MS], now)
  const middle = Math.min(Math.max(from, range[1]), to)
  const first = (part: Span) => firstAvailableTime(db, searched, { range: part, party, now, fits })
  const next = (await first([middle, to])) ?? (await first([from, middle]))
  const hint = next
    ? ` The next free time is on ${dateIn(query.zone, next.start)}.`
    : ' There is no free time in the coming three months.'
  return info('no_availability', (await textForRange(searched, query, now)) + hint)
}

async function textForRange(plan: Plan, { range, resource, fits }: SlotQuery, now: Date): Promise<string> {
  if (range[0] === range[1]) return 'The range is empty: it ends at the moment it begins.'
  const outside = whyOutsideWindow(plan, range, now)
  if (outside) return TEXTS[outside]
  const name = nameOf(plan, resource)
  if (plan.service.type === 'group') return `No class${name ? ` with ${name}` : ''} has free places then.`
  if (!(await isEverScheduled(plan, bookableRange(plan, range, now), fits)))
    return 'The service has no working hours in this range.'
  return name ? `${name} is fully booked then.` : 'Everything is booked then.'
}

function neverText(plan: Plan, never: NeverReason, { resource }: SlotQuery): string {
  if (never === 'party_too_large') return atMost(largestParty(plan))
  const name = never === 'not_enough_room' ? nameOf(plan, resource) : undefined
  return name ? `${name} has no place for a party of this size.` : TEXTS[never]
}

const nameOf = (plan: Plan, resource: string | undefined): string | undefined =>
  resource === undefined ? undefined : resourcesById(plan.business).get(resource)?.name

const TEXTS = {
  not_at_location: 'This service is not offered at this location.',
  not_with_resource: 'This person or thing does not belong to this service.',
  not_enough_room: 'No place is large enough for this party.',
  past: 'These days are in the past.',
  too_soon: 'This is too soon: bookings need more notice.',
  too_far_ahead: 'This is too far ahead to be booked.',
}
