import { LRUCache } from 'lru-cache'
import { wireType } from '../../core/business/definition-facts.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import { isEqualInConstantTime, type Tag } from '../../protocol/keyed-digest.ts'
import type { TimeSlot } from '../../protocol/types.generated.ts'
import { pickText } from '../catalog/localized-texts.ts'
import { hasSlotPrices, slotPricing } from '../pricing/slot-price.ts'
import type { AvailableTime, Capacity } from './available-times.ts'
import type { ScheduledTime } from './generate-scheduled-times.ts'
import { type Plan, resourcesById } from './service-scheduling-plan.ts'

export function timeSlots(
  tag: Tag,
  plan: Plan,
  times: AvailableTime[],
  { zone, locale = '' }: { zone: string; locale?: string | undefined },
): TimeSlot[] {
  const cachedSlots = slotCacheOf(tag, `${zone} ${locale}`)
  const isWaitlisted = plan.service.capacity?.waitlist === true
  return times.map((time) => {
    const { capacity, scheduled } = time
    const cached = scheduled && cachedSlots.get(scheduled)
    const timeSlot = cached ?? toTimeSlot(tag, plan, time, { zone, locale })
    if (scheduled && !cached) cachedSlots.set(scheduled, timeSlot)
    if (!capacity) return timeSlot
    return {
      ...timeSlot,
      state: stateOf(capacity),
      capacity: isWaitlisted ? { ...capacity, waitlist: true } : capacity,
    }
  })
}

/**
 * Caches the formatted slots for each language and time zone, because many callers query the same slots. The server
 * adds the free capacity later, because the capacity changes.
 */
const slotCaches = new WeakMap<Tag, LRUCache<string, Map<ScheduledTime, TimeSlot>>>()
const MAX_CACHED = 5_000

function slotCacheOf(tag: Tag, language: string): Map<ScheduledTime, TimeSlot> {
  const caches = slotCaches.get(tag) ?? new LRUCache({ max: 20 })
  slotCaches.set(tag, caches)
  const cachedSlots = caches.get(language)
  // The cache may contain slots of earlier business definitions, which no caller needs. Therefore the server empties
  // the whole cache when it is full.
  const usable = cachedSlots && cachedSlots.size < MAX_CACHED ? cachedSlots : new Map()
  if (usable !== cachedSlots) caches.set(language, usable)
  return usable
}

function toTimeSlot(
  tag: Tag,
  plan: Plan,
  time: AvailableTime,
  { zone, locale }: { zone: string; locale: string },
): TimeSlot {
  const { start, end, location, picks } = time
  const { service, business } = plan
  const place = business.locations?.find(({ id }) => id === location)
  const resources = oneOfEachType(namedResources(plan, picks, locale))
  return {
    id: slotId(tag, { service: service.id, start, end, location, picks }),
    service_id: service.id,
    start: rfc3339(zone, start),
    end: rfc3339(zone, end),
    duration: isoDuration(end - start),
    state: 'available',
    ...(resources.length > 0 && { resources }),
    ...(place && { location: { id: place.id, name: place.name } }),
    ...(hasSlotPrices(plan) && { pricing: slotPricing(plan, time, locale) }),
  }
}

type NamedResource = Required<Pick<NonNullable<TimeSlot['resources']>[number], 'id' | 'type' | 'name'>>

/**
 * Keeps only the first resource of each type in a slot, such as one staff member, because section 4.1 of the protocol
 * requires this. A booking lists all its resources.
 */
const oneOfEachType = (resources: NamedResource[]): NamedResource[] =>
  resources.filter(({ type }, index) => resources.findIndex((one) => one.type === type) === index)

/** The people, rooms or items with the names that answers, pages and mails show, in the language `locale`. */
export function namedResources(
  { business }: Pick<Plan, 'business'>,
  ids: readonly string[],
  locale?: string,
): NamedResource[] {
  const found = ids.flatMap((id) => resourcesById(business).get(id) ?? [])
  return found.map(({ id, type, name, localized }) => ({
    id,
    type: wireType(type),
    name: (locale && pickText(localized?.name ?? {}, locale)) || name,
  }))
}

/**
 * The state of a slot in answers. A slot is `limited` if less than a fifth of its seats is left. A slot with more than
 * three seats is also `limited` if fewer than three seats are left.
 */
function stateOf({ total, remaining }: Capacity): TimeSlot['state'] {
  if (remaining === 0) return 'waitlist'
  return remaining < total / 5 || (total > 3 && remaining < 3) ? 'limited' : 'available'
}

export function isoDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`
}

/** The data that a slot id encodes. A slot id is not a secret: a caller who knows it has no additional rights. */
export interface SlotKey {
  service: string
  start: number
  end: number
  location: string | undefined
  picks: string[]
}

const PREFIX = 'slot_'
/** Separates the parts of a slot id. Ids of services, locations and resources never contain this character. */
const SEPARATOR = '~'
const TAG_LENGTH = 12

/**
 * Encodes a slot as an id that the server can decode without the database. The id ends with a signature, so the server
 * detects an id that a caller has changed.
 */
export function slotId(tag: Tag, { service, start, end, location = '', picks }: SlotKey): string {
  const text = [service, (start / 1000).toString(36), ((end - start) / 1000).toString(36), location, ...picks].join(
    SEPARATOR,
  )
  return PREFIX + Buffer.from(text).toString('base64url') + tag('slot', text)
}

export function readSlotId(tag: Tag, id: string): SlotKey | undefined {
  const text = Buffer.from(id.slice(PREFIX.length, -TAG_LENGTH), 'base64url').toString()
  const [service = '', start = '', duration = '', location = '', ...picks] = text.split(SEPARATOR)
  const from = Number.parseInt(start, 36) * 1000
  const key = {
    service,
    start: from,
    end: from + Number.parseInt(duration, 36) * 1000,
    location: location || undefined,
    picks,
  }
  return Number.isSafeInteger(key.end) && isEqualInConstantTime(slotId(tag, key), id) ? key : undefined
}
