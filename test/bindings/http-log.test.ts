import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_one')]))
const json = { 'content-type': 'application/json' }

/** The line that the log keeps of the request. */
function lineOf(requestId: string | undefined) {
  const lines = server.logged.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId)
  expect(lines).toHaveLength(1)
  return lines[0]
}

test.each([
  ['a read', { method: 'GET', url: '/usp/v1/services/svc_one' }, 'getService', 200, undefined],
  ['a refusal', { method: 'GET', url: '/usp/v1/services/svc_none' }, 'getService', 404, 'service_not_found'],
  ['an unknown route', { method: 'GET', url: '/nothing' }, undefined, 404, 'not_found'],
  ['a page without an operation', { method: 'GET', url: '/docs/' }, undefined, 200, undefined],
  ['the profile', { method: 'GET', url: '/.well-known/usp' }, 'profile', 200, undefined],
] as const)(
  'the log line of %s tells operation or route, status and time taken, and nothing of its content',
  async (_, options, operation, status, refusal) => {
    const line = lineOf((await server.raw(options)).headers['x-request-id'])
    expect(line).toMatchObject({ method: 'GET', status, ms: expect.any(Number) })
    expect(line.operation).toBe(operation)
    const known = [
      'level',
      'time',
      'pid',
      'hostname',
      'reqId',
      'requestId',
      'method',
      'operation',
      'route',
      'status',
      'ms',
    ]
    expect(Object.keys(line).filter((member) => !known.includes(member))).toEqual(refusal ? ['refusal'] : [])
    expect(line.refusal).toBe(refusal)
  },
)

test('a request carries its route, with the names of parameters in the place of their values', async () => {
  const { headers } = await server.raw({ method: 'GET', url: '/usp/v1/services/svc_one' })
  expect(lineOf(headers['x-request-id']).route).toMatch(/^\/usp\/v1\/services\/:\w+$/)
})

test('a probe is logged at debug while it is answered with success', async () => {
  for (const url of ['/healthz', '/readyz']) {
    const { status, headers } = await server.raw({ method: 'GET', url })
    expect([status, lineOf(headers['x-request-id'])]).toMatchObject([200, { level: 20, route: url }])
  }
})

test('a probe that a stopping server refuses is logged at info', async () => {
  const app = await server.whole()
  app.isDraining = true
  const { statusCode, headers } = await app.inject({ method: 'GET', url: '/healthz' })
  expect([statusCode, lineOf(String(headers['x-request-id']))]).toMatchObject([503, { level: 30 }])
})

test('a tool call is logged under the name of its tool', async () => {
  const { headers } = await server.tool('usp_services_get', { service_id: 'svc_one' })
  expect(lineOf(headers['x-request-id'])).toMatchObject({ operation: 'usp_services_get', status: 200 })
})

test('[REST-027] a call without USP-Correlation-Id is answered and logged like one that has it', async () => {
  const { status, headers, body } = await server.rest('POST', '/services/list', {})
  expect(status).toBe(200)
  expect(headers).not.toHaveProperty('usp-correlation-id')
  expect(lineOf(headers['x-request-id'])).not.toHaveProperty('correlationId')
  const correlated = await server.rest('POST', '/services/list', {}, { 'usp-correlation-id': 'trip-4711' })
  expect([correlated.status, correlated.body]).toEqual([status, body])
})

test.each([
  ['a plain one', 'trip-4711', 'trip-4711'],
  ['one of exactly 128 characters', 'x'.repeat(128), 'x'.repeat(128)],
  ['a longer one, cut at 128 characters', 'y'.repeat(5_000), 'y'.repeat(128)],
  ['one with markup', '"><script>{jndi:x}', '"><script>{jndi:x}'],
  ['one with blanks and tabs, left out', 'a b\tc', 'abc'],
  ['one with characters beyond ASCII, left out', 'caf\u00e9\u0085-7', 'caf-7'],
])('[REST-028] a USP-Correlation-Id changes neither status nor body and is logged: %s', async (_, sent, told) => {
  const plain = await server.rest('GET', '/services/svc_one')
  const { status, headers, body } = await server.rest('GET', '/services/svc_one', undefined, {
    'usp-correlation-id': sent,
  })
  expect([status, body]).toEqual([plain.status, plain.body])
  expect(headers['usp-correlation-id']).toBe(told)
  expect(lineOf(headers['x-request-id']).correlationId).toBe(told)
})

test('[REST-028] [LIV-109] a refused call keeps its USP-Correlation-Id, on both bindings', async () => {
  const sent = { 'usp-correlation-id': 'trip-4712' }
  const refused = await server.rest('GET', '/services/svc_none', undefined, sent)
  const payload = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'usp_none' } }
  const tool = await server.raw({ method: 'POST', url: '/usp/mcp', headers: { ...json, ...sent }, payload })
  for (const { headers } of [refused, tool]) {
    expect(headers['usp-correlation-id']).toBe('trip-4712')
    expect(lineOf(headers['x-request-id']).correlationId).toBe('trip-4712')
  }
})

test.each([
  ['an unknown id', 'usp_services_get', { service_id: 'svc_none' }],
  ['a faulty member', 'usp_services_list', { query: 7 }],
  ['a call without a caller', 'usp_bookings_get', { booking_id: 'bkg_none' }],
])('[LIV-109] the error about %s repeats the correlation id of the tool call', async (_, tool, args) => {
  const usp = { correlation_id: 'trip-4713' }
  const { error } = (await server.tool(tool, { ...args, _meta: { usp } })).body
  const plain = (await server.tool(tool, args)).body.error
  expect(error.data._meta).toEqual({ usp })
  expect([error.code, error.message]).toEqual([plain.code, plain.message])
})

test('[LIV-108] a correlation id changes no answer of a tool, and may be empty', async () => {
  const plain = (await server.tool('usp_services_list')).body.result
  for (const correlation_id of ['trip-4714', '']) {
    const { _meta, ...result } = (await server.tool('usp_services_list', { _meta: { usp: { correlation_id } } })).body
      .result
    expect(result).toEqual(plain)
    expect(_meta).toEqual(correlation_id === '' ? undefined : { usp: { correlation_id } })
  }
})

const call = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })
const list = (headers: Record<string, string>): InjectOptions => ({
  method: 'POST',
  url: '/usp/v1/services/list',
  headers,
})
const mcp = (payload: string, headers = {}): InjectOptions => ({
  method: 'POST',
  url: '/usp/mcp',
  headers: { ...json, ...headers },
  payload,
})

test.each<[what: string, request: (secret: string) => InjectOptions]>([
  ['the body of a call', (secret) => ({ ...list(json), payload: JSON.stringify({ query: secret }) })],
  ['a body that is refused', (secret) => ({ ...list(json), payload: JSON.stringify({ filters: secret }) })],
  ['a body that is no JSON', (secret) => ({ ...list(json), payload: `{"${secret}` })],
  ['a body of another type', (secret) => ({ ...list({ 'content-type': 'text/plain' }), payload: secret })],
  ['the query of an address', (secret) => ({ url: `/usp/v1/services/feed?location_id=${secret}` })],
  ['a faulty query', (secret) => ({ url: `/usp/v1/services/feed?limit=${secret}` })],
  ['the query of an unknown route', (secret) => ({ url: `/nothing?token=${secret}` })],
  ['a path not validly encoded', (secret) => ({ url: `/usp/v1/services/${secret}%` })],
  ['Authorization', (secret) => list({ authorization: `Bearer ${secret}` })],
  ['USP-Agent', (secret) => list({ 'usp-agent': `profile="https://${secret}.example"` })],
  ['DPoP and Signature', (secret) => list({ dpop: secret, signature: secret, 'signature-input': secret })],
  ['Cookie, Referer and User-Agent', (secret) => list({ cookie: secret, referer: secret, 'user-agent': secret })],
  ['an unknown Content-Type', (secret) => ({ ...list({ 'content-type': secret }), payload: '{}' })],
  ['the arguments of a tool', (secret) => mcp(call({ name: 'usp_services_list', arguments: { query: secret } }))],
  ['faulty arguments', (secret) => mcp(call({ name: 'usp_services_list', arguments: { filters: secret } }))],
  ['the _meta of a tool', (secret) => mcp(call({ name: 'usp_services_list', arguments: { _meta: { usp: secret } } }))],
  ['an unknown tool', (secret) => mcp(call({ name: `usp_${secret}` }))],
  ['a message that is no JSON-RPC', (secret) => mcp(JSON.stringify({ method: secret }))],
  ['Mcp-Protocol-Version', (secret) => mcp(call({ name: 'usp_services_list' }), { 'mcp-protocol-version': secret })],
])('the log, however verbose, holds nothing of %s', async (_, request) => {
  const secret = 'zebracrossing'
  const lines = server.logged.length
  await server.raw(request(secret))
  const added = server.logged.slice(lines)
  expect(added).not.toEqual([])
  expect(added.join('')).not.toContain(secret)
})
