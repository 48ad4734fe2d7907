import { MINUTE } from '../../infra/time/units.ts'
import type { BusinessDefinition, ResourceDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { durationsOf, isByTheDay, milliseconds } from './durations.ts'
import { durationsByResource } from './resource-durations.ts'

/** The data that the availability search needs of one service. Computed once per definition. */
export interface Plan {
  service: ServiceDefinition
  business: BusinessDefinition
  zone: string
  /** Milliseconds, shortest first. */
  durations: number[]
  /** Milliseconds by resource id. Empty when the duration does not depend on the resource. */
  resourceDurations: ReadonlyMap<string, number>
  /** Durations are calendar days, which may last 23 or 25 hours. */
  byTheDay: boolean
  interval: number
  minAdvance: number
  maxAdvance: number
  /** Milliseconds that stay free around each booking: buffer plus travel time. */
  before: number
  after: number
  /** Undefined stands for a service without a location of the business. */
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
  const { booking_window: window } = service.policies
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

/** Memoized, because hundreds of services may each name hundreds of resources. */
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
  // A service without resources still cannot have two bookings at once: the service itself is the resource.
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

/** All resources that a booking of the service may use. Memoized, because there may be hundreds. */
export function resourcesOf({ requirements }: Plan): readonly string[] {
  const known = resources.get(requirements)
  if (known) return known
  const ids = [...new Set(requirements.flatMap(({ candidates }) => candidates.map(({ id }) => id)))]
  resources.set(requirements, ids)
  return ids
}

export const seatsOf = ({ service }: Plan, { seats }: ResourceDefinition): number => seats ?? service.capacity?.max ?? 1
