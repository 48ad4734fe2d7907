import type { Database } from '../db/database.ts'
import type { Message } from '../protocol/types.generated.ts'
import { bookable, offersInParts } from './find-offers.ts'
import { awaySpan, closedAt, closedSpan } from './hours.ts'
import { type Offer, offers } from './offers.ts'
import type { Plan } from './plan.ts'
import type { Span } from './spans.ts'
import { dateIn } from './zone.ts'

const info = (code: string, content: string): Message => ({ type: 'info', code, content })

const overlaps = ([from, to]: Span, [start, end]: Span) => from < end && start < to

/** What makes the range other than a usual week: days off, and people who are away. */
export function rangeNotices({ business, zone, requirements, locations }: Plan, range: Span): Message[] {
  const closures = new Set(locations.flatMap((location) => closedAt(business, location)))
  const closed = [...closures].filter((closure) => overlaps(closedSpan(zone, closure), range))
  const people = requirements.flatMap(({ candidates }) => candidates)
  const away = people.some(({ time_off = [] }) => time_off.some((time) => overlaps(awaySpan(zone, time), range)))
  return [
    ...closed.map(({ from, to, reason, locations: places }) => {
      const days = from === to ? `on ${from}` : `from ${from} to ${to}`
      const where = places ? ` at ${places.map((id) => nameOf(business, id)).join(' and ')}` : ''
      return info('closed', `Closed ${days}${where}${reason ? `: ${reason}` : ''}.`)
    }),
    ...(away
      ? [info('reduced_availability', 'Fewer people or rooms than usual are there on some of these days.')]
      : []),
  ]
}

const nameOf = ({ locations = [] }: Plan['business'], id: string) => locations.find((one) => one.id === id)?.name ?? id

/** How far ahead the next free time is looked for. */
const AHEAD = 92 * 86_400_000
/** So many times are looked at first. */
const FEW = 100

/** Why there is nothing in the range, in a sentence, and when there is. */
export async function emptyNotice(
  db: Database,
  plan: Plan,
  range: Span,
  party: number,
  now: Date,
  fits: (offer: Offer) => boolean,
): Promise<Message> {
  const [from, to] = bookable(plan, [now.getTime(), now.getTime() + AHEAD], now)
  const middle = Math.min(Math.max(from, range[1]), to)
  const first = (part: Span) => firstOffer(db, plan, part, party, now, fits)
  const next = (await first([middle, to])) ?? (await first([from, middle]))
  const hint = next
    ? ` The next free time is on ${dateIn(plan.zone, next.start)}.`
    : ' There is no free time in the coming three months.'
  return info('no_availability', reason(plan, range, fits, now) + hint)
}

/** The earliest time with room. */
export async function firstOffer(
  db: Database,
  plan: Plan,
  range: Span,
  party: number,
  now: Date,
  fits: (offer: Offer) => boolean,
): Promise<Offer | undefined> {
  for await (const found of offersInParts(db, plan, range, party, now, FEW)) {
    const offer = found.find((one) => fits(one) && one.capacity?.remaining !== 0)
    if (offer) return offer
  }
}

function reason(plan: Plan, range: Span, fits: (offer: Offer) => boolean, now: Date): string {
  const [from, to] = bookable(plan, range, now)
  if (range[1] <= now.getTime()) return 'These days are past.'
  if (range[1] <= from) return 'This is too soon: bookings need more notice.'
  if (range[0] >= to) return 'This is further ahead than can be booked.'
  if (plan.service.type === 'group') return 'No class with room takes place then.'
  return offers(plan, new Map(), [from, to]).some(fits)
    ? 'Everything is booked then.'
    : 'There are no hours for it then.'
}
