import { type RawBuilder, sql } from 'kysely'
import type { DurationRangeFilter, RangeMatchMode, ServiceSearchResult } from '../../../protocol/types.generated.ts'
import type { Registration } from '../listings/registration.ts'
import { matchesQuery, rankOf } from './expanded-query.ts'
import { isLocal, type SearchCircle } from './search-circle.ts'
import { allOf, areasOf, fitsBounds, hasCategory, isNear, metresTo, type Search } from './search-conditions.ts'

/** In minor units. */
interface PriceBounds {
  min?: number
  max?: number
  match?: RangeMatchMode
}

export interface ServiceSearch extends Search {
  price: PriceBounds | undefined
  currency: string | undefined
  duration: DurationRangeFilter | undefined
  wantedBy: string | undefined
  soonerFirst: boolean
  after: ServicePosition | undefined
}

export type ServicePosition = [rank: number, late: number, soonest: string, metres: number, number: number]

export interface FoundService extends Pick<Registration, 'profile_url' | 'deployment_mode' | 'name' | 'timezone'> {
  registration_id: string
  body: Omit<ServiceSearchResult, 'business' | 'category_ids' | 'location' | 'timezone'>
  category_ids: string[]
  location: ServiceSearchResult['location'] | null
  /** When the directory last read the service, or last read the whole catalogue of its business. */
  indexed_at: Date
  position: ServicePosition
}

const NEXT_FREE = sql`coalesce(next_available_date, 'infinity')`
const POSITION = sql`page.rank, page.late, page.soonest, page.metres, page.number`

/**
 * Sorts like `soonest`, with services that are never free at the end. For sorting, the index on days and areas supports
 * only the operator `<->`.
 */
const DAYS_TO_FREE = sql`page.next_available_date <-> date '0001-01-01'`

/**
 * Whether an index has all columns that the search compares: near a place and without search words. PostgreSQL then
 * reads the table only for the rows to show.
 */
const isIndexed = ({ expanded, circle }: ServiceSearch): boolean => expanded === undefined && isLocal(circle)

/** The SQL of the search for services. The order is: best match, free by the wanted day, free sooner, nearer. */
export function serviceSearch(search: ServiceSearch): RawBuilder<FoundService> {
  const { circle, limit } = search
  const row = sql.table(isIndexed(search) ? 's' : 'page')
  const parts = areasOf(circle).map((area) => sql`(${firstOf(search, area)})`)
  return sql`
    select ${row}.registration_id, ${row}.body, ${row}.category_ids, greatest(${row}.indexed_at, r.indexed_at) as indexed_at, r.profile_url,
      r.deployment_mode, r.name, r.timezone, ${nearest(circle)} as location, json_build_array(${POSITION}) as position
    from (${sql.join(parts, sql` union all `)}) page
    ${isIndexed(search) ? sql`join indexed_services s on s.number = page.number` : sql``}
    join registrations r on r.id = ${row}.registration_id
    order by ${POSITION} limit ${limit}`
}

/** The first matching services of one area, up to the limit. */
function firstOf(search: ServiceSearch, area: RawBuilder<unknown>): RawBuilder<unknown> {
  const { soonerFirst, after, limit } = search
  const soonest = soonerFirst && isIndexed(search) ? DAYS_TO_FREE : sql`page.soonest`
  return sql`
    select * from (${matching(search, area)}) page
    ${after ? sql`where (${POSITION}) > (${positionOf(after)})` : sql``}
    order by page.rank, page.late, ${soonest}, page.metres, page.number limit ${limit}`
}

function matching(search: ServiceSearch, area: RawBuilder<unknown>): RawBuilder<unknown> {
  const { expanded, circle, verticals, categories, price, currency, duration, soonerFirst } = search
  return sql`
    select ${isIndexed(search) ? sql`next_available_date` : sql`registration_id, body, category_ids, places, indexed_at`},
      ${rankOf(expanded)} as rank, ${lateness(search)} as late, ${soonerFirst ? NEXT_FREE : sql`'infinity'::date`} as soonest,
      metres, number
    from indexed_services cross join lateral (${metresTo(circle, sql`points`)}) distance
    where registration_id not in (select id from registrations where status = 'inactive') and ${allOf(
      expanded && matchesQuery(expanded),
      area,
      isLocal(circle) && isNear(circle),
      verticals.length > 0 && sql`type = any (${verticals}::text[])`,
      categories.length > 0 && hasCategory(categories, circle),
      price && sql`currency = ${currency} and ${priceFits(price)}`,
      duration && durationFits(duration),
      continuesAfter(search),
    )}`
}

/**
 * 1 if the service is free only after the wanted day, otherwise 0. Always 0 with `soonerFirst`, because the order by
 * day already includes the wanted day.
 */
const lateness = ({ wantedBy, soonerFirst }: ServiceSearch): RawBuilder<unknown> =>
  wantedBy === undefined || soonerFirst ? sql`0` : sql`(${NEXT_FREE} > ${wantedBy}::date)::integer`

/** Lets a later page continue in the index of days at the day of the last result, and not at the beginning. */
function continuesAfter({ expanded, soonerFirst, after }: ServiceSearch): RawBuilder<unknown> | false {
  const isOneRank = expanded === undefined || expanded.levels.length === 1
  return isOneRank && soonerFirst && after !== undefined && sql`${NEXT_FREE} >= ${after[2]}::date`
}

const priceFits = ({ min: low, max: high, match }: PriceBounds) =>
  fitsBounds(sql`price_from`, sql`price_to`, { low, high, match })

const durationFits = ({ min_minutes: low, max_minutes: high, match }: DurationRangeFilter) =>
  fitsBounds(sql`minutes_from`, sql`minutes_to`, { low, high, match })

const positionOf = ([rank, late, soonest, metres, number]: ServicePosition) =>
  sql`${rank}::integer, ${late}::integer, ${soonest}::date, ${metres}::integer, ${number}::integer`

/** The place of a service that is nearest to the centre of the circle. Without a circle, its first place. */
const nearest = (circle: SearchCircle | undefined) =>
  sql`(select place from json_array_elements(places) with ordinality as offered (place, position)
    order by ${
      circle
        ? sql`metres_between(${circle.lat}, ${circle.lng}, (place #>> '{coordinates,lat}')::double precision,
            (place #>> '{coordinates,lng}')::double precision), position`
        : sql`position`
    } limit 1)`
