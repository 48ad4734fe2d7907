import { type RawBuilder, sql } from 'kysely'
import type { DurationRangeFilter, RangeMatchMode, ServiceSearchResult } from '../../../protocol/types.generated.ts'
import { DAYS_WITHOUT_OPENING } from '../indexing/availability-ranking.ts'
import type { Registration } from '../listings/registration-response.ts'
import { matchesQuery, rankOf } from './expand-search-words.ts'
import { expiredServices, hasExpired } from './expired-hints-sql.ts'
import { innerMetres, type Ring, relevanceRank } from './relevance.ts'
import { type WantedTime, wantedStart } from './requested-start-times.ts'
import { isLocal, type SearchCircle } from './search-circle.ts'
import { allOf, areasOf, fitsBounds, hasCategory, isNear, metresTo, type Search } from './search-conditions.ts'
import { formerServices, type IndexState, isUnchangedSince } from './search-index-state.ts'

/** The lowest and highest price that a search accepts, in minor units such as cents. */
interface PriceBounds {
  min?: number
  max?: number
  match?: RangeMatchMode
}

export interface ServiceSearch extends Search {
  ring: Ring | undefined
  price: PriceBounds | undefined
  currency: string | undefined
  duration: DurationRangeFilter | undefined
  /** The times that the buyer wants. Undefined if the search names no times. */
  wanted: readonly WantedTime[] | undefined
  soonerFirst: boolean
  /** The instant when the caller read the first page of the search, in milliseconds since 1970. */
  at: number
  after: ServicePosition | undefined
  /** The state of the search index at the beginning of the search. Undefined for the first query of the search. */
  state: IndexState | undefined
}

/**
 * The position of a search result in the sort order. Usually, `soonest` is a day. If the buyer wants certain times,
 * `soonest` is an instant in milliseconds since 1970.
 */
export type ServicePosition = [rank: number, late: number, soonest: string | number, metres: number, number: number]

export interface FoundService extends Pick<Registration, 'profile_url' | 'deployment_mode' | 'name' | 'timezone'> {
  registration_id: string
  body: Omit<ServiceSearchResult, 'business' | 'category_ids' | 'location' | 'timezone'>
  category_ids: string[]
  location: ServiceSearchResult['location'] | null
  /** The time when the directory last read the service, or the whole catalogue of its business. */
  indexed_at: Date
  position: ServicePosition
}

const NEXT_FREE = sql`coalesce(next_available_date, 'infinity')`
const POSITION = sql`page.rank, page.late, page.soonest, page.metres, page.number`
const SHOWN = sql`registration_id, body, category_ids, places, indexed_at`

/**
 * An SQL expression that sorts services by their next free day. Services without a free day come last. The expression
 * uses the operator `<->`, because the database index of days and areas can sort only by this operator.
 */
const DAYS_TO_FREE = sql`page.next_available_date <-> date '0001-01-01'`

/**
 * Whether a single database index contains all columns that the search needs. This is true for a search near a location
 * without words and without wanted times. PostgreSQL then reads table rows only for the returned results.
 */
const isIndexed = (search: ServiceSearch): boolean =>
  search.expanded === undefined && isLocal(areaCircle(search)) && search.wanted === undefined

/**
 * Makes the SQL query that searches for services. The most relevant services come first. Equally relevant services come
 * in this order: free at a wanted time, free sooner, nearer, listed earlier.
 */
export function serviceSearch(search: ServiceSearch): RawBuilder<FoundService> {
  const { circle, limit, state } = search
  const parts = areasOf(areaCircle(search)).map((area) => sql`(${presentRows(search, area)})`)
  const expired = sql`(${expiredRows(search)})`
  const former = state ? [sql`(${formerRows(search, state)})`] : []
  return sql`
    select page.registration_id, page.body, page.category_ids, greatest(page.indexed_at, r.indexed_at) as indexed_at,
      r.profile_url, r.deployment_mode, r.name, r.timezone, ${nearest(circle)} as location,
      json_build_array(${POSITION}) as position
    from (${sql.join([...parts, expired, ...former], sql` union all `)}) page
    join registrations r on r.id = page.registration_id
    order by ${POSITION} limit ${limit}`
}

/** The circle on the map that this query searches. A query for the inner ring searches a smaller circle. */
const areaCircle = ({ circle, ring }: ServiceSearch): SearchCircle | undefined =>
  circle && ring === 'inner' ? { ...circle, metres: innerMetres(circle) } : circle

/**
 * Makes an SQL query for the first matching services in one box around the circle of the search, up to the limit. The
 * query excludes services with an expired hint.
 */
function presentRows(search: ServiceSearch, area: RawBuilder<unknown>): RawBuilder<unknown> {
  const { at, soonerFirst, state, wanted } = search
  const isShown = isUnchangedSince(state, [sql`select number from ${expiredServices(at)}`])
  const among = allOf(area, isShown, continuesAfter(search))
  const columns = isIndexed(search) ? sql`next_available_date` : SHOWN
  const rows = matching(search, { table: sql`indexed_services`, among, columns })
  const soonest = soonerFirst && wanted === undefined ? DAYS_TO_FREE : sql`page.soonest`
  const first = firstOf(search, rows, isIndexed(search) ? soonest : sql`page.soonest`)
  if (!isIndexed(search)) return first
  return sql`
    select page.rank, page.late, page.soonest, page.metres, page.number, s.registration_id, s.body, s.category_ids, s.places,
      s.indexed_at
    from (${first}) page join indexed_services s on s.number = page.number`
}

/**
 * Makes an SQL query for matching services with outdated free days in the index. The availability hint of such a service
 * has expired. A job corrects the index once a minute.
 */
function expiredRows(search: ServiceSearch): RawBuilder<unknown> {
  const { at, state } = search
  const among = allOf(anyArea(search), isUnchangedSince(state))
  const rows = matching(search, { table: expiredServices(at), among, columns: SHOWN, isExpired: sql`true` })
  return firstOf(search, rows, sql`page.soonest`)
}

const anyArea = (search: ServiceSearch) => sql`(${sql.join(areasOf(areaCircle(search)), sql` or `)})`

/**
 * Makes an SQL query for the matching services that have changed since this state of the search index. The query
 * returns their versions from the time of this state.
 */
function formerRows(search: ServiceSearch, state: IndexState): RawBuilder<unknown> {
  const source = { table: formerServices(state), among: anyArea(search), columns: SHOWN }
  const rows = matching(search, { ...source, isExpired: hasExpired(search.at) })
  return firstOf(search, rows, sql`page.soonest`)
}

/** Makes an SQL query for the rows after the last result of the previous page, up to the limit. */
function firstOf({ after, limit, wanted }: ServiceSearch, rows: RawBuilder<unknown>, soonest: RawBuilder<unknown>) {
  const shown = sql`page.rank, page.late, page.soonest, page.metres, page.number`
  return sql`
    select * from (${rows}) page
    ${after ? sql`where (${shown}) > (${positionOf(after, wanted)})` : sql``}
    order by page.rank, page.late, ${soonest}, page.metres, page.number limit ${limit}`
}

interface Source {
  table: RawBuilder<unknown>
  among: RawBuilder<unknown>
  columns: RawBuilder<unknown>
  /** Whether the hint of a row has expired. Undefined if this is true for no row. */
  isExpired?: RawBuilder<boolean>
}

function matching(search: ServiceSearch, { table, among, columns, isExpired }: Source): RawBuilder<unknown> {
  const { expanded, circle, ring, verticals, categories, price, currency, duration, wanted } = search
  const { late, soonest } = isExpired ? unlessExpired(search, isExpired) : availabilityRank(search)
  return sql`
    select ${relevanceRank(rankOf(expanded), { ring, circle })} as rank, ${late} as late, ${soonest} as soonest, metres,
      number, ${columns}
    from ${table} cross join lateral (${metresTo(circle, sql`points`)}) distance
      ${wanted ? sql`cross join lateral (${wantedStart(wanted)}) wish` : sql``}
    where registration_id not in (select id from registrations where status = 'inactive') and ${allOf(
      expanded && matchesQuery(expanded),
      among,
      isLocal(circle) && isNear(circle),
      circle && ring === 'inner' && sql`metres <= ${innerMetres(circle)}::double precision`,
      circle && ring === 'outer' && sql`metres > ${innerMetres(circle)}::double precision`,
      verticals.length > 0 && sql`type = any (${verticals}::text[])`,
      categories.length > 0 && hasCategory(categories, areaCircle(search)),
      price && sql`currency = ${currency} and ${priceFits(price)}`,
      duration && durationFits(duration),
    )}`
}

interface AvailabilityRank {
  late: RawBuilder<unknown>
  soonest: RawBuilder<unknown>
}

/**
 * Makes the SQL expressions that order services by availability. Without wanted times, only the next free day counts.
 * With wanted times, services that are free at these times come first. Services with unknown availability come next,
 * and all others come last.
 */
function availabilityRank({ wanted, soonerFirst }: ServiceSearch): AvailabilityRank {
  if (wanted === undefined) return { late: sql`0`, soonest: soonerFirst ? NEXT_FREE : sql`'infinity'::date` }
  return {
    late: sql`case when wish.first is not null then 0 when wish.is_represented then 2 else 1 end`,
    soonest: soonerFirst ? sql`coalesce(wish.first, 0)` : sql`0::bigint`,
  }
}

/** Like `availabilityRank`, but the availability of a service with an expired hint counts as unknown. */
function unlessExpired(search: ServiceSearch, isExpired: RawBuilder<boolean>): AvailabilityRank {
  const { late, soonest } = availabilityRank(search)
  if (search.wanted !== undefined)
    return {
      late: sql`case when ${isExpired} then 1 else ${late} end`,
      soonest: sql`case when ${isExpired} then 0 else ${soonest} end`,
    }
  if (!search.soonerFirst) return { late, soonest }
  return { late, soonest: sql`case when ${isExpired} then ${DAYS_WITHOUT_OPENING.unknown}::date else ${soonest} end` }
}

/**
 * Makes an SQL condition for the second and later pages of a search. With this condition, PostgreSQL reads the index of
 * days from the last result of the previous page on, and not from the beginning.
 */
function continuesAfter({ expanded, soonerFirst, after, wanted }: ServiceSearch): RawBuilder<unknown> | false {
  const isOneLevel = expanded === undefined || expanded.levels.length === 1
  return (
    isOneLevel && soonerFirst && wanted === undefined && after !== undefined && sql`${NEXT_FREE} >= ${after[2]}::date`
  )
}

const priceFits = ({ min: low, max: high, match }: PriceBounds) =>
  fitsBounds(sql`price_from`, sql`price_to`, { low, high, match })

const durationFits = ({ min_minutes: low, max_minutes: high, match }: DurationRangeFilter) =>
  fitsBounds(sql`minutes_from`, sql`minutes_to`, { low, high, match })

const positionOf = ([rank, late, soonest, metres, number]: ServicePosition, wanted: ServiceSearch['wanted']) =>
  sql`${rank}::integer, ${late}::integer, ${wanted === undefined ? sql`${soonest}::date` : sql`${soonest}::bigint`},
    ${metres}::integer, ${number}::integer`

/**
 * Makes an SQL expression for the location of a service that is nearest to the center of the circle. Without a circle,
 * the result is the first location of the service.
 */
const nearest = (circle: SearchCircle | undefined) =>
  sql`(select place from json_array_elements(places) with ordinality as offered (place, position)
    order by ${
      circle
        ? sql`metres_between(${circle.lat}, ${circle.lng}, (place #>> '{coordinates,lat}')::double precision,
            (place #>> '{coordinates,lng}')::double precision), position`
        : sql`position`
    } limit 1)`
