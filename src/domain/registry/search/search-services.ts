import { rfc3339Exact } from '../../../infra/time/time-zone.ts'
import { omitUndefined } from '../../../infra/util/object-members.ts'
import { minorUnits } from '../../../infra/util/round-money.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import type {
  PriceRangeFilter,
  RegistryBusinessRef,
  SearchServices,
  ServiceSearchResult,
} from '../../../protocol/types.generated.ts'
import { distinctCategoryIds } from '../indexing/indexed-service.ts'
import { expandQuery, levelByLevel } from './expand-search-words.ts'
import { pageOf } from './page-of-search-results.ts'
import { type Ring, relevanceOf, type SearchPart, searchPart } from './relevance.ts'
import { wantedTimes } from './requested-start-times.ts'
import { isLocal, searchCircleOf } from './search-circle.ts'
import { withSameState, withState } from './search-index-state.ts'
import { type Fault, isFilter, locationFault, noFilter, refuseSearch, searched, textOf } from './search-schema.ts'
import { rankSignals } from './service-ranking-signals.ts'
import { type FoundService, serviceSearch } from './service-search-sql.ts'

const filters = ['location', 'verticals', 'categories', 'query', 'price_range', 'duration_range'] as const

export const searchServices = defineOperation<SearchServices>({
  id: 'searchServices',
  rest: 'POST /registry/search_services',
  tool: 'usp_registry_search_services',
  title: 'Find services',
  description:
    'Finds services of all listed businesses by place, type, category, words, price and duration. The best ' +
    'match comes first, then the earliest free day, then the nearest. A result must match every filter. ' +
    "Results show the last indexed state, so read the business's own catalogue and free times before you book.",
  capability: 'dev.usp-protocol.discovery.registry',
  access: 'public',
  effect: 'read',
  fromStandby: true,
  ignores: ({ price_range: price }) => ['$.context.locale', ...(isFilter(price) ? [] : ['$.context.currency'])],
  input: {
    type: 'object',
    properties: {
      ...searched,
      query: textOf('Words to search for in names, descriptions and categories; spelling mistakes are tolerated.'),
      price_range: shape('PriceRangeFilter'),
      duration_range: shape('DurationRangeFilter'),
      desired_service_time_ranges: {
        type: 'array',
        maxItems: 20,
        items: shape('DesiredServiceTimePreference'),
        description: 'When the buyer would like to come. Of equal matches, those with a free start then come first.',
      },
      prefer_sooner_availability_slots: {
        type: 'boolean',
        default: true,
        description: 'Whether earlier free times come first.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['services', 'pagination'],
    properties: { services: { type: 'array', items: shape('ServiceSearchResult') }, pagination: shape('Pagination') },
  },
  summary: ({ services, messages: [fault] = [], pagination }) => {
    if (fault) return fault.content
    if (services.length === 0) return 'No service matches.'
    const names = services
      .map(
        ({ service_id, service_name, business }) =>
          `${service_name} (${service_id}) at ${business.name} (${business.profile_url})`,
      )
      .join(', ')
    return `${names}.${pagination.has_more ? ` There are more from the cursor ${pagination.cursor} on.` : ''}`
  },
  async handle(context) {
    const { input, db } = context
    const fault = faultOf(input)
    if (fault) throw refuseSearch(fault)
    const { location, verticals = [], categories = [], query, price_range: price, duration_range: duration } = input
    const wishes = unlessEmpty(input.desired_service_time_ranges)
    const circle = searchCircleOf(location)
    const expanded = await expandQuery(db, query)
    // A search near a location has few results, so one query can sort all of them. A worldwide search can have many
    // results, so each match level has a separate query.
    const levels = expanded && !isLocal(circle) ? levelByLevel(expanded) : [expanded]
    const rings: (Ring | undefined)[] = circle && !(expanded && isLocal(circle)) ? ['inner', 'outer'] : [undefined]
    const parts = levels.flatMap((level) => rings.map((ring) => searchPart(level, ring)))
    const wantedAt = (at: number) => wishes && wantedTimes(wishes, at)
    const { page, pagination } = await pageOf<FoundService, SearchPart, ServiceSearchResult>(
      'searchServices',
      context,
      parts,
      {
        toResult: (row, at) => hitOf(row, { at, wanted: wantedAt(at) }),
        search: ({ part, ...step }) => {
          const rows = serviceSearch({
            ...step,
            ...part,
            circle,
            verticals,
            categories,
            price: price && isFilter(price) ? inNumbers(price) : undefined,
            currency: currencyOf(input),
            duration: isFilter(duration) ? duration : undefined,
            wanted: wantedAt(step.at),
            soonerFirst: input.prefer_sooner_availability_slots ?? true,
          })
          return step.state ? withSameState(rows, step.state) : withState(rows)
        },
      },
    )
    return { services: page, pagination }
  },
})

function faultOf(input: SearchServices['input']): Fault | undefined {
  const { location, price_range: price = {}, duration_range: duration = {} } = input
  if (!filters.some((name) => isFilter(input[name]))) return noFilter(filters)
  if (isFilter(price) && currencyOf(input) === undefined)
    return {
      path: '$.price_range.currency',
      content: 'Prices are compared in one currency: give it here or in context.',
    }
  const { min, max } = inNumbers(price)
  if (isBackwards(min, max)) return { path: '$.price_range', content: 'Its min is above its max.' }
  if (isBackwards(duration.min_minutes, duration.max_minutes))
    return { path: '$.duration_range', content: 'Its min_minutes is above its max_minutes.' }
  return locationFault(location)
}

const isBackwards = (low: number | undefined, high: number | undefined) =>
  low !== undefined && high !== undefined && low > high

/** Converts the limits of a price filter to numbers. Callers may send them as strings. */
const inNumbers = ({ min, max, ...price }: PriceRangeFilter) =>
  omitUndefined({
    ...price,
    min: min === undefined ? min : minorUnits(min),
    max: max === undefined ? max : minorUnits(max),
  })

/**
 * Returns the currency of the price filter. If the filter names no currency, the currency in the `context` of the
 * search applies. The server never converts prices to another currency.
 */
const currencyOf = ({ price_range: price, context }: SearchServices['input']) => price?.currency ?? context?.currency

const unlessEmpty = <T>(list: T[] = []) => (list.length > 0 ? list : undefined)

type Scoring = Pick<Parameters<typeof rankSignals>[1], 'at' | 'wanted'>

const hitOf = (
  { body, category_ids, location, indexed_at, position: [rank], ...business }: FoundService,
  scoring: Scoring,
): ServiceSearchResult =>
  omitUndefined({
    ...body,
    business: {
      id: business.registration_id,
      profile_url: business.profile_url,
      deployment_mode: business.deployment_mode as RegistryBusinessRef['deployment_mode'],
      name: business.name,
    },
    category_ids: distinctCategoryIds(category_ids),
    location: location ?? undefined,
    timezone: business.timezone,
    last_indexed_at: rfc3339Exact(business.timezone, indexed_at),
    rank_signals: rankSignals(body.availability_hint, { ...scoring, relevance: relevanceOf(rank) }),
  })
