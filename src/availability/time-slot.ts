import { wireType } from '../business/wire-type.ts'
import { pickText } from '../catalog/pick-text.ts'
import type { TimeSlot } from '../protocol/types.generated.ts'
import type { Tag } from '../trust/tags.ts'
import type { Capacity, Offer } from './offers.ts'
import type { Plan } from './plan.ts'
import { planMemory } from './plan-memory.ts'
import { slotId } from './slot-id.ts'
import { hasSlotPrices, slotPricing } from './slot-price.ts'
import { written } from './zone.ts'

/** How an offer is told to a platform: in its time zone and its language. */
export function timeSlot(tag: Tag, plan: Plan, offer: Offer, zone: string, locale: string | undefined): TimeSlot {
  const { capacity } = offer
  const told = toldOf(tag, plan, offer, zone, locale)
  return capacity ? { ...told, state: stateOf(capacity), capacity } : told
}

/** The slots that are asked for are much the same from one query to the next; whether they are free is not kept. */
const memories = new WeakMap<Tag, ReturnType<typeof planMemory<TimeSlot>>>()

function toldOf(tag: Tag, plan: Plan, offer: Offer, zone: string, locale = ''): TimeSlot {
  const memory = memories.get(tag) ?? planMemory<TimeSlot>(20_000, () => 1)
  memories.set(tag, memory)
  const { start, end, location = '', picks } = offer
  const what = `${start} ${end} ${zone} ${location} ${picks.join(' ')} ${locale}`
  const known = memory.get(plan, what)
  if (known) return known
  const told = tell(tag, plan, offer, zone, locale)
  memory.set(plan, what, told)
  return told
}

function tell(tag: Tag, plan: Plan, offer: Offer, zone: string, locale: string): TimeSlot {
  const { start, end, location, picks } = offer
  const { service, business } = plan
  const place = business.locations?.find(({ id }) => id === location)
  const resources = namedResources(plan, picks, locale)
  return {
    id: slotId(tag, { service: service.id, start, end, location, picks }),
    service_id: service.id,
    start: written(zone, start),
    end: written(zone, end),
    duration: isoDuration(end - start),
    state: 'available',
    ...(resources.length > 0 && { resources }),
    ...(place && { location: { id: place.id, name: place.name } }),
    ...(hasSlotPrices(plan) && { pricing: slotPricing(plan, offer, locale) }),
  }
}

/** One of a type: a slot never has two. */
export function namedResources({ business }: Pick<Plan, 'business'>, ids: readonly string[], locale?: string) {
  const found = ids.flatMap((id) => business.resources?.find((resource) => resource.id === id) ?? [])
  const byType = new Map(found.reverse().map((resource) => [wireType(resource.type), resource]))
  return [...byType].reverse().map(([type, { id, name, localized }]) => ({
    id,
    type,
    name: (locale && pickText(localized?.name ?? {}, locale)) || name,
  }))
}

/** Nearly full: under a fifth left, or one or two of more than three. */
function stateOf({ total, remaining }: Capacity): TimeSlot['state'] {
  if (remaining === 0) return 'waitlist'
  return remaining < total / 5 || (total > 3 && remaining < 3) ? 'limited' : 'available'
}

export function isoDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`
}
