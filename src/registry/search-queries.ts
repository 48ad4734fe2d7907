import { type RawBuilder, sql } from 'kysely'
import type {
  DurationRangeFilter,
  PriceRangeFilter,
  RegistryEntry,
  ServiceSearchResult,
} from '../protocol/types.generated.ts'
import { type Circle, mayLieIn } from './circle.ts'
import type { Registration } from './entry.ts'
import { fitsBounds } from './interval-filter.ts'
import { answersTo, rankBy, type SoughtWords } from './sought-words.ts'

interface Search {
  words: SoughtWords | undefined
  circle: Circle | undefined
  verticals: string[]
  categories: string[]
  limit: number
}

export interface BusinessSearch extends Search {
  deploymentMode: string | undefined
  after: BusinessPosition | undefined
}

export interface FoundBusiness extends Pick<Registration, keyof RegistryEntry> {
  position: BusinessPosition
}

export type BusinessPosition = [rank: number, metres: number, number: number]

export interface ServiceSearch extends Search {
  price: PriceRangeFilter | undefined
  /** Of the price. */
  currency: string | undefined
  duration: DurationRangeFilter | undefined
  /** The last day that suits the buyer, if there is one. */
  wantedBy: string | undefined
  soonerFirst: boolean
  after: ServicePosition | undefined
}

export type ServicePosition = [rank: number, late: number, soonest: string, metres: number, number: number]

/** The best match first, then the nearest, then in the order they were listed. */
export function businessSearch(search: BusinessSearch): RawBuilder<FoundBusiness> {
  const { words, circle, verticals, categories, deploymentMode, after, limit } = search
  return sql`
    select *, json_build_array(rank, metres, number) as position from (
      select r.id, r.profile_url, r.deployment_mode, r.name, r.description, r.verticals, r.categories, r.location,
        r.timezone, r.status, r.created_at, ${rankBy(words, sql`r.search_words`)} as rank, distance.metres, r.number
      from registrations r cross join lateral (${metresTo(circle, sql`array[r.place]`)}) distance
      where r.status = 'active' and ${allOf(
        words && answersTo(words, sql`r.search_words`),
        circle &&
          sql`${mayLieIn(circle, sql`r.place`, '<@')} and distance.metres <= ${circle.metres}::double precision`,
        verticals.length > 0 && sql`r.verticals && ${verticals}::text[]`,
        categories.length > 0 && sql`r.categories && ${categories}::text[]`,
        deploymentMode !== undefined && sql`r.deployment_mode = ${deploymentMode}`,
      )}
    ) found
    ${after ? sql`where (rank, metres, number) > (${after[0]}::integer, ${after[1]}::integer, ${after[2]}::integer)` : sql``}
    order by rank, metres, number limit ${limit}`
}

export interface FoundService extends Pick<Registration, 'profile_url' | 'deployment_mode' | 'name' | 'timezone'> {
  registration_id: string
  body: Omit<ServiceSearchResult, 'business' | 'location' | 'timezone'>
  location: ServiceSearchResult['location'] | null
  /** When it was read, or its business was last known not to have changed it since. */
  indexed_at: Date
  position: ServicePosition
}

/** The best match first, then what is free by the day that suits, what is free sooner, what is nearer. */
export function serviceSearch(search: ServiceSearch): RawBuilder<FoundService> {
  const { words, circle, verticals, categories, price, currency, duration, wantedBy, soonerFirst, after, limit } =
    search
  const nextFree = sql`coalesce(s.next_available_date, 'infinity')`
  return sql`
    select page.registration_id, page.body, greatest(page.indexed_at, r.indexed_at) as indexed_at, r.profile_url, r.deployment_mode, r.name, r.timezone,
      ${nearest(circle)} as location,
      json_build_array(page.rank, page.late, page.soonest, page.metres, page.number) as position
    from (
      select * from (
        select s.registration_id, s.body, s.places, s.indexed_at, ${rankBy(words, sql`s.search_words`)} as rank,
          ${wantedBy === undefined ? sql`0` : sql`(${nextFree} > ${wantedBy}::date)::integer`} as late,
          ${soonerFirst ? nextFree : sql`'infinity'::date`} as soonest, distance.metres, s.number
        from indexed_services s cross join lateral (${metresTo(circle, sql`s.points`)}) distance
        where s.registration_id not in (select id from registrations where status = 'inactive') and ${allOf(
          words && answersTo(words, sql`s.search_words`),
          circle &&
            sql`${mayLieIn(circle, sql`s.area`, '&&')} and distance.metres <= ${circle.metres}::double precision`,
          verticals.length > 0 && sql`s.type = any (${verticals}::text[])`,
          categories.length > 0 && sql`s.category_ids && ${categories}::text[]`,
          price && sql`s.currency = ${currency} and ${priceFits(price)}`,
          duration && durationFits(duration),
        )}
      ) found
      ${after ? sql`where (rank, late, soonest, metres, number) > (${sql.join(bound(after))})` : sql``}
      order by rank, late, soonest, metres, number limit ${limit}
    ) page
    join registrations r on r.id = page.registration_id
    order by page.rank, page.late, page.soonest, page.metres, page.number`
}

const bound = ([rank, late, soonest, metres, number]: ServicePosition) => [
  sql`${rank}::integer`,
  sql`${late}::integer`,
  sql`${soonest}::date`,
  sql`${metres}::integer`,
  sql`${number}::integer`,
]

const priceFits = ({ min: low, max: high, match }: PriceRangeFilter) =>
  fitsBounds(sql`s.price_from`, sql`s.price_to`, { low, high, match })

const durationFits = ({ min_minutes: low, max_minutes: high, match }: DurationRangeFilter) =>
  fitsBounds(sql`s.minutes_from`, sql`s.minutes_to`, { low, high, match })

/** To the nearest of the points. */
const metresTo = (circle: Circle | undefined, points: RawBuilder<unknown>): RawBuilder<number> =>
  circle
    ? sql`select min(metres_between(${circle.lat}, ${circle.lng}, point[1], point[0])) as metres from unnest(${points}) as point`
    : sql`select 0 as metres`

/** Where it is nearest to the middle of the search, else where it is offered first. */
const nearest = (circle: Circle | undefined) =>
  sql`(select place from json_array_elements(page.places) with ordinality as offered (place, position)
    order by ${
      circle
        ? sql`metres_between(${circle.lat}, ${circle.lng}, (place #>> '{coordinates,lat}')::double precision,
            (place #>> '{coordinates,lng}')::double precision), position`
        : sql`position`
    } limit 1)`

const allOf = (...conditions: (RawBuilder<unknown> | false | undefined)[]) =>
  sql.join([sql`true`, ...conditions.filter((condition) => condition !== undefined && condition !== false)], sql` and `)
