import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { testServer } from '../support/server.ts'

const failing = testOperation('failing', {
  async handle() {
    throw new Error('a fault of ours')
  },
})

const server = await testServer(businessWith([service('svc_one')]), { operations: [...operations, failing] })
const proxied = await testServer(businessWith([service('svc_one')]), { env: { TRUST_PROXY: '10.0.0.0/8' } })
const json = { 'content-type': 'application/json' }
const etag = (await server.rest('GET', '/services/svc_one')).headers.etag ?? ''
const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const preflight = { origin: 'https://agent.example', 'access-control-request-method': 'POST' }

/** One answer of every kind that the server gives. */
const answers: [kind: string, status: number, options: InjectOptions][] = [
  ['a read', 200, { method: 'GET', url: '/usp/v1/services/svc_one' }],
  ['a search', 200, { method: 'POST', url: '/usp/v1/services/list' }],
  ['a read known already', 304, { url: '/usp/v1/services/svc_one', headers: { 'if-none-match': etag } }],
  ['the head of a read', 200, { method: 'HEAD', url: '/usp/v1/services/svc_one' }],
  ['the profile', 200, { method: 'GET', url: '/.well-known/usp' }],
  ['a list of tools', 200, { method: 'POST', url: '/usp/mcp', headers: json, payload: listTools }],
  ['a tool call that is no JSON', 400, { method: 'POST', url: '/usp/mcp', headers: json, payload: '{' }],
  ['an unknown route', 404, { method: 'GET', url: '/nothing' }],
  ['an unknown service', 404, { method: 'GET', url: '/usp/v1/services/svc_none' }],
  ['a wrong method', 405, { method: 'DELETE', url: '/usp/v1/services/list' }],
  ['a body that is no JSON', 400, { method: 'POST', url: '/usp/v1/services/list', headers: json, payload: '{' }],
  ['a body of another type', 415, { method: 'POST', url: '/usp/v1/services/list', payload: 'x' }],
  ['a faulty member', 422, { method: 'POST', url: '/usp/v1/services/list', headers: json, payload: '[]' }],
  ['a fault of ours', 500, { method: 'POST', url: '/usp/v1/failing' }],
  ['a path not validly encoded', 400, { method: 'GET', url: '/usp/v1/services/%ED%A0%80' }],
  ['a preflight', 204, { method: 'OPTIONS', url: '/usp/v1/services/list', headers: preflight }],
  ['the health check', 200, { method: 'GET', url: '/healthz' }],
  ['the metrics', 200, { method: 'GET', url: '/metrics' }],
  ['a schema', 200, { method: 'GET', url: '/schemas/services/catalog.json' }],
  ['the documentation', 200, { method: 'GET', url: '/docs' }],
]

test.each(answers)('[TLS-011] %s (%i) tells browsers not to guess its type', async (_, status, options) => {
  const answer = await server.raw(options)
  expect(answer.status).toBe(status)
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
})

test.each(answers)('[TLS-018] %s (%i) names neither framework nor version', async (_, status, options) => {
  const answer = await server.raw(options)
  expect(answer.status).toBe(status)
  expect(answer.headers).not.toHaveProperty('x-powered-by')
  expect(answer.headers.server ?? '').not.toMatch(/fastify|node|\d/i)
})

test.each(answers)('%s (%i) carries a request id of its own', async (_, status, options) => {
  const ids = [await server.raw(options), await server.raw(options)].map((answer) => {
    expect(answer.status).toBe(status)
    return answer.headers['x-request-id']
  })
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)])
  expect(ids[0]).not.toBe(ids[1])
})

test('a request id that the caller sends is not taken over', async () => {
  const { headers } = await server.rest('GET', '/services/svc_one', undefined, { 'x-request-id': 'mine' })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test.each(['c5f0b7d4-7f0c-4f0e-9a6b-2f6f3d1f8a11', 'c5f0b7d47f0c4f0e9a6b2f6f3d1f8a11'])(
  'a request id that a trusted proxy sends is taken over: %s',
  async (id) => {
    const from = (remoteAddress: string, given: string) =>
      proxied.raw({ method: 'GET', url: '/nowhere', headers: { 'x-request-id': given }, remoteAddress })
    const { headers, body } = await from('10.0.0.1', id)
    expect(headers['x-request-id']).toBe(id)
    expect(body.instance).toBe('urn:uuid:c5f0b7d4-7f0c-4f0e-9a6b-2f6f3d1f8a11')
    const others = [
      await from('203.0.113.1', id),
      await from('10.0.0.1', `${id}0`),
      await from('10.0.0.1', 'not a UUID'),
    ]
    for (const other of others)
      expect(other.headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    for (const other of others) expect(other.headers['x-request-id']).not.toContain(id)
  },
)

test('a problem names the request it arose in', async () => {
  const { headers, body } = await server.rest('GET', '/services/svc_none')
  expect(body.instance).toBe(`urn:uuid:${headers['x-request-id']}`)
})

test('an answer of an operation may not be framed, and runs nothing when shown as a page', async () => {
  const { headers } = await server.rest('GET', '/services/svc_one')
  expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'")
  expect(headers['referrer-policy']).toBe('no-referrer')
})

test('answers ask browsers to come back over https alone', async () => {
  const { headers } = await server.rest('GET', '/services/svc_one')
  expect(Number(/max-age=(\d+)/.exec(headers['strict-transport-security'] ?? '')?.[1])).toBeGreaterThan(0)
})
