import { expect, test } from 'vitest'
import { makeMetrics } from '../../src/infra/telemetry/metrics.ts'
import { buildApp, type HttpInterface, interfacesOf } from '../../src/server/build-http-app.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_one')]))
const origin = 'https://agent.example'
const json = { 'content-type': 'application/json' }
const mcp = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

const calls = [
  ['GET', '/.well-known/usp', undefined],
  ['GET', '/usp/v1/services/svc_one', undefined],
  ['GET', '/usp/v1/services/feed', undefined],
  ['POST', '/usp/v1/services/list', '{}'],
  ['POST', '/usp/v1/services/lookup', '{"ids":["svc_one"]}'],
  ['POST', '/usp/mcp', mcp],
  ['GET', '/usp/v1/services/svc_none', undefined],
] as const

const names = (list: string | undefined) => (list ?? '').toLowerCase().split(/\s*,\s*/)

test.each(calls)('[TLS-013] a page of another origin may read the answer to %s %s', async (method, url, payload) => {
  const headers = { origin, ...(payload !== undefined && json) }
  const answer = await server.raw({ method, url, headers, ...(payload !== undefined && { payload }) })
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
})

test.each([
  ['POST', '/usp/v1/services/list'],
  ['POST', '/usp/v1/bookings'],
  ['PUT', '/usp/v1/bookings/bk_one'],
  ['DELETE', '/usp/v1/registry/businesses/biz_one'],
  ['POST', '/usp/mcp'],
])('[TLS-014] the preflight for %s %s allows what privileged calls send', async (method, url) => {
  const wanted = [
    'Authorization',
    'DPoP',
    'USP-Agent',
    'Idempotency-Key',
    'If-Match',
    'Content-Type',
    'Content-Digest',
    'Signature',
    'Signature-Input',
    'traceparent',
    'tracestate',
  ]
  const asked = { 'access-control-request-method': method, 'access-control-request-headers': wanted.join(',') }
  const { status, headers } = await server.raw({ method: 'OPTIONS', url, headers: { origin, ...asked } })
  expect(status).toBe(204)
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(names(headers['access-control-allow-methods'])).toContain(method.toLowerCase())
  expect(names(headers['access-control-allow-headers'])).toEqual(
    expect.arrayContaining(wanted.map((name) => name.toLowerCase())),
  )
})

test.each(calls)(
  '[TLS-015] a page may read the telling headers of the answer to %s %s',
  async (method, url, payload) => {
    const headers = { origin, ...(payload !== undefined && json) }
    const answer = await server.raw({ method, url, headers, ...(payload !== undefined && { payload }) })
    const sent = Object.keys(answer.headers).filter((name) => name.startsWith('ratelimit'))
    expect(names(answer.headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining([
        ...sent,
        'retry-after',
        'www-authenticate',
        'dpop-nonce',
        'idempotency-replayed',
        'ratelimit',
        'ratelimit-limit',
        'ratelimit-policy',
        'ratelimit-remaining',
        'ratelimit-reset',
      ]),
    )
  },
)

test.each([
  ['another origin', { origin }],
  ['no origin', {}],
  ['the origin null', { origin: 'null' }],
  ['a cookie', { origin, cookie: 'session=1' }],
])('[TLS-016] credentials are never allowed along with every origin: %s', async (_, headers) => {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  const url = '/usp/v1/services/list'
  for (const answer of [
    await server.raw({ method: 'OPTIONS', url, headers: { ...headers, ...asked } }),
    await server.raw({ method: 'POST', url, headers }),
  ])
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
})

/** What pages of other origins may read: what platforms and assistants call, and what describes it. */
const SHARED = [
  /^\/u[sc]p\/v1\//,
  /^\/(u[sc]p\/)?mcp$/,
  /^\/\.well-known\//,
  /^\/schemas\/\*$/,
  /^\/services\.jsonld$/,
  /^\/embed\.js$/,
  /^\/(llms\.txt|mcp\/server\.json)$/,
  /^(\/u[sc]p)?\/mcp\/server-card$/,
  /^\/oauth\/(token|revoke|register|jwks)$/,
]

test('[CORS is opt-in] no other route has it', async () => {
  const shared = new Set<string>()
  const noting = Object.entries(interfacesOf(server.runtime)).map(([name, door]): [string, HttpInterface] => [
    name,
    (scope) => {
      scope.addHook('onRoute', ({ url, config }) => void (config?.cors && shared.add(url)))
      return door(scope)
    },
  ])
  const app = await buildApp({ ...server.runtime, metrics: makeMetrics() }, Object.fromEntries(noting))
  await app.ready()
  await app.close()
  expect(shared).toContain('/usp/mcp')
  expect([...shared].filter((url) => !SHARED.some((path) => path.test(url)))).toEqual([])
})

test.each(['/metrics', '/healthz', '/readyz', '/docs', '/desk', '/my', '/book', '/mails', '/assets/pages.js', '/none'])(
  '[CORS is opt-in] a page of another origin reads no answer of %s',
  async (url) => {
    const asked = { origin, 'access-control-request-method': 'GET' }
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      const { headers } = await server.raw({ method, url, headers: asked })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  },
)

test.each(['/usp/v1/services/list', '/usp/mcp', '/.well-known/usp'])(
  '[CORS is opt-in] %s is readable also where it refuses the method',
  async (url) => {
    const { status, headers } = await server.raw({ method: 'DELETE', url, headers: { origin } })
    expect([status, headers['access-control-allow-origin']]).toEqual([405, '*'])
  },
)
