import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import { type Answer, testServer } from '../support/server.ts'

const salon = readFileSync('examples/glamour-salon.yaml', 'utf8')
const { definition } = readDefinition(salon, 'glamour-salon.yaml')
const server = await testServer(definition)
// A catalogue with a past: something was suspended, something archived, something removed.
server.time.now = new Date('2026-11-21T12:00:00Z')
await server.apply({
  ...definition,
  services: definition.services
    .filter(({ id }) => id !== 'svc_call')
    .map((service) => {
      if (service.id === 'svc_bike') return { ...service, status: 'suspended' }
      return service.id === 'svc_table' ? { ...service, status: 'archived' } : service
    }),
})

const structured = async (tool: string, args: object) => (await server.tool(tool, args)).body.result.structuredContent

type Case = [tool: string, args: object, rest: () => Promise<Answer>]
const listed = (args: object): Case => ['usp_services_list', args, () => server.rest('POST', '/services/list', args)]
const looked = (args: object): Case => [
  'usp_services_lookup',
  args,
  () => server.rest('POST', '/services/lookup', args),
]
const got = (id: string): Case => ['usp_services_get', { service_id: id }, () => server.rest('GET', `/services/${id}`)]
const fed = (query: string, args: object): Case => [
  'usp_services_feed',
  args,
  () => server.rest('GET', `/services/feed${query}`),
]

test.each([
  listed({}),
  listed({ query: 'color', context: { language: 'es' } }),
  listed({ query: 'masage', filters: { type: 'appointment' } }),
  listed({ filters: { price: { min: 2000, max: 12000 }, location_id: 'loc_downtown' } }),
  listed({ filters: { categories: ['hair', 'yoga'] }, context: { coordinates: { latitude: 40.8, longitude: -73.9 } } }),
  listed({ pagination: { limit: 3 }, context: { language: 'fr-CA', mood: 'unknown members are ignored' } }),
  looked({ ids: definition.services.map(({ id }) => id) }),
  looked({ ids: ['svc_massage', 'svc_none', 'svc_massage'], context: { language: 'es' } }),
  got('svc_haircut'),
  got('svc_color'),
  got('svc_bike'),
  got('svc_table'),
  fed('', {}),
  fed('?limit=4', { limit: 4 }),
  fed('?location_id=loc_uptown', { location_id: 'loc_uptown' }),
])('[CAT-004] %s %j answers alike on both bindings', async (tool, args, rest) => {
  const { status, body } = await rest()
  expect(status).toBe(200)
  expect(await structured(tool, args)).toEqual(body)
})

test('[CAT-004] what is compared is a whole catalogue', async () => {
  const { items } = await structured('usp_services_feed', {})
  expect(items).toHaveLength(definition.services.length)
  expect(new Set(items.map(({ state }: { state: string }) => state))).toEqual(new Set(['updated', 'deleted']))
})

interface Page {
  ids: string[]
  pagination: Record<string, unknown>
}
type Ask = (cursor: string | undefined) => Promise<Page>

const listPage = ({ services, pagination }: { services: { id: string }[]; pagination: Page['pagination'] }): Page => ({
  ids: services.map(({ id }) => id),
  pagination,
})
const feedPage = ({
  items,
  pagination,
}: {
  items: { data: { id: string } }[]
  pagination: Page['pagination']
}): Page => ({
  ids: items.map(({ data }) => data.id),
  pagination,
})

test.each<[string, Ask, Ask]>([
  [
    'usp_services_list',
    async (cursor) =>
      listPage((await server.rest('POST', '/services/list', { pagination: { limit: 2, cursor } })).body),
    async (cursor) => listPage(await structured('usp_services_list', { pagination: { limit: 2, cursor } })),
  ],
  [
    'usp_services_feed',
    async (cursor) =>
      feedPage((await server.rest('GET', `/services/feed?limit=2${cursor ? `&cursor=${cursor}` : ''}`)).body),
    async (cursor) => feedPage(await structured('usp_services_feed', { limit: 2, cursor })),
  ],
])('[PAG-026] %s walks by the same cursors to the same items on both bindings', async (_, overRest, overMcp) => {
  const pages: Page[] = []
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await overRest(cursor)
    expect(await overMcp(cursor)).toEqual(page)
    pages.push(page)
    more = page.pagination.has_more === true
    cursor = String(page.pagination.cursor)
  }
  const walked = pages.flatMap(({ ids }) => ids)
  expect(pages.length).toBeGreaterThan(2)
  expect(new Set(walked).size).toBe(walked.length)
  expect(pages.at(-1)?.pagination.cursor).toBeNull()
})
