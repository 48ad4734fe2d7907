import { asMembers } from '../../caller/answer.ts'
import { expectEqual, expectList, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { expectCursorRefused, expectInvalid } from './input-faults.ts'
import { altered, type PagedName, pageInput, readAll, readPage } from './pages.ts'

const ids = (services: { id?: unknown }[]) => services.map(({ id }) => id)
/** A service of this type exists in no catalogue. */
const NO_SERVICE = { filters: { type: 'com.example.conformance.none' } }

export const cataloguePageChecks = [
  check(
    'CAT-002',
    'The server lists the same services for a request without a body and for an empty object',
    async ({ anonymous }) => {
      const bare = (await anonymous.request('POST', '/services/list')).success()
      const { items, pagination } = await readPage(anonymous, 'listServices', {}, {})
      expectEqual(ids(expectList(bare.services, 'services')), ids(items), 'the services without a body')
      expectEqual(asMembers(bare.pagination)?.has_more, pagination.has_more, 'has_more without a body')
    },
    { only: 'rest' },
  ),
  check(
    'CAT-003',
    'A tool answers structured content and a summary as text',
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
    'The server lists 20 services on a page without a limit',
    async ({ anonymous, services }) => {
      if (services.length <= 20) throw new Skip('The catalogue has at most 20 services.')
      const { items, pagination } = await readPage(anonymous, 'listServices', {}, {})
      expectEqual(items.length, 20, 'the number of services')
      expectEqual(pagination.has_more, true, 'has_more')
    },
  ),
  check('CAT-009 PAG-015', 'The cursor null and a missing cursor mean the first page', async ({ anonymous }) => {
    const missing = await readPage(anonymous, 'listServices', {}, { limit: 2 })
    const none = await readPage(anonymous, 'listServices', {}, { limit: 2, cursor: null })
    expectEqual(ids(none.items), ids(missing.items), 'the services with the cursor null')
  }),
  check('CAT-010 PAG-012', 'The server lowers a large limit to its own', async ({ anonymous, services }) => {
    const { items, pagination } = await readPage(anonymous, 'listServices', {}, { limit: 100_000 })
    expectEqual(pagination.has_more, items.length < services.length, 'has_more')
    expectEqual(ids(items), ids(services.slice(0, items.length)), 'the services of the first page')
  }),
  check(
    'PAG-003 PAG-005 PAG-011',
    'A walk through the catalogue meets each service once, with each size of a page',
    async ({ anonymous, services }) => {
      for (const limit of [...(services.length <= 20 ? [1] : []), 7, undefined])
        expectEqual(
          ids(await readAll(anonymous, 'listServices', {}, limit)).toSorted(),
          ids(services).toSorted(),
          `the services on pages of ${limit ?? 'the usual size'}`,
        )
    },
  ),
  check('PAG-001 PAG-004', 'An empty result is a last page', async ({ anonymous, target }) => {
    const searches: PagedName[] = target.capability('discovery.registry') ? ['searchBusinesses', 'searchServices'] : []
    for (const name of ['listServices', ...searches] as const) {
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
      const searches: PagedName[] = target.capability('discovery.registry')
        ? ['searchBusinesses', 'searchServices']
        : []
      for (const name of ['listServices', ...searches] as const)
        for (const limit of name === 'listServices' ? [0, -1, 1.5, 'ten'] : [0, 'ten']) {
          const input = name === 'listServices' ? {} : { query: 'service' }
          expectInvalid(await anonymous.call(name, pageInput(name, input, { limit })), 'limit')
        }
    },
  ),
  check(
    'CAT-015 LIV-013 PAG-020',
    'The server refuses a cursor that it did not issue for this list, and starts over without it',
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
    'Both bindings answer the same services for the same input',
    async ({ anonymous, services, target }) => {
      if (!target.bindings.includes('mcp')) throw new Skip('The server has only the REST binding.')
      const inputs = [
        ['listServices', { pagination: { limit: 4 } }, 'services'],
        ['getService', { service_id: services[0]?.id }, 'service'],
        ['lookupServices', { ids: ids(services).slice(0, 20) }, 'services'],
        ['readFeed', { limit: 5 }, 'items'],
      ] as const
      for (const [name, input, member] of inputs) {
        const overRest = (await anonymous.call(name, input, { binding: 'rest' })).success()
        const overTool = (await anonymous.call(name, input, { binding: 'mcp' })).success()
        expectEqual(withoutHints(overTool[member]), withoutHints(overRest[member]), `${member} of ${name} over MCP`)
        expectEqual(Object.keys(overTool).toSorted(), Object.keys(overRest).toSorted(), `the members of ${name}`)
      }
      const walk = async (binding: 'rest' | 'mcp') => {
        const found: unknown[] = []
        for (let cursor: unknown = null, page = 0; page < 3; page++) {
          const input = { pagination: { limit: 2, cursor } }
          const result = (await anonymous.call('listServices', input, { binding })).success()
          found.push(...ids(expectList(result.services, 'services')))
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

/** The hints change with each booking, so they are no difference between two readings. */
function withoutHints(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, member) => (name === 'availability_hint' ? undefined : member)))
}
