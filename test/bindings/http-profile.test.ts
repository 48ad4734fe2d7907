import { describe, expect, test } from 'vitest'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { operations } from '../../src/server/all-operations.ts'
import { placesRefused } from '../definition/reading.ts'
import { businessWith, service, services } from '../support/definitions.ts'
import { sampleOf } from '../support/samples.ts'
import { type Answer, testServer } from '../support/server.ts'

const SERVICES = 'dev.usp-protocol.services'
const CATALOG = 'dev.usp-protocol.services.catalog'
const definition: BusinessDefinition = businessWith(services(210), {
  supported_versions: {
    '2026-01-11': { usp: { version: '2026-01-11' } },
    '2025-09-01': { usp: { version: '2025-09-01' } },
  },
})
const server = await testServer(
  { ...definition, registry: { enabled: true } },
  { env: { BASE_URL: 'https://book.example' } },
)

const answer = await server.rest('GET', '/.well-known/usp')
const profile = answer.body
const bindings: Record<string, string>[] = profile.usp.services[SERVICES]

test('[PRO-001] anybody may read the profile, and it fits the published schema', () => {
  expect(answer.status).toBe(200)
  expect(profile).toHaveProperty('usp')
})

test('[PRO-002] it is JSON', () => {
  expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/)
})

test('[PRO-003] [PRO-004] anybody may keep it, for a minute at least', () => {
  const directives = (answer.headers['cache-control'] ?? '').split(/\s*,\s*/)
  expect(directives).toContain('public')
  expect(Number(directives.find((one) => one.startsWith('max-age='))?.slice(8))).toBeGreaterThanOrEqual(60)
  for (const never of ['no-store', 'no-cache', 'private']) expect(directives).not.toContain(never)
})

test.each([
  ['development', {}],
  [
    'production',
    {
      USP_MODE: 'production',
      BASE_URL: 'https://book.example',
      DATABASE_URL: 'postgres://database.example/usp',
      USP_SECRET_KEY: 'x'.repeat(32),
    },
  ],
])('[PRO-005] in %s no request for it is redirected', async (_, env) => {
  const { raw } = await testServer(definition, { env })
  for (const url of ['/.well-known/usp', '/.well-known/usp/', '/.well-known//usp', '/.well-known/usp?version=1'])
    for (const method of ['GET', 'HEAD', 'POST'] as const)
      for (const headers of [
        {},
        { 'x-forwarded-proto': 'http' },
        { host: 'www.book.example' },
        { accept: 'text/html' },
      ]) {
        const { status, headers: answered } = await raw({ method, url, headers })
        expect({ url, method, redirected: status >= 300 && status < 400 }).toEqual({ url, method, redirected: false })
        expect(answered).not.toHaveProperty('location')
      }
})

test.each([
  { 'usp-agent': 'profile="' },
  { 'usp-agent': 'nonsense' },
  { 'usp-agent': 'profile="http://169.254.169.254/"' },
  { authorization: 'Bearer wrong' },
  { authorization: 'nonsense' },
  { dpop: 'a.b.c' },
  { signature: 'sig1=:AA==:', 'signature-input': 'sig1=()' },
])('[PRO-007] %j makes no difference to it', async (headers) => {
  const { status, body } = await server.rest('GET', '/.well-known/usp', undefined, headers as Record<string, string>)
  expect([status, body]).toEqual([200, profile])
})

describe('[PRO-012] the endpoints lead to this server:', () => {
  const pathOf = (transport: string) =>
    new URL(bindings.find((binding) => binding.transport === transport)?.endpoint ?? '').pathname

  /** The sample names a registration and a service that do not exist. */
  const unknownIds: Record<string, [number, string]> = {
    getRegistration: [404, 'registration_not_found'],
    queryAvailability: [422, 'validation_error'],
    explainAvailability: [422, 'validation_error'],
  }

  test.each(operations.map((operation) => [operation.id, operation] as const))('%s over REST', async (_, operation) => {
    const { method, path, inBody } = restRouteOf(operation)
    const url = pathOf('rest') + path.replace(/\{\w+\}/, 'svc_000')
    const headers = { 'content-type': 'application/json' }
    const payload = inBody ? { headers, payload: sampleOf(operation) } : {}
    const { status, body } = await server.raw({ method, url, ...payload })
    const known = unknownIds[operation.id] ?? [200, undefined]
    expect([status, body.code]).toEqual(operation.access === 'public' ? known : [401, 'authentication_required'])
  })

  test('tools over MCP', async () => {
    const payload = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'usp_services_list' } }
    const { body } = await server.raw({ method: 'POST', url: pathOf('mcp'), payload })
    expect(body.result.structuredContent.services).toHaveLength(20)
  })
})

test.each([true, false])('[PRO-018] it tells whether free text is searched (%s)', async (search) => {
  const own = await testServer({ ...businessWith([service('svc_one')]), catalogue: { search } })
  expect((await own.rest('GET', '/.well-known/usp')).body.usp.capabilities[CATALOG][0].search).toBe(search)
  const { body } = await own.rest('POST', '/services/list', { query: 'nothing like it' })
  expect(body.services).toHaveLength(search ? 0 : 1)
})

test('[PRO-020] the most ids of a lookup are stated, and hold', async () => {
  const most: number = profile.usp.capabilities[CATALOG][0].max_lookup_ids
  const lookup = (count: number): Promise<Answer> =>
    server.rest('POST', '/services/lookup', { ids: services(count).map(({ id }) => id) })
  expect((await lookup(most)).body.services).toHaveLength(most)
  expect((await lookup(most + 1)).status).toBe(422)
})

test('[PRO-021] usual and largest pages are stated, and hold', async () => {
  const { services: list, feed } = profile.usp.capabilities[CATALOG][0].page_size
  const listed = async (pagination?: object) =>
    (await server.rest('POST', '/services/list', { pagination })).body.services.length
  const fed = async (query: string) => (await server.rest('GET', `/services/feed${query}`)).body.items.length
  expect([await listed(), await listed({ limit: 1000 })]).toEqual([list.usual, list.most])
  expect([await fed(''), await fed('?limit=1000')]).toEqual([feed.usual, feed.most])
})

test('[PRO-038] older versions stand at addresses of this server, each with a profile of its version', async () => {
  const older: [string, string][] = Object.entries(profile.usp.supported_versions)
  expect(older.map(([version]) => version).sort()).toEqual(['2025-09-01', '2026-01-11'])
  for (const [version, address] of older) {
    expect(new URL(address).origin).toBe('https://book.example')
    const { status, headers, body } = await server.raw({ method: 'GET', url: new URL(address).pathname })
    expect([status, body.usp.version]).toEqual([200, version])
    expect(headers['content-type']).toMatch(/^application\/json/)
  }
})

test.each(['2026-08-20', '2020-01-01', 'latest'])('no older profile is served as version %s', async (version) => {
  expect((await server.raw({ method: 'GET', url: `/.well-known/usp-${version}` })).status).toBe(404)
})

test('[PRO-038] a version that is not older is refused, and without older ones none is named', async () => {
  const alone = businessWith([service('svc_one')])
  const wrong = { '2026-08-20': { usp: { version: '2026-08-20' } } }
  expect(placesRefused({ ...alone, supported_versions: wrong })).toEqual(['supported_versions.2026-08-20'])
  const { body } = await (await testServer(alone)).rest('GET', '/.well-known/usp')
  expect(body.usp).not.toHaveProperty('supported_versions')
})

test('before a business is set up the profile is 503, to be asked for again', async () => {
  const { status, headers, body } = await (await testServer()).rest('GET', '/.well-known/usp')
  expect([status, body.code]).toEqual([503, 'service_unavailable'])
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
  expect(headers['cache-control']).toBe('no-store')
})
