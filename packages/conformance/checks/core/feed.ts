import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { expectCursorRefused } from './input-faults.ts'
import { altered, readAll, readPage, readPages } from './pages.ts'
import { dataOf, firstOf, idsOf, locationIdsOf } from './service-facts.ts'

const serviceIdsOf = (items: Members[]) => idsOf(items.map(dataOf))
const isUpdated = ({ state }: Members) => state === 'updated'

function expectAscending(items: Members[]): void {
  for (const [index, item] of items.entries()) {
    const previous = items[index - 1]
    if (!previous) continue
    const [before, after] = [previous, item].map(({ modified_at }) => expectInstant(modified_at, 'modified_at'))
    const isOrdered =
      before === after ? String(dataOf(previous).id) < String(dataOf(item).id) : Number(before) < Number(after)
    expectTrue(
      isOrdered,
      'items in the order of modified_at and id',
      [previous, item].map((one) => ({ ...one, data: dataOf(one).id })),
    )
  }
}

const readFeed = ({ anonymous }: CheckContext, position: Members = {}, input: Members = {}) =>
  readPage(anonymous, 'readFeed', input, position)

export const feedChecks = [
  check('FEED-003 FEED-004 FEED-034', 'An anonymous caller can read complete services in the feed', async (c) => {
    const { items } = await readFeed(c)
    firstOf(items, 'record in the feed')
    for (const item of items) {
      expectTrue(['updated', 'deleted'].includes(String(item.state)), 'the state updated or deleted', item.state)
      expectInstant(item.modified_at, 'modified_at')
      if (isUpdated(item)) c.schemas.expectValid('catalog#Service', item.data, 'the data of an updated item')
      else expectEqual(Object.keys(dataOf(item)).toSorted(), ['business_id', 'id'], 'the data of a deleted item')
    }
  }),
  check('FEED-024 FEED-027', 'The feed describes its own state and reports that it is healthy', async (c) => {
    const { result } = await readFeed(c, { limit: 1 })
    c.schemas.expectValid('catalog#FeedMeta', result.feed_meta, 'feed_meta')
    expectEqual(asMembers(result.feed_meta)?.feed_status, 'healthy', 'feed_status')
  }),
  check(
    'FEED-025',
    'The feed is not older than the max-age of its answer',
    async ({ anonymous }) => {
      const answer = await anonymous.call('readFeed', { limit: 1 })
      const meta = expectMembers(answer.success().feed_meta, 'feed_meta')
      const now = Date.parse(answer.headers.date ?? '') || Date.now()
      const age = now - expectInstant(meta.feed_generated_at, 'feed_generated_at')
      const maxAge = Number(/max-age=(\d+)/.exec(answer.headers['cache-control'] ?? '')?.[1] ?? 0)
      expectTrue(age >= -2000, 'a feed_generated_at that is not in the future', meta.feed_generated_at)
      expectTrue(
        age <= (maxAge + 2) * 1000,
        `a feed_generated_at of the last ${maxAge} seconds`,
        meta.feed_generated_at,
      )
    },
    { only: 'rest' },
  ),
  check(
    'FEED-001 FEED-002 FEED-007 FEED-014 FEED-026',
    'The pages of the feed contain each service once, in the order of the latest changes',
    async (c) => {
      const pages = await readPages(c.anonymous, 'readFeed', {}, Math.max(2, Math.ceil(c.services.length / 20)))
      const items = pages.flatMap((page) => page.items)
      for (const page of pages.slice(0, -1)) expectEqual(page.items.length, pages[0]?.items.length, 'items on a page')
      expectAscending(items)
      const ids = serviceIdsOf(items)
      expectEqual(new Set(ids).size, ids.length, 'the number of different services')
      const updated = items.filter(isUpdated)
      const missing = c.services.filter(({ id }) => !serviceIdsOf(updated).includes(id)).map(({ id }) => id)
      expectEqual(missing, [], 'the listed services that are not in the feed')
      const { total_services } = expectMembers(pages[0]?.result.feed_meta, 'feed_meta')
      expectEqual(total_services, updated.length, 'total_services')
    },
  ),
  check('FEED-006 PAG-009', 'A page of the feed has 50 records if the caller sends no limit', async (c) => {
    const { items, pagination } = await readFeed(c)
    if (items.length < 50 && pagination.has_more === false) throw new Skip('The feed has at most 50 records.')
    expectEqual(items.length, 50, 'the number of records')
  }),
  check('FEED-008', 'The server accepts a limit of the feed above its maximum, and applies its maximum', async (c) => {
    const { items, pagination } = await readFeed(c, { limit: 100_000 })
    if (pagination.has_more === false)
      expectTrue(items.length >= c.services.length, 'each service', serviceIdsOf(items))
  }),
  check('FEED-009', 'The server refuses a limit of the feed that is not a positive integer', async ({ anonymous }) => {
    for (const limit of [0, -1, 'abc']) {
      const { error } = await anonymous.call('readFeed', { limit })
      expectTrue(error !== undefined, `a refusal of the limit ${limit}`, 'a result')
      const isFault = error.number > 0 ? error.number < 500 : error.number !== -32603
      expectTrue(isFault, `a client error for the limit ${limit}`, error)
      expectTrue(JSON.stringify(error.members).includes('limit'), 'a refusal that names limit', error.members)
    }
  }),
  check(
    'FEED-010 FEED-011 FEED-015',
    'Each page of the feed has a cursor to resume from, and no record follows the last page',
    async (c) => {
      const first = await readFeed(c, { limit: 1 })
      expectText(first.pagination.next_cursor, 'next_cursor of the first page')
      expectTrue(
        'cursor' in first.pagination && 'has_more' in first.pagination,
        'cursor and has_more',
        first.pagination,
      )
      const pages = await readPages(c.anonymous, 'readFeed', {})
      const last = pages.at(-1)?.pagination ?? {}
      expectEqual([last.cursor, last.has_more], [null, false], 'cursor and has_more of the last page')
      const after = await readFeed(c, { cursor: expectText(last.next_cursor, 'next_cursor of the last page') })
      expectEqual(after.items, [], 'the items after the last page')
      expectEqual(after.pagination.has_more, false, 'has_more after the last page')
      expectText(after.pagination.next_cursor, 'next_cursor after the last page')
    },
    { only: 'rest' },
  ),
  check('FEED-014', 'The next cursor leads to the records that follow the page', async (c) => {
    const first = await readFeed(c, { limit: 1 })
    const cursor = first.pagination.next_cursor ?? first.pagination.cursor
    if (cursor === null) throw new Skip('The feed has only one record.')
    const both = await readFeed(c, { limit: 2 })
    const second = await readFeed(c, { limit: 1, cursor })
    expectEqual(serviceIdsOf([...first.items, ...second.items]), serviceIdsOf(both.items), 'the records of two pages')
  }),
  check(
    'FEED-012 FEED-013',
    'For the tool, the cursor null means the first page, and the last page has a cursor to resume from',
    async (c) => {
      const missing = await readFeed(c, { limit: 1 })
      const none = await readFeed(c, { limit: 1, cursor: null })
      expectEqual(serviceIdsOf(none.items), serviceIdsOf(missing.items), 'the first record with the cursor null')
      const last = (await readPages(c.anonymous, 'readFeed', {})).at(-1)?.pagination ?? {}
      const cursor = expectText(last.next_cursor, 'next_cursor of the last page')
      expectEqual((await readFeed(c, { cursor })).items, [], 'the items after the last page')
    },
    { only: 'mcp' },
  ),
  check('FEED-018', 'Records with the same time of change are returned once each, even on two pages', async (c) => {
    const { items } = await readFeed(c)
    const index = items.findIndex((item, at) => item.modified_at === items[at + 1]?.modified_at)
    if (index < 0) throw new Skip('No two records of the feed have the same modified_at.')
    const limit = index + 1
    const first = await readFeed(c, { limit })
    const second = await readFeed(c, { limit, cursor: first.pagination.cursor })
    const found = serviceIdsOf([...first.items, ...second.items])
    expectEqual(found, serviceIdsOf(items.slice(0, found.length)), 'the records of two pages')
  }),
  check('FEED-029', 'The feed of a location contains exactly the services at this location', async (c) => {
    const locations = [...new Set(c.services.flatMap(locationIdsOf))]
    const isPartial = (id: unknown) => c.services.some((service) => !locationIdsOf(service).includes(id))
    const location_id = firstOf(locations.filter(isPartial), 'location that some services do not have')
    const items = (await readAll(c.anonymous, 'readFeed', { location_id })).filter(isUpdated)
    const expected = c.services.filter((service) => locationIdsOf(service).includes(location_id))
    expectEqual(serviceIdsOf(items).toSorted(), idsOf(expected).toSorted(), `the services at ${location_id}`)
  }),
  check('FEED-031', 'The feed of an unknown location is empty', async (c) => {
    const { items } = await readFeed(c, {}, { location_id: 'conformance_none' })
    expectEqual(items, [], 'the items')
  }),
  check('LIV-013', 'The server refuses a cursor that it did not issue for the feed', async (c) => {
    const ask = (cursor: unknown) => c.anonymous.call('readFeed', { cursor })
    expectCursorRefused(await ask('conformance-cursor'))
    const { pagination } = await readFeed(c, { limit: 1 })
    if (typeof pagination.cursor === 'string') expectCursorRefused(await ask(altered(pagination.cursor)))
    const list = await readPage(c.anonymous, 'listServices', {}, { limit: 1 })
    if (typeof list.pagination.cursor === 'string') expectCursorRefused(await ask(list.pagination.cursor))
  }),
]
