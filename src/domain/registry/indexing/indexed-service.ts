import { omitUndefined } from '../../../infra/util/object-members.ts'
import type {
  Location,
  Pricing,
  RegistryLocation,
  Service,
  ServiceSearchResult,
} from '../../../protocol/types.generated.ts'
import { primaryCategory } from '../../catalog/localized-texts.ts'
import type { AvailabilityRanking } from './availability-ranking.ts'
import { minutesOf, priceOf } from './duration-and-price-intervals.ts'
import { serviceTexts } from './search-texts.ts'

export type IndexedService = ReturnType<typeof indexedService> & AvailabilityRanking

export const LONGEST = { id: 200, name: 500, currency: 10, hint: 16_000 }
const MOST_CATEGORIES = 50

/**
 * Whether the directory can index a service. The service must be active, and its required texts must not be too long.
 */
export const isIndexable = ({ id, name, type, status = 'active', pricing }: Service): boolean =>
  status === 'active' &&
  [id, type].every(({ length }) => 0 < length && length <= LONGEST.id) &&
  name.length <= LONGEST.name &&
  pricing.currency.length <= LONGEST.currency

/** Makes the row of a service in the search index. The row contains only values that a search compares or shows. */
export function indexedService(service: Service, listed: RegistryLocation | null) {
  const { names, groups, body } = serviceTexts(service)
  const [minutesFrom, minutesTo] = minutesOf(service.duration) ?? [null, null]
  const [priceFrom, priceTo] = priceOf(service.pricing) ?? [null, null]
  return {
    service_id: service.id,
    body: shownOf(service, minutesFrom === minutesTo ? minutesFrom : null),
    type: service.type,
    category_ids: categoryIds(service),
    places: serviceLocations(service, listed),
    currency: service.pricing.currency,
    price_from: priceFrom,
    price_to: priceTo,
    minutes_from: minutesFrom,
    minutes_to: minutesTo,
    names,
    groups,
    texts: body,
  }
}

type Shown = Pick<
  ServiceSearchResult,
  'service_id' | 'service_name' | 'category' | 'duration_minutes' | 'pricing' | 'availability_hint'
>

const shownOf = (service: Service, minutes: number | null): Shown =>
  omitUndefined({
    service_id: service.id,
    service_name: service.name,
    category: categoryText(service).slice(0, LONGEST.name).toWellFormed(),
    duration_minutes: minutes ?? undefined,
    pricing: knownOf(service.pricing),
    availability_hint: hintOf(service),
  })

/**
 * Copies only the properties of a price that the protocol defines. A business can add extensions of any size, so the
 * index leaves the extensions out.
 */
const knownOf = ({ model, amount, currency, price_range, deposit }: Pricing): Pricing =>
  omitUndefined({
    model,
    amount,
    currency,
    price_range: price_range && { min: price_range.min, max: price_range.max },
    deposit: deposit && omitUndefined({ type: deposit.type, value: deposit.value, refundable: deposit.refundable }),
  })

/**
 * Returns the availability hint of a service, a text and bitmaps that say when the service is usually free. Returns
 * undefined if the hint is too long.
 */
export const hintOf = ({ availability_hint: hint }: Service) =>
  hint && JSON.stringify(hint).length <= LONGEST.hint ? hint : undefined

const categoryIds = ({ categories = [] }: Service): string[] =>
  distinctCategoryIds(categories.flatMap(({ id }) => id ?? []))
    .filter(({ length }) => length <= LONGEST.id)
    .slice(0, MOST_CATEGORIES)

/** Removes empty and repeated category ids. The category filter of a search accepts neither. */
export const distinctCategoryIds = (ids: string[]): string[] => [...new Set(ids)].filter((id) => id !== '')

function categoryText({ categories = [], type }: Pick<Service, 'categories' | 'type'>): string {
  const primary = primaryCategory(categories)
  return primary?.name || primary?.value || primary?.id || categories[0]?.value || type
}

const MOST = 50
const LONGEST_ADDRESS = 500

/**
 * Returns the locations of a service on the map. If the service names no location, the result is the location of its
 * business. A service by video or phone has no location.
 */
function serviceLocations(
  { channel, locations = [] }: Pick<Service, 'channel' | 'locations'>,
  listed: RegistryLocation | null,
): RegistryLocation[] {
  if (channel.type === 'virtual' || channel.type === 'phone') return []
  const onMap = locations.flatMap(onTheMap).slice(0, MOST)
  return onMap.length > 0 || !listed ? onMap : [listed]
}

/** Converts a location of a service to a point on the map. Returns an empty list if it has no valid coordinates. */
function onTheMap({ address, coordinates: { lat, lng } = {} }: Location): RegistryLocation[] {
  if (lat === undefined || lng === undefined || Math.abs(lat) > 90 || Math.abs(lng) > 180) return []
  return [
    omitUndefined({ address: address?.slice(0, LONGEST_ADDRESS).toWellFormed(), coordinates: mapPoint({ lat, lng }) }),
  ]
}

type MapPoint = NonNullable<RegistryLocation['coordinates']>

/**
 * This factor rounds coordinates to nine decimals of a degree, which is a tenth of a millimeter. PostgreSQL multiplies
 * coordinates for the location index, and the products of tiny values would cause an underflow.
 */
const DECIMALS = 1e9

export const mapPoint = ({ lat, lng }: MapPoint): MapPoint => ({ lat: rounded(lat), lng: rounded(lng) })

/** Rounds degrees. The term `+ 0` turns -0 into 0, because `JSON.stringify` does not keep the sign of zero. */
const rounded = (degrees: number) => Math.round(degrees * DECIMALS) / DECIMALS + 0
