import { afterEach, describe, expect, test } from 'vitest'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { sampling } from '../support/case-sampling.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const sampled = sampling()
const server = await testServer(
  businessWith([service('svc_one')], {
    supported_versions: { '2026-01-11': { usp: { version: '2026-01-11' } } },
    registry: { enabled: true },
  }),
)

afterEach(() => {
  expect(Object.prototype).not.toHaveProperty('polluted')
  expect(server.logged.splice(0).filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})

const addresses = [
  ['a NUL character', '%00'],
  ['a lone surrogate', '%ED%A0%80'],
  ['an overlong encoding', '%C0%80'],
  ['bytes that are no UTF-8', '%FF%FE'],
  ['half an escape', '%'],
  ['an escape that is none', '%zz'],
  ['a line break', '%0d%0aSet-Cookie:x=1'],
  ['a way up', '%2e%2e%2f%2e%2e%2fpackage.json'],
  ['513 characters', 'x'.repeat(513)],
  ['100,000 characters', 'x'.repeat(100_000)],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
  ['toString', 'toString'],
  ['a huge number', '1e400'],
  ['many digits', '9'.repeat(400)],
  ['an emoji', '%F0%9F%92%87'],
]

describe.each([
  '/§',
  '/usp/v1/§',
  '/usp/v1/services/§',
  '/usp/v1/services/feed?cursor=§',
  '/usp/v1/services/feed?limit=§',
  '/usp/v1/services/feed?location_id=§',
  '/usp/v1/services/feed?§=1&§=2',
  '/usp/v1/services/feed?__proto__[polluted]=§',
  '/usp/mcp?§',
  '/.well-known/usp-§',
  '/.well-known/usp?§',
  '/schemas/§',
  '/docs/api/§',
  '/docs/api/static/§',
])('[ERR-077] %s withstands', (template) => {
  test.each(sampled(addresses))('%s', async (_, text) => {
    for (const method of ['GET', 'HEAD', 'POST'] as const) {
      const { status } = await server.raw({ method, url: template.replaceAll('§', text) })
      expect({ method, failed: status >= 500 }).toEqual({ method, failed: false })
    }
  })
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'no profile of a version that is called %s is served',
  async (version) => {
    expect((await server.raw({ method: 'GET', url: `/.well-known/usp-${version}` })).status).toBe(404)
  },
)

const urls = [
  ...new Set(operations.map((operation) => `/usp/v1${restRouteOf(operation).path.replace(/\{\w+\}/g, 'svc_one')}`)),
  '/usp/mcp',
  '/.well-known/usp',
  '/services.jsonld',
  '/schemas/services/catalog.json',
  '/docs',
  '/docs/api/static/swagger-ui.css',
  '/healthz',
]

test.each(urls)('[ERR-077] %s answers every method without failing', async (url) => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const { status } = await server.raw({ method, url })
    expect({ method, failed: status >= 500 }).toEqual({ method, failed: false })
  }
})

const oddHeaders: Record<string, string>[] = [
  { 'content-type': ';;;' },
  { 'content-type': `application/json; ${'x'.repeat(10_000)}` },
  { accept: ',;q=a' },
  { 'if-none-match': '"' },
  { 'if-none-match': ','.repeat(50_000) },
  { 'if-match': '"other"' },
  { 'if-modified-since': 'yesterday' },
  { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { range: 'bytes=99999999-' },
  { range: 'bytes=a-b,,' },
  { host: 'not a host' },
  { origin: 'not an origin' },
  { 'usp-agent': 'profile="' },
  { 'usp-correlation-id': '\u00ff'.repeat(1_000) },
  { 'mcp-protocol-version': 'nonsense' },
  { 'mcp-session-id': 'nonsense', 'last-event-id': 'nonsense' },
  { authorization: 'Bearer' },
  { dpop: 'a.b.c', signature: '((', 'signature-input': '((' },
]

describe.each(urls)('[ERR-077] %s withstands the headers', (url) => {
  test.each(sampled(oddHeaders))('%j', async (headers) => {
    for (const method of ['GET', 'POST'] as const) {
      const payload = method === 'POST' ? { payload: '{}' } : {}
      const { status } = await server.raw({
        method,
        url,
        headers: { 'content-type': 'application/json', ...headers },
        ...payload,
      })
      expect({ method, failed: status >= 500 }).toEqual({ method, failed: false })
    }
  })
})

const message = (rest: string) => `{"jsonrpc":"2.0","id":7,${rest}}`

test.each([
  '',
  'null',
  '[]',
  '[1,null]',
  '{}',
  '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":1e400,"method":"tools/list"}',
  message('"method":5'),
  message('"method":"\\u0000\\ud800"'),
  message('"method":"__proto__"'),
  message('"method":"tools/list","params":5'),
  message('"method":"tools/list","params":{"cursor":5}'),
  message('"method":"initialize","params":{}'),
  message('"method":"initialize","params":{"protocolVersion":5,"capabilities":[],"clientInfo":null}'),
  message('"method":"tools/call"'),
  message('"method":"tools/call","params":{"name":{}}'),
  message('"method":"tools/call","params":{"name":{"toString":null}}'),
  message('"method":"tools/call","params":{"name":"usp_services_list","arguments":{"toString":null}}'),
  message('"method":"tools/call","params":{"name":"constructor"}'),
  message('"method":"tools/call","params":{"name":"usp_services_list","arguments":[]}'),
  message('"method":"tools/call","params":{"name":"usp_services_list","arguments":{"_meta":5}}'),
  message('"method":"tools/call","params":{"name":"usp_services_list","arguments":{"_meta":{"usp":{"__proto__":1}}}}'),
  message('"method":"tools/call","params":{"name":"usp_services_list","_meta":{"progressToken":{}}}'),
  message('"result":{}'),
])('[ERR-077] the MCP endpoint withstands the message %s', async (payload) => {
  const headers = { 'content-type': 'application/json' }
  const { status, body } = await server.raw({ method: 'POST', url: '/usp/mcp', headers, payload })
  expect(status).toBeLessThan(500)
  expect(body.error?.code).not.toBe(-32603)
})
