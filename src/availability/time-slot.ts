import { LRUCache } from 'lru-cache'
import { wireType } from '../business/wire-type.ts'
import { pickText } from '../catalog/pick-text.ts'
import type { Tag } from '../protocol/tags.ts'
import type { TimeSlot } from '../protocol/types.generated.ts'
import { written } from '../time/zone.ts'
import type { Capacity, Offer } from './offers.ts'
import type { Opening } from './openings.ts'
import type { Plan } from './plan.ts'
import { slotId } from './slot-id.ts'
import { hasSlotPrices, slotPricing } from './slot-price.ts'

/** How offers are told to a platform: in its time zone and its language. */
export function timeSlots(tag: Tag, plan: Plan, offers: Offer[], zone: string, locale = ''): TimeSlot[] {
  const known = memoryOf(tag, `${zone} ${locale}`)
  return offers.map((offer) => {
    const { capacity, opening } = offer
    const kept = opening && known.get(opening)
    const told = kept ?? tell(tag, plan, offer, zone, locale)
    if (opening && !kept) known.set(opening, told)
    return capacity ? { ...told, state: stateOf(capacity), capacity } : told
  })
}

/** The slots that are asked for are much the same from one query to the next; whether they are free is not kept. */
const memories = new WeakMap<Tag, LRUCache<string, Map<Opening, TimeSlot>>>()
const MOST_KEPT = 5_000

function memoryOf(tag: Tag, tongue: string): Map<Opening, TimeSlot> {
  const tongues = memories.get(tag) ?? new LRUCache({ max: 20 })
  memories.set(tag, tongues)
  const known = tongues.get(tongue)
  // It also holds the openings of definitions that are no more, so it is given up rather than kept within its size.
  const memory = known && known.size < MOST_KEPT ? known : new Map()
  if (memory !== known) tongues.set(tongue, memory)
  return memory
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
