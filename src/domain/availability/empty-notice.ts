import type { Database } from '../../infra/db/database.ts'
import { dateIn } from '../../infra/time/zone.ts'
import type { Message } from '../../protocol/types.generated.ts'
import type { OpenTime } from './available-times.ts'
import { bookable, firstAvailableTime } from './find-available-times.ts'
import { AHEAD } from './limits.ts'
import { atMost, info } from './notices.ts'
import { largestParty } from './party.ts'
import { type Plan, resourcesById } from './plan.ts'
import { planWith } from './plan-with.ts'
import type { Span } from './spans.ts'
import { isEverScheduled, type Never, neverWhy, outsideWhy } from './why-not.ts'

interface SlotQuery {
  range: Span
  zone: string
  party: number
  resource: string | undefined
  location: string | undefined
  fits(time: OpenTime): boolean
}

export async function emptyNotice(db: Database, plan: Plan, query: SlotQuery, now: Date): Promise<Message> {
  const never = neverWhy(plan, query)
  if (never) return info('no_availability', neverText(plan, never, query))
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

async function notThenWhy(plan: Plan, { range, resource, fits }: SlotQuery, now: Date): Promise<string> {
  if (range[0] === range[1]) return 'The range ends at the moment at which it begins.'
  const outside = outsideWhy(plan, range, now)
  if (outside) return SAID[outside]
  const who = nameOf(plan, resource)
  if (plan.service.type === 'group') return `No class${who ? ` with ${who} that has` : ' with'} room takes place then.`
  if (!(await isEverScheduled(plan, bookable(plan, range, now), fits))) return 'There are no hours for it then.'
  return who ? `With ${who} everything is booked then.` : 'Everything is booked then.'
}

function neverText(plan: Plan, never: Never, { resource }: SlotQuery): string {
  if (never === 'party_too_large') return atMost(largestParty(plan))
  const who = never === 'not_enough_room' ? nameOf(plan, resource) : undefined
  return who ? `${who} has no place for so many together.` : SAID[never]
}

const nameOf = (plan: Plan, resource: string | undefined): string | undefined =>
  resource === undefined ? undefined : resourcesById(plan.business).get(resource)?.name

const SAID = {
  not_at_location: 'This service is not to be had at that place.',
  not_with_resource: 'This person or thing is no part of this service.',
  not_enough_room: 'There is no place for so many together.',
  past: 'These days are past.',
  too_soon: 'This is too soon: bookings need more notice.',
  too_far_ahead: 'This is further ahead than can be booked.',
}
