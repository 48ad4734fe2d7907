import { asMembers } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import type { Target } from '../../target/target.ts'
import { check } from '../check.ts'
import { expectCursorRefused, expectInvalid } from './input-faults.ts'
import { overBoth } from './over-both.ts'
import { altered, type PagedName, pageInput, readAll, readPage } from './pages.ts'
import { idsOf } from './service-facts.ts'

/** Filters that match no service: no catalogue has a service of this type. */
const NO_SERVICE = { filters: { type: 'com.example.conformance.none' } }

/**
 * The operations that return pages: the list of services, and the searches of the registry if the business offers them.
 */
function listOperations(target: Target): PagedName[] {
  const searches: PagedName[] = target.capability('discovery.registry') ? ['searchBusinesses', 'searchServices'] : []
  return ['listServices', ...searches]
}

export const cataloguePageChecks = [
  check(
    'CAT-002',
    'The server lists the same services for a request without a body as for an empty object',
    async ({ anonymous }) => {
      const bare = (await anonymous.request('POST', '/services/list')).success()
      const { items, pagination } = await readPage(anonymous, 'listServices', {}, {})
      expectEqual(idsOf(expectList(bare.services, 'services')), idsOf(items), 'the services without a body')
      expectEqual(asMembers(bare.pagination)?.has_more, pagination.has_more, 'has_more without a body')
    },
    { only: 'rest' },
  ),
  check(
    'CAT-003',
    'A tool returns structured content and a summary as text',
    async ({ anonymous }) => {
      const answer = await anonymous.call('listServices')
      const result = expectMembers(asMembers(answer.json)?.result, 'the result of the tool')
      const structured = expectMembers(result.structuredContent, 'structuredContent')
      for (const member of ['usp', 'services', 'pagination'])
        expectTrue(member in structured, `the member ${member} in structuredContent`, Object.keys(structured))
      const text = expectList(result.content, 'content').find(({ type }) => type === 'text')
      expectText(text?.text, 'the text of content')
    },
    { only: 'mcp' },
  ),
  check(
    'CAT-005 PAG-007',
    'A page of services has 20 services if the caller sends no limit',
    async ({ anonymous, services }) => {
      if (services.length <= 20) throw new Skip('The catalogue has at most 20 services.')
      const { items, pagination } = await readPage(anonymous, 'listServices', {}, {})
      expectEqual(items.length, 20, 'the number of services')
      expectEqual(pagination.has_more, true, 'has_more')
    },
  ),
  check('CAT-009 PAG-015', 'The cursor null gives the first page, like a missing cursor', async ({ anonymous }) => {
    const missing = await readPage(anonymous, 'listServices', {}, { limit: 2 })
    const none = await readPage(anonymous, 'listServices', {}, { limit: 2, cursor: null })
    expectEqual(idsOf(none.items), idsOf(missing.items), 'the services with the cursor null')
  }),
  check(
    'CAT-010 PAG-012',
    'The server accepts a limit of services above its maximum, and applies its maximum',
    async ({ anonymous, services }) => {
      const { items, pagination } = await readPage(anonymous, 'listServices', {}, { limit: 100_000 })
      expectEqual(pagination.has_more, items.length < services.length, 'has_more')
      expectEqual(idsOf(items), idsOf(services.slice(0, items.length)), 'the services of the first page')
    },
  ),
  check(
    'PAG-003 PAG-005 PAG-011',
    'The pages of the catalogue contain each service once, with any page size',
    async ({ anonymous, services }) => {
      for (const limit of [...(services.length <= 20 ? [1] : []), 7, undefined])
        expectEqual(
          idsOf(await readAll(anonymous, 'listServices', {}, limit)).toSorted(),
          idsOf(services).toSorted(),
          `the services on pages of ${limit ?? 'the usual size'}`,
        )
    },
  ),
  check('PAG-001 PAG-004', 'An empty result has no further page', async ({ anonymous, target }) => {
    for (const name of listOperations(target)) {
      const input = name === 'listServices' ? NO_SERVICE : { query: 'qqzzxxconformancenothing' }
      const { items, pagination } = await readPage(anonymous, name, input, {})
      expectEqual(items, [], `the items of ${name}`)
      expectEqual([pagination.cursor, pagination.has_more], [null, false], `cursor and has_more of ${name}`)
    }
  }),
  check(
    'CAT-011 PAG-013 PAG-014',
    'The server refuses a limit that is not a positive integer',
    async ({ anonymous, target }) => {
      for (const name of listOperations(target))
        for (const limit of name === 'listServices' ? [0, -1, 1.5, 'ten'] : [0, 'ten']) {
          const input = name === 'listServices' ? {} : { query: 'service' }
          expectInvalid(await anonymous.call(name, pageInput(name, input, { limit })), 'limit')
        }
    },
  ),
  check(
    'CAT-015 LIV-013 PAG-020',
    'The server refuses a cursor that it did not issue for this list, but answers a request without a cursor',
    async ({ anonymous, services }) => {
      const ask = (cursor: string, input = {}) =>
        anonymous.call('listServices', { ...input, pagination: { limit: 1, cursor } })
      expectCursorRefused(await ask('conformance-cursor'))
      if (services.length > 1) {
        const { pagination } = await readPage(anonymous, 'listServices', {}, { limit: 1 })
        const cursor = expectText(pagination.cursor, 'cursor')
        expectCursorRefused(await ask(altered(cursor)))
        expectCursorRefused(await ask(cursor, NO_SERVICE))
        expectCursorRefused(await anonymous.call('readFeed', { cursor }))
      }
      expectEqual((await readPage(anonymous, 'listServices', {}, { limit: 1 })).items.length, 1, 'the first page')
    },
  ),
  check(
    'CAT-004 PAG-026',
    'Both bindings return the same services for the same input',
    async (c) => {
      const { anonymous, services } = c
      const inputs = [
        ['listServices', { pagination: { limit: 4 } }, 'services'],
        ['getService', { service_id: services[0]?.id }, 'service'],
        ['lookupServices', { ids: idsOf(services).slice(0, 20) }, 'services'],
        ['readFeed', { limit: 5 }, 'items'],
      ] as const
      for (const [name, input, member] of inputs) {
        const [rest, mcp] = await overBoth(c, anonymous, name, input)
        const [overRest, overTool] = [rest.success(), mcp.success()]
        expectEqual(withoutHints(overTool[member]), withoutHints(overRest[member]), `${member} of ${name} over MCP`)
        expectEqual(Object.keys(overTool).toSorted(), Object.keys(overRest).toSorted(), `the members of ${name}`)
      }
      const walk = async (binding: 'rest' | 'mcp') => {
        const found: unknown[] = []
        for (let cursor: unknown = null, page = 0; page < 3; page++) {
          const input = { pagination: { limit: 2, cursor } }
          const result = (await anonymous.call('listServices', input, { binding })).success()
          found.push(...idsOf(expectList(result.services, 'services')))
          cursor = expectMembers(result.pagination, 'pagination').cursor
          if (cursor === null) break
        }
        return found
      }
      expectEqual(await walk('mcp'), await walk('rest'), 'the services of the first pages over MCP')
    },
    { only: 'rest' },
  ),
]

/**
 * Removes the availability hints, which change with each booking. They must not count as a difference between two
 * answers.
 */
function withoutHints(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, member) => (name === 'availability_hint' ? undefined : member)))
}
