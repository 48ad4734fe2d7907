import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Handle, testOperation } from '../support/operation.ts'
import { testServer } from '../support/server.ts'

let handle: Handle = async () => ({})
const probe = testOperation('probe', {
  output: { type: 'object', properties: { number: { type: 'integer' } } },
  handle: (context, prepared) => handle(context, prepared),
})
const server = await testServer(businessWith([service('svc_one')]), { operations: [...operations, probe] })

/** The reason phrase of HTTP says all, so the type of the problem has no address. */
const reasonPhrases: Record<string, string> = {
  not_found: 'Not Found',
  method_not_allowed: 'Method Not Allowed',
  content_too_large: 'Content Too Large',
  unsupported_media_type: 'Unsupported Media Type',
}

describe.each([
  [400, 'invalid_request', 'POST', '/services/lookup', '{}'],
  [400, 'invalid_request', 'POST', '/services/list', '{'],
  [404, 'service_not_found', 'GET', '/services/svc_none', undefined],
  [404, 'not_found', 'GET', '/nothing', undefined],
  [405, 'method_not_allowed', 'DELETE', '/services/feed', undefined],
  [413, 'content_too_large', 'POST', '/services/list', ' '.repeat(1024 * 1024 + 1)],
  [422, 'validation_error', 'POST', '/services/list', '{"query":1}'],
  [400, 'cursor_expired', 'GET', '/services/feed?cursor=made-up', undefined],
  [400, 'invalid_request', 'GET', '/services/%', undefined],
  [415, 'unsupported_media_type', 'POST', '/services/list', '{}', { 'content-type': 'text/plain' }],
] as const)('the problem %i %s of %s %s', async (expected, code, method, path, sent, headers = undefined) => {
  const { status, body } = await server.rest(method, path, sent, headers)

  test('[ERR-012] has type, title and the status of the answer', () => {
    expect([status, body.status]).toEqual([expected, expected])
    expect(body.title).toMatch(/^[A-Z]\w+/)
  })

  test('[ERR-013] [LIV-023] has a type that ends in its code in kebab case, or about:blank', () => {
    const phrase = reasonPhrases[code]
    const address = `https://usp-protocol.dev/errors/${code.replaceAll('_', '-')}`
    expect([body.type, body.title]).toEqual(phrase ? ['about:blank', phrase] : [address, body.title])
  })

  test('[ERR-014] has its code', () => {
    expect(body.code).toBe(code)
  })

  test('[ERR-016] tells in a sentence what happened this time', () => {
    expect(body.detail).toMatch(/^\S+ .+ .+\.$/)
    expect(body.detail).not.toBe(body.title)
  })
})

test('[ERR-016] the detail names what is not there', async () => {
  expect((await server.rest('GET', '/services/svc_none')).body.detail).toContain('svc_none')
})

const faulty = {
  query: 5,
  filters: { price: { min: 'cheap' } },
  context: { coordinates: { latitude: 91, longitude: 0 } },
  pagination: { limit: 0 },
}
const places = ['context.coordinates.latitude', 'filters.price.min', 'pagination.limit', 'query']

test('[ERR-015] a refusal of faulty input lists each fault with its field, on both bindings', async () => {
  const { body } = await server.rest('POST', '/services/list', faulty)
  const { error } = (await server.tool('usp_services_list', faulty)).body
  expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(places)
  for (const { message } of body.errors) expect(message).toMatch(/\S/)
  expect(error.data.errors).toEqual(body.errors)
})

test.each([
  ['lacks a member', 'POST', '/services/lookup', {}, 400, 'ids'],
  ['has too many ids', 'POST', '/services/lookup', { ids: Array.from({ length: 201 }, String) }, 422, 'ids'],
  ['holds a NUL character', 'POST', '/services/list', { filters: { type: '\0' } }, 422, 'filters.type'],
  ['has a faulty query', 'GET', '/services/feed?limit=ten', undefined, 422, 'limit'],
] as const)(
  '[ERR-015] input that %s is refused with the field named',
  async (_, method, path, sent, expected, field) => {
    const { status, body } = await server.rest(method, path, sent)
    expect(status).toBe(expected)
    expect(body.errors).toEqual([{ field, message: expect.stringMatching(/\S/) }])
  },
)

const causes: [cause: string, told: string, handle: Handle][] = [
  [
    'SQL that fails',
    'no_such_table',
    async ({ db }) => {
      await sql`select secret from no_such_table`.execute(db)
      return {}
    },
  ],
  [
    'a file that is missing',
    '/etc/usp/none.pem',
    () => Promise.reject(new Error("ENOENT: no such file or directory, open '/etc/usp/none.pem'")),
  ],
  ['something thrown that is no error', 'a bare string', () => Promise.reject('a bare string')],
  ['an answer against its schema', 'must be integer', async () => ({ number: 'seven' })],
]

test.each(causes)('[ERR-017] %s is told to the log alone, on both bindings', async (_, told, failing) => {
  handle = failing
  server.logged.length = 0
  const rest = await server.rest('POST', '/probe', {})
  const tool = await server.tool('usp_probe')
  expect(rest.status).toBe(500)
  expect(tool.body.error.code).toBe(-32603)
  for (const answer of [JSON.stringify(rest.body), JSON.stringify(tool.body)]) {
    expect(answer).not.toContain(told)
    expect(answer).not.toMatch(/select |node_modules|\.ts\b|\bat \w|Error:|pg|postgres/)
  }
  const causesLogged = server.logged.filter((line) => JSON.parse(line).level >= 50 && line.includes(told))
  expect(causesLogged).toHaveLength(2)
})

test.each([
  ['a missing resource', 'GET', '/services/svc_none', 'usp_services_get', { service_id: 'svc_none' }],
  ['an operation that there is none of', 'GET', '/services/feed/pages', 'usp_services_feed_pages', {}],
  ['an operation that is switched off', 'POST', '/registry/search_services', 'usp_registry_search_services', {}],
  ['a faulty member', 'POST', '/services/list', 'usp_services_list', { query: 1 }],
  ['a missing member', 'POST', '/services/lookup', 'usp_services_lookup', {}],
] as const)(
  '[LIV-022] %s is no error of the server, for a retry changes nothing',
  async (_, method, path, tool, input) => {
    const { status } = await server.rest(method, path, method === 'POST' ? input : undefined)
    expect(Math.floor(status / 100)).toBe(4)
    expect([-32600, -32602]).toContain((await server.tool(tool, input)).body.error.code)
  },
)

test.each([
  ['a service', '/services/svc_none', 'service_not_found'],
  ['a route', '/nothing', 'not_found'],
])('[ERR-071] [LIV-002] a 404 names what is missing: %s', async (_, path, code) => {
  const { status, body } = await server.rest('GET', path)
  expect([status, body.code]).toEqual([404, code])
})

test('[LIV-008] [LIV-015] a missing service is -32602 on MCP', async () => {
  const { error } = (await server.tool('usp_services_get', { service_id: 'svc_none' })).body
  expect([error.code, error.data.code]).toEqual([-32602, 'service_not_found'])
})
