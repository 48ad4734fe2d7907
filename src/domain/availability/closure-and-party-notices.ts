import type { Message, ResourceDefinition } from '../../protocol/types.generated.ts'
import { appliesOn } from './opening-hours-on-day.ts'
import { largestParty } from './party-size-capacity.ts'
import type { Plan } from './service-scheduling-plan.ts'
import { overlapsAny, type Span } from './time-spans.ts'
import { absenceSpans, appliesTo, closureSpans, closuresAt, daysWithin } from './working-hours-and-closures.ts'

export const info = (code: string, content: string): Message => ({ type: 'info', code, content })

export function rangeNotices({ business, zone, requirements, locations }: Plan, range: Span): Message[] {
  const closures = new Set(locations.flatMap((location) => closuresAt(business, location)))
  const closed = [...closures].filter((closure) => overlapsAny(closureSpans(zone, closure), ...range))
  const { special_hours = [] } = business
  const days = special_hours.length > 0 ? daysWithin(zone, range) : []
  const special = special_hours.filter(
    (one) => locations.some((location) => appliesTo(one, location)) && days.some((day) => appliesOn(one, day)),
  )
  const isAway = (one: ResourceDefinition) => one.time_off && overlapsAny(absenceSpans(zone, one), ...range)
  const away = requirements.some(({ candidates }) => candidates.some(isAway))
  return [
    ...closed.map(({ from, to, reason, locations: places }) =>
      info('closed', `Closed ${daysNamed(from, to)}${placesNamed(business, places)}${reasonSuffix(reason)}.`),
    ),
    ...special.map(({ from, to = from, opens, closes, days: only, reason, locations: places }) => {
      const when = `${daysNamed(from, to)}${only ? ` (${only.join(', ')})` : ''}, ${opens} to ${closes}`
      return info('special_hours', `Other hours ${when}${placesNamed(business, places)}${reasonSuffix(reason)}.`)
    }),
    ...(away
      ? [info('reduced_availability', 'Fewer people or rooms than usual are available on some of these days.')]
      : []),
  ]
}

const daysNamed = (from: string, to: string) => (from === to ? `on ${from}` : `from ${from} to ${to}`)

const placesNamed = (business: Plan['business'], ids: readonly string[] | undefined) =>
  ids ? ` at ${ids.map((id) => nameOf(business, id)).join(' and ')}` : ''

const reasonSuffix = (reason: string | undefined) => (reason ? `: ${reason}` : '')

const nameOf = ({ locations = [] }: Plan['business'], id: string) => locations.find((one) => one.id === id)?.name ?? id

export function partyNotices(plan: Plan, party: number): Message[] {
  const min = plan.service.capacity?.min ?? 1
  if (party < min)
    return [info('party_too_small', `It requires at least ${min} people: send their number as party_size.`)]
  const max = largestParty(plan)
  if (party > max) return [info('party_too_large', atMost(max))]
  if (party === 1 || max < Number.POSITIVE_INFINITY) return []
  return [
    info('party_unchecked', 'The service does not say how many people it is for: one booking is for all of them.'),
  ]
}

export const atMost = (most: number): string => `It is for at most ${most === 1 ? 'one person' : `${most} people`}.`
