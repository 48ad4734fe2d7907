import { wireType } from '../../core/business/definition-facts.ts'
import { secondsOf } from '../../infra/time/time-units.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import { minorUnits } from '../../infra/util/round-money.ts'
import type {
  BusinessDefinition,
  DurationDefinition,
  Pricing,
  ResourceDefinition,
  Service,
  ServiceDefinition,
} from '../../protocol/types.generated.ts'

export interface Published {
  body: Service
  resource_texts: ResourceTexts
}

export type ResourceTexts = Record<string, NonNullable<ResourceDefinition['localized']>>

export const toPublished = (service: ServiceDefinition, definition: BusinessDefinition): Published => ({
  body: publishService(service, definition),
  resource_texts: resourceTexts(service, definition),
})

function resourceTexts(
  { resources: requirements = [] }: ServiceDefinition,
  { resources = [] }: BusinessDefinition,
): ResourceTexts {
  const chosen = new Set(requirements.flatMap(({ selectable, options = [] }) => (selectable ? options : [])))
  return Object.fromEntries(
    resources.flatMap(({ id, localized }) => (localized && chosen.has(id) ? [[id, localized]] : [])),
  )
}

/**
 * A service as the catalogue shows it, with its provider, its locations, and the people or rooms that buyers can
 * choose. Properties that are not listed here stay private.
 */
function publishService(service: ServiceDefinition, definition: BusinessDefinition): Service {
  const { business } = definition
  const locations = locationsOf(service, definition)
  return omitUndefined({
    id: service.id,
    business_id: business.id,
    provider: omitUndefined({ name: business.name, url: business.url, links: business.links }),
    name: service.name,
    description: service.description,
    type: service.type,
    categories: service.categories,
    duration: publishedDuration(service),
    pricing: service.pricing,
    locations: locations.length > 0 ? locations : undefined,
    resources: service.resources?.map((requirement) => requirementOf(requirement, definition)),
    channel: service.channel,
    policies: service.policies,
    capacity: service.capacity,
    media: service.media,
    rating: service.rating,
    status: service.status,
    handle: service.handle,
    url: service.url,
    tags: service.tags,
    metadata: service.metadata,
    links: service.links,
    localized: service.localized,
  })
}

/**
 * The locations of the service. If the service names no locations and the buyers come to the business, the service
 * takes place at all locations.
 */
function locationsOf({ locations: chosen, channel }: ServiceDefinition, { locations = [] }: BusinessDefinition) {
  const visited = ['at_business_location', 'hybrid'].includes(channel.type)
  return locations
    .filter(({ id }) => (chosen ? chosen.includes(id) : visited))
    .map(({ id, name, address, coordinates }) => omitUndefined({ id, name, address, coordinates }))
}

type Requirement = NonNullable<ServiceDefinition['resources']>[number]

function requirementOf(
  { type, name, selectable = false, options = [] }: Requirement,
  { resources = [] }: BusinessDefinition,
) {
  const known = new Map(resources.map((resource) => [resource.id, resource]))
  const chosen = options.flatMap((id) => known.get(id) ?? []).filter((resource) => wireType(resource.type) === type)
  return omitUndefined({
    type,
    name,
    selectable,
    options: selectable
      ? chosen.map(({ id, name, description, image_url }) => omitUndefined({ id, name, description, image_url }))
      : undefined,
  })
}

/** The lowest and the highest price of a service in minor units. Null if the catalogue does not state the price. */
export function priceBounds({ model, amount, price_range }: Pricing): { from: number | null; to: number | null } {
  if (model === 'free') return { from: 0, to: 0 }
  if (price_range && model !== 'fixed') return { from: minorUnits(price_range.min), to: minorUnits(price_range.max) }
  const price = amount === undefined ? null : minorUnits(amount)
  return { from: price, to: price }
}

/**
 * The duration of a service in the catalogue. The duration can depend on the staff member or room, but the catalogue
 * format of the protocol cannot express this. If the durations differ, the catalogue states a range, and each slot
 * states its own duration.
 */
function publishedDuration({ duration, duration_rules = [] }: ServiceDefinition): DurationDefinition {
  const { fixed, ...others } = duration
  if (fixed === undefined || duration_rules.length === 0) return duration
  const lengths = [fixed, ...duration_rules.map((rule) => rule.fixed)].map((one) => Math.ceil(secondsOf(one)))
  const [min, max] = [Math.min(...lengths), Math.max(...lengths)]
  if (min === max) return duration
  const step = lengths.reduce((common, length) => divisor(common, length - min), 0)
  return { ...others, range: { min: written(min), max: written(max), step: written(step) } }
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other))

const written = (seconds: number) => (seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`)
