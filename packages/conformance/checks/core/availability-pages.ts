import { expectEqual, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { expectCursorRefused, expectInvalid } from './input-faults.ts'
import { altered, readPage, readPages } from './pages.ts'
import { firstDayQuery, quietTimes } from './quiet-times.ts'
import { idsOf } from './service-facts.ts'

const needs = ['services.availability']
const USUAL_LIMIT = 50

export const availabilityPageChecks = [
  check(
    'PAG-002 PAG-003 PAG-005 PAG-006 PAG-011 PAG-022 AVL-024 AVL-050 AVL-051',
    'The pages of a query contain each slot once, in the order of the starts',
    async (c) => {
      const query = firstDayQuery(c, await quietTimes(c, 'service'))
      const walks = []
      for (const limit of [3, 7, undefined]) {
        const pages = await readPages(c.anonymous, 'queryAvailability', query, limit)
        const all = pages.flatMap(({ items }) => items)
        const starts = all.map(({ start }) => Date.parse(String(start)))
        expectEqual(
          starts,
          starts.toSorted((a, b) => a - b),
          'the starts of all pages',
        )
        const ids = idsOf(all)
        expectEqual(new Set(ids).size, ids.length, 'the number of different slots')
        walks.push(ids)
      }
      expectEqual(walks[0], walks[2], 'the slots on pages of 3')
      expectEqual(walks[1], walks[2], 'the slots on pages of 7')
    },
    { needs },
  ),
  check(
    'AVL-049 PAG-008',
    'A page of slots has 50 slots if the caller sends no limit',
    async (c) => {
      const { query } = await quietTimes(c, 'service')
      const { items, pagination } = await readPage(c.anonymous, 'queryAvailability', query, {})
      if (items.length < USUAL_LIMIT && pagination.has_more === false)
        throw new Skip('The service has at most 50 slots in a week.')
      expectTrue(items.length <= USUAL_LIMIT, 'at most 50 slots', `${items.length} slots`)
      expectEqual(pagination.has_more, true, 'has_more')
    },
    { needs },
  ),
  check(
    'AVL-055 PAG-012',
    'The server accepts a limit of slots above its maximum, and applies its maximum',
    async (c) => {
      const { query } = await quietTimes(c, 'service')
      const { items, pagination } = await readPage(c.anonymous, 'queryAvailability', query, { limit: 100_000 })
      expectEqual(pagination.has_more, typeof pagination.cursor === 'string', 'has_more')
      expectTrue(items.length > 0, 'slots', items)
    },
    { needs },
  ),
  check(
    'PAG-013 PAG-014',
    'The server refuses a limit of slots that is not a positive integer',
    async (c) => {
      const { query } = await quietTimes(c, 'service')
      for (const limit of [0, -1, 1.5, 'ten'])
        expectInvalid(await c.anonymous.call('queryAvailability', { ...query, limit }), 'limit')
    },
    { needs },
  ),
  check(
    'LIV-013 PAG-020',
    'The server refuses a cursor that it did not issue for this query, but answers the query without a cursor',
    async (c) => {
      const { query } = await quietTimes(c, 'service')
      const ask = (cursor: string, input = {}) =>
        c.anonymous.call('queryAvailability', { ...query, limit: 1, ...input, cursor })
      expectCursorRefused(await ask('conformance-cursor'))
      const { pagination } = await readPage(c.anonymous, 'queryAvailability', query, { limit: 1 })
      const cursor = expectText(pagination.cursor, 'cursor')
      expectCursorRefused(await ask(altered(cursor)))
      const other = c.services.find(({ id }) => id !== query.service_id)
      if (other) expectCursorRefused(await ask(cursor, { service_id: other.id }))
      expectCursorRefused(await c.anonymous.call('readFeed', { cursor }))
      const { items } = await readPage(c.anonymous, 'queryAvailability', query, { limit: 1 })
      expectEqual(items.length, 1, 'the slots of the first page')
    },
    { needs },
  ),
]
