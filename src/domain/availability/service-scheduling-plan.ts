import { LRUCache } from 'lru-cache'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { BusinessDefinition, ResourceDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { durationsByResource, durationsOf, isByTheDay, milliseconds } from './service-durations.ts'

/**
 * The data of one service that the server needs to compute its times. The server derives a plan from the business
 * definition once, and caches it.
 */
export interface Plan {
  service: ServiceDefinition
  business: BusinessDefinition
  zone: string
  /** The possible durations of the service in milliseconds, shortest first. */
  durations: number[]
  /**
   * The duration of a booking in milliseconds, by the id of the booked resource, such as a staff member. The map is
   * empty if no resource changes the duration.
   */
  resourceDurations: ReadonlyMap<string, number>
  /**
   * True if the service is a rental whose durations are calendar days. A day with a clock change has 23 or 25 hours.
   */
  byTheDay: boolean
  interval: number
  minAdvance: number
  /** How far ahead buyers can book, in milliseconds. Infinity if the service states no limit. */
  maxAdvance: number
  /**
   * The time that stays free before and after each booking, in milliseconds. Each value is the sum of the buffer and
   * the travel time.
   */
  before: number
  after: number
  /**
   * Ids of the locations of the service. If the service takes place at no location of the business, the list contains
   * only `undefined`.
   */
  locations: (string | undefined)[]
  requirements: Requirement[]
}

export interface Requirement {
  selectable: boolean
  candidates: ResourceDefinition[]
}

const plans = new WeakMap<BusinessDefinition, Map<string, Plan>>()

export function planOf(business: BusinessDefinition | undefined, serviceId: string): Plan | undefined {
  if (!business) return undefined
  const known = plans.get(business) ?? new Map<string, Plan>()
  plans.set(business, known)
  const service = known.has(serviceId) ? undefined : business.services.find(({ id }) => id === serviceId)
  if (service) known.set(serviceId, makePlan(business, service))
  return known.get(serviceId)
}

function makePlan(business: BusinessDefinition, service: ServiceDefinition): Plan {
  const { booking_window: window = {} } = service.policies
  const travel = milliseconds(service.travel_time)
  const requirements = requirementsOf(business, service)
  const lengths = durationsByResource(service, requirements)
  return {
    service,
    business,
    zone: business.business.timezone,
    durations:
      lengths.size > 0 ? [...new Set(lengths.values())].sort((one, other) => one - other) : durationsOf(service),
    resourceDurations: lengths,
    byTheDay: isByTheDay(service),
    interval: startInterval(service.policies),
    minAdvance: milliseconds(window.min_advance),
    maxAdvance: window.max_advance === undefined ? Number.POSITIVE_INFINITY : milliseconds(window.max_advance),
    before: milliseconds(service.duration.buffer_before) + travel,
    after: milliseconds(service.duration.buffer_after) + travel,
    locations: locationsOf(business, service),
    requirements,
  }
}

/** If the service defines no interval, possible starts of bookings are this many milliseconds apart. */
const USUAL_INTERVAL_MS = 15 * MINUTE

/** The interval between two possible starts of bookings, in milliseconds. The shortest interval is one minute. */
export const startInterval = ({ booking_window: { slot_interval } = {} }: ServiceDefinition['policies']): number =>
  slot_interval === undefined ? USUAL_INTERVAL_MS : Math.max(milliseconds(slot_interval), MINUTE)

function locationsOf(
  { locations = [] }: BusinessDefinition,
  { locations: serviceLocations, channel }: ServiceDefinition,
) {
  if (serviceLocations) return serviceLocations
  const comesToUs = channel.type === 'at_business_location' || channel.type === 'hybrid'
  return comesToUs && locations.length > 0 ? locations.map(({ id }) => id) : [undefined]
}

const known = new WeakMap<BusinessDefinition, ReadonlyMap<string, ResourceDefinition>>()

/**
 * The people, rooms and items (resources) of a business by id. The server caches this map, because hundreds of services
 * may each name hundreds of resources.
 */
export function resourcesById(business: BusinessDefinition): ReadonlyMap<string, ResourceDefinition> {
  const byId = known.get(business) ?? new Map(business.resources?.map((resource) => [resource.id, resource]))
  known.set(business, byId)
  return byId
}

export function requirementsOf(business: BusinessDefinition, service: ServiceDefinition): Requirement[] {
  if (service.type === 'group') return []
  const { resources = [] } = business
  const { resources: required = [] } = service
  const byId = resourcesById(business)
  // A service without required people or rooms can serve only one booking at a time. Therefore the server treats the
  // service itself as a resource that each booking requires.
  if (required.length === 0)
    return [{ selectable: false, candidates: [{ id: `service:${service.id}`, type: 'other', name: service.name }] }]
  return required.map(({ type, options, selectable = false }) => ({
    selectable,
    candidates: options
      ? options.flatMap((id) => byId.get(id) ?? [])
      : resources.filter((resource) => resource.type === type || (type === 'other' && resource.type === 'table')),
  }))
}

const resources = new WeakMap<Requirement[], readonly string[]>()

/**
 * Ids of all people, rooms and items that a booking of the service may use. The server caches the list, because it may
 * be long.
 */
export function resourcesOf({ requirements }: Plan): readonly string[] {
  const known = resources.get(requirements)
  if (known) return known
  const ids = [...new Set(requirements.flatMap(({ candidates }) => candidates.map(({ id }) => id)))]
  resources.set(requirements, ids)
  return ids
}

export const seatsOf = ({ service }: Plan, { seats }: ResourceDefinition): number => seats ?? service.capacity?.max ?? 1

const names = new WeakMap<Plan, number>()
let nextNumber = 0

/**
 * A number that identifies a plan (the data of one service) in cache keys. After a change of the business definition,
 * the service has a new plan with a new number. Therefore caches never return outdated values.
 */
function planNumber(plan: Plan): number {
  const name = names.get(plan) ?? nextNumber++
  names.set(plan, name)
  return name
}

/**
 * Makes a cache for values that depend only on a plan (the data of one service). `most` limits the total size of the
 * values.
 */
export function planCache<T extends object>(most: number, sizeOf: (value: T) => number) {
  const cache = new LRUCache<string, T>({ maxSize: most, sizeCalculation: sizeOf })
  return {
    get: (plan: Plan, key: string): T | undefined => cache.get(`${planNumber(plan)} ${key}`),
    set: (plan: Plan, key: string, value: T) => void cache.set(`${planNumber(plan)} ${key}`, value),
  }
}

const narrowedPlans = new LRUCache<string, Plan>({ max: 500 })

interface Wanted {
  ids?: readonly (string | undefined)[]
  location?: string | undefined
  duration?: number | undefined
}

/**
 * Reduces a plan (the data of one service) to the resources, locations and durations that the caller wants. A search
 * with the reduced plan skips all others.
 */
export function narrowPlan(plan: Plan, { ids = [], location, duration }: Wanted): Plan {
  const wanted = new Set(ids.filter((id) => id !== undefined))
  if (wanted.size === 0 && location === undefined && duration === undefined) return plan
  const name = JSON.stringify([planNumber(plan), [...wanted], location, duration])
  const narrowed = narrowedPlans.get(name) ?? {
    ...plan,
    durations: plan.durations.filter((one) => duration === undefined || one === duration),
    locations: plan.locations.filter((one) => location === undefined || one === location),
    requirements: withOnly(plan, wanted),
  }
  narrowedPlans.set(name, narrowed)
  return narrowed
}

const withOnly = (plan: Plan, ids: ReadonlySet<string>): Requirement[] =>
  plan.requirements.map((one) => {
    const wanted = one.candidates.filter(({ id }) => ids.has(id) && isOnlyIn(plan, one, id))
    return one.selectable && wanted.length > 0 ? { ...one, candidates: wanted } : one
  })

/**
 * A service may require several resources, such as a person and a room. Returns true if the wanted resource is a
 * candidate for only one of these requirements. Otherwise, it is unclear which requirement the caller means, so the
 * server keeps all candidates.
 */
const isOnlyIn = ({ requirements }: Plan, requirement: Requirement, wanted: string): boolean =>
  requirements.every((one) => one === requirement || one.candidates.every(({ id }) => id !== wanted))
