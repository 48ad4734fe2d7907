import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { type Access, type Operation, restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { testPlatform } from '../support/platform.ts'
import { type Answer, START, testServer } from '../support/server.ts'

let executed = 0
const probe = testOperation('probe', {
  rest: 'DELETE /probes/{probe_id}',
  effect: 'remove',
  input: { type: 'object', properties: { probe_id: { type: 'string' } } },
  async handle() {
    executed++
    return {}
  },
})
const counted: Operation = { ...probe, id: 'counted', rest: 'POST /counted', tool: 'usp_counted' }

const server = await testServer(businessWith([service('svc_one')], { registry: { enabled: true } }), {
  operations: [...operations, probe, counted],
})
const json = { 'content-type': 'application/json' }
beforeEach(() => {
  executed = 0
})

test.each([
  ['truncated', '{"query":"mass'],
  ['with a trailing comma', '{"query":"massage",}'],
  ['of bare text', 'massage'],
  ['of two documents', '{}{}'],
  ['of white space', ' \n'],
  ['with a number that JSON lacks', '{"pagination":{"limit":NaN}}'],
])('[REST-010] a body %s is refused with 400 invalid_request', async (_, body) => {
  const { status, body: problem } = await server.rest('POST', '/services/list', body)
  expect([status, problem.code]).toEqual([400, 'invalid_request'])
})

test.each([
  ['a name in Latin-1', Buffer.from('{"query":"Ren\xe9"}', 'latin1')],
  ['half a surrogate pair', Buffer.from('{"query":"\xed\xa0\xbd"}', 'latin1')],
  ['a character cut short', Buffer.from('{"query":"\xe2\x82"}', 'latin1')],
])('a body with %s is refused with 400: it is not UTF-8', async (_, payload) => {
  const { status, body } = await server.raw({ method: 'POST', url: '/usp/v1/services/list', headers: json, payload })
  expect([status, body.code, body.detail]).toEqual([400, 'invalid_request', 'The body is not UTF-8.'])
})

test.each([
  ['without body and media type', {}, undefined],
  ['with a media type and no body', json, ''],
  ['with an empty object', json, '{}'],
])('[REST-011] an operation that requires a body, called %s, answers 400', async (_, headers, payload) => {
  const url = '/usp/v1/services/lookup'
  const { status, body } = await server.raw({ method: 'POST', url, headers, ...(payload !== undefined && { payload }) })
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'ids', message: 'is missing' }] })
})

const bodiless = operations.filter(
  (operation) =>
    restRouteOf(operation).method === 'POST' && operation.effect === 'read' && !operation.input.required?.length,
)

const platform = { 'usp-agent': `profile="${(await testPlatform()).url}"` }
const keys = {
  platform: (await addClient(server.runtime.db, 'Known platform', START)).key,
  business: await addStaff(server.runtime.db, 'Jo', 'owner', START),
}
const shown = (access: Access): Record<string, string> => {
  if (access === 'public') return {}
  const key = access === 'business_only' ? keys.business : keys.platform
  return { ...platform, authorization: `Bearer ${key}` }
}

test.each(bodiless.map((operation) => [restRouteOf(operation).path, shown(operation.access)] as const))(
  '[REST-018] [REST-019] %s needs no body, with or without a media type',
  async (path, own) => {
    const none = await server.rest('POST', path, undefined, own)
    const empty = await server.raw({ method: 'POST', url: `/usp/v1${path}`, headers: { ...json, ...own }, payload: '' })
    const object = await server.rest('POST', path, {}, own)
    // A search of the registry without a filter is read, and then refused.
    const expected = path.startsWith('/registry/search') ? 422 : 200
    expect([none.status, empty.status]).toEqual([expected, expected])
    const withoutInstance = ({ body: { instance: _, ...rest } }: Answer) => rest
    expect([none, empty].map(withoutInstance)).toEqual([object, object].map(withoutInstance))
  },
)

test('[REST-019] a DELETE that claims JSON and carries nothing is carried out', async () => {
  const { status } = await server.raw({ method: 'DELETE', url: '/usp/v1/probes/one', headers: json, payload: '' })
  expect([status, executed]).toEqual([200, 1])
})

test.each(['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON'])(
  '[REST-020] the media type %s is accepted like application/json',
  async (type) => {
    const { status, body } = await server.rest(
      'POST',
      '/services/lookup',
      { ids: ['svc_one'] },
      { 'content-type': type },
    )
    expect([status, body.services.length]).toEqual([200, 1])
  },
)

test.each([
  ['text/plain', '{}'],
  ['text/json', '{}'],
  ['application/x-www-form-urlencoded', 'query=massage'],
  ['multipart/form-data; boundary=x', '--x--'],
  ['application/jsonp', '{}'],
  ['nonsense', '{}'],
  ['', '{}'],
])('[REST-021] a body of type "%s" is refused with 415 and nothing is executed', async (type, payload) => {
  const headers = { 'content-type': type }
  const {
    status,
    headers: answered,
    body,
  } = await server.raw({ method: 'POST', url: '/usp/v1/counted', headers, payload })
  expect([status, body.code, executed]).toEqual([415, 'unsupported_media_type', 0])
  expect(answered['content-type']).toMatch(/^application\/problem\+json/)
})

test.each(['/usp/v1/counted', '/usp/mcp'])(
  '[REST-021] a compressed body at %s is refused with 415 and nothing is executed',
  async (url) => {
    const payload = gzipSync('{}')
    const { status, headers, body } = await server.raw({
      method: 'POST',
      url,
      payload,
      headers: { ...json, 'content-encoding': 'gzip' },
    })
    expect([status, body.code, executed]).toEqual([415, 'unsupported_media_type', 0])
    expect(headers['accept-encoding']).toBe('identity')
  },
)

test('a body above one mebibyte is refused with 413 and nothing is executed', async () => {
  const { status, body } = await server.rest('POST', '/counted', { text: 'x'.repeat(1024 * 1024) })
  expect([status, body.code, executed]).toEqual([413, 'content_too_large', 0])
})
