import { expect, test } from 'vitest'
import type { Operation } from '../../src/protocol/define-operation.ts'
import { BusinessRefusal } from '../../src/protocol/errors.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { testServer } from '../support/server.ts'

const create = testOperation('create', {
  rest: 'POST /things',
  tool: 'usp_things_create',
  effect: 'create',
  output: { type: 'object', required: ['thing'], properties: { thing: { type: 'object' } } },
  summary: () => 'Created.',
  handle: async () => ({ thing: { id: 'one', of_its_own: { deep: [1] } } }),
})
const refuse: Operation = {
  ...create,
  id: 'refuse',
  rest: 'POST /refused',
  tool: 'usp_refuse',
  async handle() {
    throw new BusinessRefusal('slot_unavailable', 'Somebody was faster.')
  },
}
const fail: Operation = {
  ...create,
  id: 'fail',
  rest: 'POST /failing',
  tool: 'usp_fail',
  async handle() {
    throw new Error('a fault of ours')
  },
}

const metadata = { 'x-studio': { seats: [1, null, { deep: true }], empty: {} }, __private: '' }
const server = await testServer(businessWith([service('svc_one', { metadata })]), {
  operations: [...operations, create, refuse, fail],
})

const successes = [
  ['POST', '/services/list', {}],
  ['GET', '/services/svc_one', undefined],
  ['POST', '/services/lookup', { ids: ['svc_one', 'svc_unknown'] }],
  ['GET', '/services/feed', undefined],
  ['POST', '/things', {}],
  ['POST', '/refused', {}],
] as const

test.each(successes)(
  '[REST-007] [REST-009] %s %s answers one JSON object with usp.version',
  async (method, path, body) => {
    const { status, headers, body: answer } = await server.rest(method, path, body)
    expect(status).toBe(path === '/things' ? 201 : 200)
    expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/)
    expect(answer).toEqual(expect.objectContaining({ usp: expect.objectContaining({ version: '2026-08-20' }) }))
  },
)

test('[REST-006] a creation that the business refuses answers 200 with messages and without the thing', async () => {
  const { status, body } = await server.rest('POST', '/refused', {})
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['messages', 'usp'])
  expect(body.messages).toEqual([expect.objectContaining({ type: 'error', code: 'slot_unavailable' })])
})

test.each([
  [400, 'POST', '/usp/v1/services/list', '{'],
  [404, 'GET', '/usp/v1/services/svc_unknown', undefined],
  [404, 'GET', '/usp/v1/nothing', undefined],
  [405, 'PUT', '/usp/v1/services/list', '{}'],
  [413, 'POST', '/usp/v1/services/list', ' '.repeat(1024 * 1024 + 1)],
  [422, 'POST', '/usp/v1/services/list', '[]'],
  [500, 'POST', '/usp/v1/failing', '{}'],
  [404, 'GET', '/.well-known/usp-2020-01-01', undefined],
  [400, 'GET', '/usp/v1/services/%', undefined],
] as const)('[REST-008] the %i of %s %s is a problem document', async (expected, method, url, payload) => {
  const headers = payload === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await server.raw({ method, url, headers, ...(payload !== undefined && { payload }) })
  expect(answer.status).toBe(expected)
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(answer.body.status).toBe(expected)
})

test('[REST-008] an OPTIONS request that is no preflight is not refused in plain text', async () => {
  const { headers } = await server.raw({ method: 'OPTIONS', url: '/usp/v1/services/list' })
  expect(headers['content-type'] ?? '').not.toContain('text/plain')
})

test.each(['text/html', 'application/xml;q=1, application/json;q=0', 'image/*', '*/*', '', '%%%'])(
  '[REST-022] with Accept "%s" the answer is JSON all the same, and so is a refusal',
  async (accept) => {
    const read = await server.rest('GET', '/services/svc_one', undefined, { accept })
    expect([read.status, read.body.service.id]).toEqual([200, 'svc_one'])
    const refused = await server.rest('GET', '/services/svc_unknown', undefined, { accept })
    expect([refused.status, refused.body.code]).toEqual([404, 'service_not_found'])
  },
)

test('[REST-032] members of open objects reach the caller, the same on both bindings', async () => {
  const rest = (await server.rest('GET', '/services/svc_one')).body
  const tool = (await server.tool('usp_services_get', { service_id: 'svc_one' })).body.result.structuredContent
  expect(rest.service.metadata).toEqual(metadata)
  expect(tool).toEqual(rest)
})

test('[REST-032] what an operation computes beyond its schema is not dropped', async () => {
  const rest = (await server.rest('POST', '/things', {})).body
  const tool = (await server.tool('usp_things_create')).body.result.structuredContent
  expect(rest.thing).toEqual({ id: 'one', of_its_own: { deep: [1] } })
  expect(tool).toEqual(rest)
})

const anonymous = [
  ['POST', '/services/list', 'usp_services_list', {}],
  ['GET', '/services/svc_one', 'usp_services_get', { service_id: 'svc_one' }],
  ['POST', '/services/lookup', 'usp_services_lookup', { ids: ['svc_one'] }],
  ['GET', '/services/feed', 'usp_services_feed', {}],
] as const

test.each(anonymous)(
  '[PRO-042] [PRO-088] %s %s is answered to the nameless, with the version and capability of the business',
  async (method, path, tool, input) => {
    const { status, body } = await server.rest(method, path, method === 'POST' ? input : undefined)
    const { result } = (await server.tool(tool, input)).body
    expect(status).toBe(200)
    for (const { usp } of [body, result.structuredContent])
      expect(usp).toEqual({
        version: '2026-08-20',
        capabilities: { 'dev.usp-protocol.services.catalog': [{ version: '2026-08-20' }] },
      })
  },
)

test.each([
  ['/services/list', { wish: 1, filters: { colour: 'red' }, context: { mood: 'good' }, pagination: { unit: 'page' } }],
  ['/services/lookup', { ids: ['svc_one'], wish: null }],
])('[PRO-096] members of %s that nobody knows are no ground to refuse', async (path, input) => {
  const { status, body } = await server.rest('POST', path, input)
  expect([status, body.services.length]).toEqual([200, 1])
})
