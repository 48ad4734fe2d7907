import { type RawBuilder, sql } from 'kysely'
import { dueAfterCrash, hasFewStarts, isFree } from '../../../core/jobs/row-lease.ts'
import type { Database, Tx } from '../../../infra/db/database.ts'
import type { RegistryLocation } from '../../../protocol/types.generated.ts'
import { searchVector } from '../../catalog/search-words.ts'
import type { IndexedService } from './indexed-service.ts'

/**
 * A listed business whose catalogue this process may crawl (read). Until the lease ends, no other process may crawl the
 * catalogue.
 */
export interface DueBusiness {
  id: string
  /**
   * The time when the lease ends, as text from PostgreSQL. Later SQL statements compare this time exactly, and a
   * JavaScript `Date` would lose its microseconds.
   */
  lease: string
  endpoint: string | null
  location: RegistryLocation | null
  timezone: string
  feed_cursor: string | null
  reading_since: Date | null
  notices: number
  index_failures: number
}

/**
 * The duration of the lease (the exclusive right to crawl a business). The duration is longer than the time to read one
 * page. If the process crashes, another process can crawl the business after the lease.
 */
const LEASE = sql`interval '30 seconds'`
/**
 * The minimum time between the starts of two crawls of one business. A notice of the business about changes does not
 * shorten this time.
 */
const CRAWL_INTERVAL = sql`interval '5 seconds'`

const readingsBegun = sql.ref('readings_begun')

/**
 * Leases the business that has waited longest for a crawl. The wait begins at the planned time of the crawl. After a
 * notice about changes, the wait begins when the next crawl is allowed. Therefore a business with many notices does not
 * overtake other businesses.
 */
export async function registrationLease(db: Database, now: Date): Promise<DueBusiness | undefined> {
  const rested = sql`(read_at is null or read_at <= ${now}::timestamptz - ${CRAWL_INTERVAL})`
  const free = sql`status = 'active' and ${isFree('registrations')} and ${rested}`
  const { rows } = await sql<DueBusiness>`
    with told as (
      select id, coalesce(read_at + ${CRAWL_INTERVAL}, '-infinity') as since from registrations
      where ${free} and notices > notices_heeded and ${hasFewStarts(readingsBegun)}
      order by read_at nulls first limit 1 for update skip locked
    ), due as (
      select id, next_index_at as since from registrations where ${free} and next_index_at <= ${now}
      order by next_index_at limit 1 for update skip locked
    )
    update registrations set leased_until = now() + ${LEASE}, read_at = ${now}, readings_begun = readings_begun + 1,
      next_index_at = ${dueAfterCrash(sql.ref('next_index_at'), readingsBegun, now)}
    where id = (select id from (table told union all table due) waiting order by since limit 1)
    returning id, leased_until::text as lease, endpoint, location, timezone, feed_cursor,
      reading_since, notices, index_failures`.execute(db)
  return rows[0]
}

export interface Progress {
  cursor: string | null
  since: Date | null
}

/** Stores the progress of a crawl and extends its lease. The result is undefined if the lease has already ended. */
export async function progressStore(
  tx: Tx,
  { id, lease }: Pick<DueBusiness, 'id' | 'lease'>,
  { cursor, since }: Progress,
): Promise<string | undefined> {
  const { rows } = await sql<{ lease: string }>`
    update registrations set leased_until = now() + ${LEASE}, feed_cursor = ${cursor}, reading_since = ${since}
    where id = ${id} and leased_until = ${lease}::timestamptz returning leased_until::text as lease`.execute(tx)
  return rows[0]?.lease
}

/**
 * Locks the state of the search index until the transaction ends. Every transaction takes this lock before it adds
 * services. Therefore transactions add services one after the other, and later services always get larger numbers.
 */
export async function registryStateLock(tx: Tx): Promise<void> {
  await sql`select from registry_state for update`.execute(tx)
}

/**
 * Copies the current versions of these services to the table `former_services` before they change. A search that began
 * earlier still shows these versions on its later pages.
 */
export async function formerServicesKeep(tx: Tx, numbers: RawBuilder<unknown>): Promise<void> {
  await sql`select keep_former_services(array(${numbers}))`.execute(tx)
}

/**
 * An SQL query for the numbers of indexed services that differ from a new page of the catalogue feed. The query does
 * not compare the price columns, because the column `body` contains the prices.
 */
const changedServices = (id: string, services: IndexedService[]): RawBuilder<unknown> => sql`
  select s.number from indexed_services s
  join json_to_recordset(${JSON.stringify(services)}::json) as page (
    service_id text, body json, type text, category_ids text[], places json, currency text, minutes_from integer,
    minutes_to integer, next_available_date date, ruler_from bigint, ruler_interval bigint, ruler_count bigint,
    openings int8multirange, names text, groups text, texts text)
    on s.registration_id = ${id} and s.service_id = page.service_id
  where (s.body::text, s.type, s.category_ids, s.places::text, s.currency, s.minutes_from, s.minutes_to,
      s.next_available_date, s.ruler_from, s.ruler_interval, s.ruler_count, s.openings, s.search_words)
    is distinct from (page.body::text, page.type, page.category_ids, page.places::text, page.currency, page.minutes_from,
      page.minutes_to, page.next_available_date, page.ruler_from, page.ruler_interval, page.ruler_count, page.openings,
      ${searchVector(WORDS)})`

const WORDS = { names: sql.ref('names'), groups: sql.ref('groups'), body: sql.ref('texts') }

export async function indexedUpsert(tx: Tx, id: string, services: IndexedService[], at: Date): Promise<void> {
  if (services.length === 0) return
  await formerServicesKeep(tx, changedServices(id, services))
  await sql`
    merge into indexed_services s
    using (
      select *, ${searchVector(WORDS)} as search_words from json_to_recordset(${JSON.stringify(services)}::json) as page (
        service_id text, body json, type text, category_ids text[], places json, currency text,
        price_from bigint, price_to bigint, minutes_from integer, minutes_to integer, next_available_date date,
        ruler_from bigint, ruler_interval bigint, ruler_count bigint, openings int8multirange, recount_at timestamptz,
        names text, groups text, texts text)
    ) page on s.registration_id = ${id} and s.service_id = page.service_id
    when matched then update set
      body = page.body, type = page.type, category_ids = page.category_ids, places = page.places,
      currency = page.currency, price_from = page.price_from, price_to = page.price_to,
      minutes_from = page.minutes_from, minutes_to = page.minutes_to,
      next_available_date = page.next_available_date, ruler_from = page.ruler_from,
      ruler_interval = page.ruler_interval, ruler_count = page.ruler_count, openings = page.openings,
      recount_at = page.recount_at, search_words = page.search_words, indexed_at = ${at}
    when not matched then insert
      (registration_id, service_id, body, type, category_ids, places, currency, price_from, price_to,
        minutes_from, minutes_to, next_available_date, ruler_from, ruler_interval, ruler_count, openings, recount_at,
        search_words, indexed_at)
      values (${id}, page.service_id, page.body, page.type, page.category_ids, page.places, page.currency,
        page.price_from, page.price_to, page.minutes_from, page.minutes_to, page.next_available_date,
        page.ruler_from, page.ruler_interval, page.ruler_count, page.openings, page.recount_at,
        page.search_words, ${at})`.execute(tx)
  await sql`
    update registry_state set version = version + 1, last_number = coalesce((select max(number) from indexed_services), 0)`.execute(
    tx,
  )
}

export async function indexedRemove(tx: Tx, id: string, serviceIds: string[]): Promise<void> {
  if (serviceIds.length === 0) return
  await servicesDelete(tx, sql`registration_id = ${id} and service_id = any (${serviceIds}::text[])`)
}

async function servicesDelete(tx: Tx, which: RawBuilder<unknown>): Promise<void> {
  await formerServicesKeep(tx, sql`select number from indexed_services where ${which}`)
  await sql`delete from indexed_services where ${which}`.execute(tx)
}

/** Deletes the indexed services that a complete crawl of the catalogue no longer found. */
export async function indexedPrune(tx: Tx, id: string, since: Date): Promise<void> {
  await servicesDelete(tx, sql`registration_id = ${id} and indexed_at < ${since}`)
}

/**
 * Deletes services of a business that exceed the limits of the index. The services that were indexed first stay. The
 * limits count only services that a crawl has seen at or after `since`. Returns true if the function deleted a service.
 */
export async function indexedCap(
  tx: Tx,
  id: string,
  most: { services: number; places: number },
  since: Date | null,
): Promise<boolean> {
  const { rows } = await sql<{ number: number }>`
    select number from (
      select number, count(*) over earlier as services, sum(cardinality(points)) over earlier as places
      from indexed_services where registration_id = ${id} and indexed_at >= coalesce(${since}::timestamptz, '-infinity')
      window earlier as (order by number)
    ) counted where services > ${most.services} or places > ${most.places}`.execute(tx)
  if (rows.length > 0) await servicesDelete(tx, sql`number = any (${rows.map(({ number }) => number)}::integer[])`)
  return rows.length > 0
}

export interface CrawlResult extends Progress {
  /** The time when the crawl reached the end of the catalogue. Undefined if the crawl stopped earlier. */
  indexedAt: Date | undefined
  problem: string | null
  failures: number
  nextAt: Date
}

/**
 * Stores the result of a crawl and ends its lease. Does nothing and returns false if the lease has already ended. If
 * the business sent a notice about changes during the crawl, another crawl follows.
 */
export async function crawlEnd(
  db: Database,
  { id, lease, notices }: DueBusiness,
  outcome: CrawlResult,
): Promise<boolean> {
  const { cursor, since, indexedAt, problem, failures, nextAt } = outcome
  const { rows } = await sql`
    update registrations set leased_until = null, readings_begun = 0, feed_cursor = ${cursor}, reading_since = ${since},
      indexed_at = coalesce(${indexedAt ?? null}, indexed_at), index_problem = ${problem}, index_failures = ${failures},
      next_index_at = ${nextAt}, notices_heeded = ${notices}
    where id = ${id} and leased_until = ${lease}::timestamptz returning id`.execute(db)
  return rows.length > 0
}
