import { omitUndefined } from '../../../infra/util/omit-undefined.ts'
import type { Pricing, RegistryLocation, Service, ServiceSearchResult } from '../../../protocol/types.generated.ts'
import { categoryText } from './category-text.ts'
import { minutesOf, priceOf } from './intervals.ts'
import { serviceTexts } from './search-texts.ts'
import { serviceLocations } from './service-locations.ts'

/** A service as the index keeps it. */
export type IndexedService = ReturnType<typeof indexedService>

const LONGEST = { id: 200, name: 500, currency: 10, hint: 4_000 }
const MOST_CATEGORIES = 50

/** Whether it is offered, and everything that must stand in the index whole fits there. */
export const isIndexable = ({ id, name, type, status = 'active', pricing }: Service): boolean =>
  status === 'active' &&
  [id, type].every(({ length }) => 0 < length && length <= LONGEST.id) &&
  name.length <= LONGEST.name &&
  pricing.currency.length <= LONGEST.currency

/** What a search compares, and what it shows: nothing is kept that neither needs. */
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
    next_available_date: nextDate(service),
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

/** Without what the business adds of its own, which may be of any size. */
const knownOf = ({ model, amount, currency, price_range, deposit }: Pricing): Pricing =>
  omitUndefined({
    model,
    amount,
    currency,
    price_range: price_range && { min: price_range.min, max: price_range.max },
    deposit: deposit && omitUndefined({ type: deposit.type, value: deposit.value, refundable: deposit.refundable }),
  })

/** Passed on as it is; one that is no short summary is none. */
const hintOf = ({ availability_hint: hint }: Service) =>
  hint && JSON.stringify(hint).length <= LONGEST.hint ? hint : undefined

const categoryIds = ({ categories = [] }: Service): string[] =>
  categories
    .flatMap(({ id }) => id ?? [])
    .filter(({ length }) => length <= LONGEST.id)
    .slice(0, MOST_CATEGORIES)

/** A format that checks days does not check eras: the year 0000 is none of the database's. */
function nextDate({ availability_hint: hint }: Service): string | null {
  const date = hint?.next_available_date
  return date === undefined || date < '1000' ? null : date
}
