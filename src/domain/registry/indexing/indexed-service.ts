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

const LONGEST = { id: 200, name: 500, currency: 10, hint: 16_000 }
const MOST_CATEGORIES = 50

/**
 * Whether the directory can index a service. The service must be active, and its required texts must not be too long.
 */
export const isIndexable = ({ id, name, type, status = 'active', pricing }: Service): boolean =>
  status === 'active' &&
  [id, type].every(({ length }) => 0 < length && length <= LONGEST.id) &&
  name.length <= LONGEST.name &&
  pricing.currency.length <= LONGEST.currency

/** The row of a service in the directory's index. It contains only values that a search compares or shows. */
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
 * Copies the members of a price that the protocol defines. Extensions of the business are left out, because they can
 * have any size.
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
 * Returns the availability hint of the service (when it is usually free), unchanged. A hint that is too long is left
 * out.
 */
export const hintOf = ({ availability_hint: hint }: Service) =>
  hint && JSON.stringify(hint).length <= LONGEST.hint ? hint : undefined

const categoryIds = ({ categories = [] }: Service): string[] =>
  distinctCategoryIds(categories.flatMap(({ id }) => id ?? []))
    .filter(({ length }) => length <= LONGEST.id)
    .slice(0, MOST_CATEGORIES)

/** Removes empty and repeated category ids, because the search filter accepts neither. */
export const distinctCategoryIds = (ids: string[]): string[] => [...new Set(ids)].filter((id) => id !== '')

function categoryText({ categories = [], type }: Pick<Service, 'categories' | 'type'>): string {
  const primary = primaryCategory(categories)
  return primary?.name || primary?.value || primary?.id || categories[0]?.value || type
}

const MOST = 50
const LONGEST_ADDRESS = 500

/**
 * Returns the places of a service on the map: its own, or else the place of its business. A service by video or phone
 * has no place.
 */
function serviceLocations(
  { channel, locations = [] }: Pick<Service, 'channel' | 'locations'>,
  listed: RegistryLocation | null,
): RegistryLocation[] {
  if (channel.type === 'virtual' || channel.type === 'phone') return []
  const onMap = locations.flatMap(onTheMap).slice(0, MOST)
  return onMap.length > 0 || !listed ? onMap : [listed]
}

/** Converts a location of a service to places on the map. A location without valid coordinates gives no place. */
function onTheMap({ address, coordinates: { lat, lng } = {} }: Location): RegistryLocation[] {
  if (lat === undefined || lng === undefined || Math.abs(lat) > 90 || Math.abs(lng) > 180) return []
  return [
    omitUndefined({ address: address?.slice(0, LONGEST_ADDRESS).toWellFormed(), coordinates: mapPoint({ lat, lng }) }),
  ]
}

type MapPoint = NonNullable<RegistryLocation['coordinates']>

/**
 * The factor for rounding coordinates to nine decimals of a degree, which is a tenth of a millimeter. The index of
 * places multiplies coordinates, and the products of tiny values would underflow in PostgreSQL.
 */
const DECIMALS = 1e9

export const mapPoint = ({ lat, lng }: MapPoint): MapPoint => ({ lat: rounded(lat), lng: rounded(lng) })

/** Rounds degrees. `+ 0` turns -0 into 0, because JSON has no signed zero. */
const rounded = (degrees: number) => Math.round(degrees * DECIMALS) / DECIMALS + 0
