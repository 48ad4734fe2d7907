import { beforeEach, expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { testServer } from '../support/server.ts'

let executed = 0
const probe = testOperation('probe', {
  effect: 'update',
  async handle() {
    executed++
    return {}
  },
})
const env = {
  USP_MODE: 'production',
  BASE_URL: 'https://book.example',
  DATABASE_URL: 'postgres://database.example/usp',
  USP_SECRET_KEY: 'x'.repeat(32),
  METRICS_TOKEN: 'what-prometheus-knows',
}
const definition = businessWith([service('svc_one', { name: 'Haircut' })])
const behindProxy = await testServer(definition, {
  env: { ...env, TRUST_PROXY: '10.0.0.0/8' },
  operations: [...operations, probe],
})
const alone = await testServer(definition, { env, operations: [...operations, probe] })

const PROXY = '10.0.0.5'
const json = { 'content-type': 'application/json' }
const tool = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'usp_probe' } })
beforeEach(() => {
  executed = 0
})

const calls: [method: 'GET' | 'POST', url: string, payload?: string][] = [
  ['GET', '/.well-known/usp'],
  ['GET', '/usp/v1/services/svc_one'],
  ['POST', '/usp/v1/services/list', '{}'],
  ['POST', '/usp/v1/probe', '{}'],
  ['POST', '/usp/v1/probe', 'a body that nobody parses'],
  ['POST', '/usp/mcp', tool],
  ['GET', '/services.jsonld'],
  ['GET', '/docs'],
  ['GET', '/nothing'],
]

const requestOf = ([method, url, payload]: (typeof calls)[number]) => ({
  method,
  url,
  headers: { ...(payload !== undefined && json), authorization: 'Bearer in-the-clear' },
  ...(payload !== undefined && { payload }),
})

test.each(calls)(
  '[TLS-001] [TLS-002] [TLS-003] in production %s %s in plaintext is refused with 400, unread',
  async (...call) => {
    for (const server of [alone, behindProxy]) {
      const { status, headers, body } = await server.raw(requestOf(call))
      expect([status, body.code]).toEqual([400, 'invalid_request'])
      expect(headers['content-type']).toMatch(/^application\/problem\+json/)
      expect(headers).not.toHaveProperty('location')
      expect(body.detail).toContain('https://book.example')
    }
    expect(executed).toBe(0)
  },
)

test('[PRO-006] in production a plaintext request for the profile gets none of it', async () => {
  const { status, body } = await alone.raw({ method: 'GET', url: '/.well-known/usp' })
  expect(status).toBe(400)
  expect(body).not.toHaveProperty('usp')
  expect(JSON.stringify(body)).not.toContain('Test Studio')
})

test.each([
  ['a trusted proxy says https', PROXY, 'https', 200],
  ['a trusted proxy says http', PROXY, 'http', 400],
  ['a trusted proxy says nothing', PROXY, undefined, 400],
  ['a trusted proxy says https of itself and http of its caller', PROXY, 'https, http', 400],
  ['anybody else says https', '198.51.100.4', 'https', 400],
])('[TLS-004] where %s (%s, X-Forwarded-Proto %s) the answer is %i', async (_, remoteAddress, proto, expected) => {
  const headers = proto === undefined ? {} : { 'x-forwarded-proto': proto }
  const options = { method: 'GET', url: '/usp/v1/services/svc_one', headers, remoteAddress } as const
  expect((await behindProxy.raw(options)).status).toBe(expected)
})

test('[TLS-004] without TRUST_PROXY nobody is believed', async () => {
  for (const remoteAddress of [PROXY, '127.0.0.1', '198.51.100.4']) {
    const headers = { 'x-forwarded-proto': 'https', forwarded: 'proto=https' }
    const { status } = await alone.raw({ method: 'GET', url: '/usp/v1/services/svc_one', headers, remoteAddress })
    expect(status).toBe(400)
  }
})

test.each(calls)('[TLS-012] the answer over https to %s %s asks to come back over https alone', async (...call) => {
  const { headers, ...request } = requestOf(call)
  const answer = await behindProxy.raw({
    ...request,
    headers: { ...headers, 'x-forwarded-proto': 'https' },
    remoteAddress: PROXY,
  })
  expect(Number(/max-age=(\d+)/.exec(answer.headers['strict-transport-security'] ?? '')?.[1])).toBeGreaterThan(0)
})

test.each(['/healthz', '/readyz', '/metrics'])('an orchestrator may ask %s without https', async (url) => {
  const headers = { authorization: `Bearer ${env.METRICS_TOKEN}` }
  expect((await alone.raw({ method: 'GET', url, headers })).status).toBe(200)
})
