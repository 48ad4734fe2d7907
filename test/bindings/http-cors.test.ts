import { expect, test } from 'vitest'
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
  ['GET', '/usp/v1/services/%ED%A0%80', undefined],
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
