import { MINUTE } from '../../infra/time/units.ts'
import type { BusinessDefinition, ResourceDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { durationsOf, isByTheDay, milliseconds } from './durations.ts'
import { ownLengths } from './own-lengths.ts'

/** What has to be known of a service to find its times, worked out once for each definition. */
export interface Plan {
  service: ServiceDefinition
  business: BusinessDefinition
  zone: string
  /** Milliseconds, shortest first. */
  durations: number[]
  /** Of those with each of whom it takes as long as it takes with them, by id. */
  lengths: ReadonlyMap<string, number>
  /** Whether they are days of the calendar, which may have an hour more or less. */
  byTheDay: boolean
  interval: number
  minAdvance: number
  maxAdvance: number
  /** Kept free around each booking: buffers and the way there. */
  before: number
  after: number
  /** Where it takes place; undefined for what has no place of the business. */
  locations: (string | undefined)[]
  requirements: Requirement[]
}

/** One kind of resource that each booking takes up. */
export interface Requirement {
  selectable: boolean
  candidates: ResourceDefinition[]
}

const plans = new WeakMap<BusinessDefinition, Map<string, Plan>>()

/** The plan of a service that the business has, whatever its status. */
export function planOf(business: BusinessDefinition | undefined, serviceId: string): Plan | undefined {
  if (!business) return undefined
  const known = plans.get(business) ?? new Map<string, Plan>()
  plans.set(business, known)
  const service = known.has(serviceId) ? undefined : business.services.find(({ id }) => id === serviceId)
  if (service) known.set(serviceId, makePlan(business, service))
  return known.get(serviceId)
}

function makePlan(business: BusinessDefinition, service: ServiceDefinition): Plan {
  const { booking_window: window } = service.policies
  const travel = milliseconds(service.travel_time)
  const requirements = requirementsOf(business, service)
  const lengths = ownLengths(service, requirements)
  return {
    service,
    business,
    zone: business.business.timezone,
    durations:
      lengths.size > 0 ? [...new Set(lengths.values())].sort((one, other) => one - other) : durationsOf(service),
    lengths,
    byTheDay: isByTheDay(service),
    interval: Math.max(milliseconds(window.slot_interval), MINUTE),
    minAdvance: milliseconds(window.min_advance),
    maxAdvance: milliseconds(window.max_advance),
    before: milliseconds(service.duration.buffer_before) + travel,
    after: milliseconds(service.duration.buffer_after) + travel,
    locations: locationsOf(business, service),
    requirements,
  }
}

function locationsOf({ locations = [] }: BusinessDefinition, { locations: own, channel }: ServiceDefinition) {
  if (own) return own
  const comesToUs = channel.type === 'at_business_location' || channel.type === 'hybrid'
  return comesToUs && locations.length > 0 ? locations.map(({ id }) => id) : [undefined]
}

const known = new WeakMap<BusinessDefinition, ReadonlyMap<string, ResourceDefinition>>()

/** Hundreds of services may name hundreds of people each. */
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
  // What takes up nobody and nothing is still one thing that cannot be in two places at once.
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

/** Every resource a booking of the service may take up, of which there may be hundreds: listed once. */
export function resourcesOf({ requirements }: Plan): readonly string[] {
  const known = resources.get(requirements)
  if (known) return known
  const ids = [...new Set(requirements.flatMap(({ candidates }) => candidates.map(({ id }) => id)))]
  resources.set(requirements, ids)
  return ids
}

export const seatsOf = ({ service }: Plan, { seats }: ResourceDefinition): number => seats ?? service.capacity?.max ?? 1
