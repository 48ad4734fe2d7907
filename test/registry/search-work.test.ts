import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { IndexState } from '../../src/domain/registry/search/search-index-state.ts'
import { serviceSearch } from '../../src/domain/registry/search/service-search-sql.ts'
import { index, list, registry } from './directory.ts'
import { fed } from './services.ts'

const { db } = (await registry()).runtime

/** The number of rows that one statement inserts. On a busy machine, 30,000 rows exceed the time limit of a statement. */
const MAX_ROWS = 1000
const DAYS = 30
const CATEGORIES = 20
const CITY = { lat: 40.7, lng: -74 }
const AT_THE_SEAM = { lat: -17, lng: 179.99 }
const ELSEWHERE = { lat: -33.9, lng: 151.2 }

/** So many services within a kilometre or so, of all days and categories. */
async function fill({ lat, lng }: typeof CITY, count: number) {
  const offset = sql`(n * 7919 % 1000 - 500) / 1e5`
  for (let from = 1; from <= count; from += MAX_ROWS)
    await sql`
      insert into indexed_services (registration_id, service_id, body, type, category_ids, places, currency, price_from, price_to,
          next_available_date, search_words, indexed_at)
        select registration_id, service_id || ${lat}::text || n, body, type, array['c' || n / ${DAYS} % ${CATEGORIES}],
          json_build_array(json_build_object('coordinates', json_build_object('lat', ${lat}::float8 + ${offset}, 'lng', ${lng}::float8 - ${offset}))),
          currency, price_from, price_to, date '2026-12-01' + n % ${DAYS}, search_words, now()
        from indexed_services cross join generate_series(${from}::integer, ${Math.min(count, from + MAX_ROWS - 1)}::integer) n
        where service_id = 'model'`.execute(db)
  await sql`update registry_state set last_number = (select max(number) from indexed_services)`.execute(db)
  await sql`analyze indexed_services`.execute(db)
}

interface PlanNode {
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

interface Page {
  limit?: number
  /** Of a later page. */
  state?: IndexState
}

/** How the database looks through what lies within 5 km. */
async function planOfSearch(
  place: typeof CITY,
  categories: string[],
  { limit = 21, state }: Page = {},
): Promise<PlanNode[]> {
  const circle = { ...place, metres: 5000 }
  const where = {
    expanded: undefined,
    verticals: [],
    categories,
    circle,
    after: undefined,
    limit,
    ring: 'inner' as const,
    at: Date.now(),
    state,
  }
  const others = { price: undefined, currency: undefined, duration: undefined, wanted: undefined, soonerFirst: true }
  const query = serviceSearch({ ...where, ...others })
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`explain (analyze, format json) ${query}`.execute(
    db,
  )
  return rows.flatMap((row) => row['QUERY PLAN']).map(({ Plan }) => Plan)
}

/** How many entries of the index and rows of the table that comes upon, by where. */
async function comesUpon(
  place: typeof CITY,
  categories: string[] = [],
  page: Page = {},
): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  const count = (node: PlanNode) => {
    const name = node['Index Name'] ?? node['Relation Name']
    const found = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    if (name?.startsWith('indexed_services')) counted[name] = (counted[name] ?? 0) + found
    node.Plans?.forEach(count)
  }
  for (const plan of await planOfSearch(place, categories, page)) count(plan)
  return counted
}

beforeAll(async () => {
  await list(db, 'reg_many')
  await index(db, 'reg_many', [fed('model', { channel: { type: 'virtual' } })])
  await fill(CITY, 6000)
  await fill(AT_THE_SEAM, 100)
  // Among a few the planner may as well read them all.
  await fill(ELSEWHERE, 30_000)
})

test('[REG-070] near a place those of the first day are compared, and rows of those alone that are shown are read', async () => {
  expect(await comesUpon(CITY)).toEqual({
    // The first of the next day tells that there are no more.
    indexed_services_area_soonest: 6000 / DAYS + 1,
    indexed_services_number_key: 21,
    indexed_services_recount: 0,
  })
})

test('[LIV-094] to show the index as it was, no more of it is read', async () => {
  const { version, last_number: last } = await db
    .selectFrom('registry_state')
    .select(['version', 'last_number'])
    .executeTakeFirstOrThrow()
  expect(await comesUpon(CITY, [], { state: { version: Number(version), last } })).toEqual({
    indexed_services_area_soonest: 6000 / DAYS + 1,
    indexed_services_number_key: 21,
    indexed_services_recount: 0,
  })
})

test('[REG-063] of a category near a place nothing is read of other categories, nor of what it has elsewhere', async () => {
  const { indexed_services_area, ...others } = await comesUpon(CITY, ['c7'])
  expect(indexed_services_area).toBe(6000 / CATEGORIES)
  expect(others).toEqual({
    indexed_services: 6000 / CATEGORIES,
    indexed_services_number_key: 21,
    indexed_services_recount: 0,
  })
})

test('[REG-063] no service near a place is compared with each of many categories to find it in an index', async () => {
  const how = async (count: number) =>
    JSON.stringify(
      await planOfSearch(
        CITY,
        Array.from({ length: count }, (_, nth) => `none${nth}`),
      ),
    )
  expect(await how(1)).toMatch(/"Index Cond":"[^"]*@@/)
  expect(await how(100)).not.toContain('@@')
})

test('[REG-048] across the 180th meridian nothing is read of what lies far off', async () => {
  // For a few the planner would sooner look through all there is by their days.
  for (const limit of [2, 21])
    for (const categories of [[], ['c1']])
      expect(Math.max(...Object.values(await comesUpon(AT_THE_SEAM, categories, { limit })))).toBeLessThanOrEqual(100)
})
