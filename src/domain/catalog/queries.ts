import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { executePrepared } from '../../infra/db/prepared-statements.ts'
import { MOST_PAGE_CHARACTERS } from '../../protocol/limit-page-size.ts'
import type { BuyerContext, Service, ServiceFilters } from '../../protocol/types.generated.ts'
import type { ResourceTexts } from './published-service.ts'

export interface ServiceRow {
  body: Service
  resource_texts: ResourceTexts
  /** The language of the texts in `body`. */
  language: string
}

export type ListPosition = [score: number, metres: number, ordinal: number]
export type FeedPosition = [modifiedAt: number, id: string]

interface ListQuery {
  words: string[]
  filters: ServiceFilters
  currency: string | undefined
  coordinates: BuyerContext['coordinates'] | undefined
  after: ListPosition | undefined
  size: number
}

interface ListRow extends ServiceRow, FoundCount {
  score: number
  metres: number
  ordinal: number
}

const UNKNOWN_DISTANCE_METRES = 2_000_000_000

/**
 * Lists the services that match a query: the best match first, then the nearest, then the oldest. Without search words,
 * the function sorts only by distance and age.
 */
export async function serviceList(db: Database, query: ListQuery): Promise<ListRow[]> {
  const { words, coordinates, after, size } = query
  const searched = sql<boolean>`(b.search and ${words.length > 0})`
  const score = sql`case when ${searched} then coalesce(match.score, 0) else 0 end`
  const candidates = sql`
    select * from (
      select s.body, s.resource_texts, s.ordinal, b.language, ${score} as score, ${distance(coordinates)} as metres
      from business b
      cross join services s
      left join services_matching(${words}::text[]) match on match.id = s.id
      where s.deleted_at is null and s.status <> 'archived' and (not ${searched} or match.id is not null)
        and ${sql.join(conditions(query), sql` and `)}
    ) candidate
    ${after ? sql`where (-score, metres, ordinal) > (${-after[0]}::integer, ${after[1]}::integer, ${after[2]}::integer)` : sql``}`
  const order = sql`-score, metres, ordinal`
  const { rows } = await sql<ListRow>`
    select * from ${rowsOfPage(candidates, order, size)} page order by place`.execute(db)
  return rows
}

const distance = (coordinates: ListQuery['coordinates']) =>
  coordinates
    ? sql`coalesce((
        select min(metres_between(${coordinates.latitude}, ${coordinates.longitude}, l.latitude, l.longitude))
        from locations l where l.id = any (s.location_ids)), ${UNKNOWN_DISTANCE_METRES})::integer`
    : sql`0`

function conditions({ filters, currency }: ListQuery): RawBuilder<unknown>[] {
  const categories = filters.categories ?? (filters.category_id === undefined ? undefined : [filters.category_id])
  const { min, max } = filters.price ?? {}
  const priced = min !== undefined || max !== undefined
  return [
    sql`true`,
    ...(filters.type !== undefined ? [sql`s.type = ${filters.type}`] : []),
    ...(categories ? [sql`s.category_ids && ${categories}::text[]`] : []),
    ...(filters.location_id !== undefined ? [sql`${filters.location_id} = any (s.location_ids)`] : []),
    ...(min !== undefined ? [sql`s.price_to >= ${min}::numeric`] : []),
    ...(max !== undefined ? [sql`s.price_from <= ${max}::numeric`] : []),
    // A free service matches a price filter in any currency.
    ...(priced ? [sql`(s.price_to = 0 or s.currency = coalesce(${currency ?? null}::text, b.currency))`] : []),
  ]
}

export async function servicesByIds(db: Database, ids: string[]): Promise<(ServiceRow & FoundCount)[]> {
  const services = sql`
    select s.id, s.body, s.resource_texts, b.language from business b cross join services s
    where s.id = any (${ids}::text[]) and s.deleted_at is null`
  const order = sql`array_position(${ids}::text[], id)`
  const { rows } = await sql<ServiceRow & FoundCount>`
    select * from ${rowsOfPage(services, order, ids.length)} page order by place`.execute(db)
  return rows
}

export async function servicePublished(db: Database, id: string): Promise<Service | undefined> {
  const { rows } = await executePrepared(
    db,
    sql<{ body: Service }>`select body from services where id = ${id} and deleted_at is null`,
  )
  return rows[0]?.body
}

export async function findExistingIds(db: Database, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from services where id = any (${ids}::text[]) and deleted_at is null`.execute(db)
  return rows.map(({ id }) => id)
}

export interface FeedRecord extends FoundCount {
  id: string
  body: Service
  location_ids: string[]
  modified_at: string
  deleted_at: string | null
}

interface FeedPage {
  business_id: string
  total: number
  records: FeedRecord[]
}

export async function serviceFeedPage(
  db: Database,
  [modifiedAt, id]: FeedPosition,
  size: number,
  locationId: string | undefined,
): Promise<FeedPage | undefined> {
  const atLocation = locationId === undefined ? sql`true` : sql`past_location_ids @> array[${locationId}]::text[]`
  const later = sql`
    select id, body, location_ids, modified_at, deleted_at from services
    where (modified_at, id) > (${new Date(modifiedAt)}::timestamptz, ${id}) and ${atLocation}`
  const { rows } = await sql<FeedPage>`
    select b.id as business_id,
      (select count(*)::integer from services where deleted_at is null) as total,
      (select coalesce(json_agg(page order by place), '[]')
        from ${rowsOfPage(later, sql`modified_at, id`, size)} page) as records
    from business b`.execute(db)
  return rows[0]
}

/**
 * Lists the active services, oldest first. The query reads only the properties in `members`, because other properties
 * of a service may be large.
 */
export async function serviceCatalogue<Member extends keyof Service>(
  db: Database,
  members: readonly Member[],
): Promise<Pick<Service, Member>[]> {
  const { rows } = await sql<{ service: Pick<Service, Member> }>`
    select (select json_object_agg(key, value) from json_each(body) where key = any (${members}::text[])) as service
    from services where deleted_at is null and status = 'active' order by ordinal`.execute(db)
  return rows.map(({ service }) => service)
}

/**
 * The number of rows that match a query, at most one more than the page size. If the page has fewer rows than this
 * number, another page follows.
 */
interface FoundCount {
  found: number
}

/**
 * Selects the rows of one page. A page has a maximum number of bytes, but contains at least one row. PostgreSQL counts
 * the bytes, so that it sends only the rows of the page to the server.
 */
const rowsOfPage = (rows: RawBuilder<unknown>, order: RawBuilder<unknown>, size: number) => sql`(
  select * from (
    select *, row_number() over by_order as place, sum(octet_length(body::text)) over by_order as bytes,
      count(*) over ()::integer as found
    from (select * from (${rows}) asked order by ${order} limit ${size + 1}) candidate
    window by_order as (order by ${order})
  ) counted
  where place = 1 or place <= ${size} and bytes <= ${MOST_PAGE_CHARACTERS}
)`

export const endOfPage = <Row extends FoundCount>(page: readonly Row[]): Row | undefined =>
  page.length < (page[0]?.found ?? 0) ? page.at(-1) : undefined
