import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isOptional } from '../../src/protocol/capabilities.ts'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { isInProtocol } from '../support/published-tools.ts'
import { sampleOf } from '../support/samples.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_haircut')], { registry: { enabled: true } }), {
  operations: [
    ...operations,
    testOperation('change', { effect: 'update' }),
    testOperation('remove', { effect: 'remove' }),
  ],
})

test('[REST-002] the profile stands at the origin, outside the base path of the operations', async () => {
  expect((await server.rest('GET', '/.well-known/usp')).status).toBe(200)
  expect((await server.raw({ method: 'GET', url: '/usp/v1/.well-known/usp' })).status).toBe(404)
})

const ofTheProtocol = operations.filter(isInProtocol)

test('[REST-001] [LIV-104] all 31 operations of the protocol are there', () => {
  expect(ofTheProtocol).toHaveLength(31)
})

test.each(ofTheProtocol)('[REST-001] $rest answers to a well-formed call', async (operation) => {
  const { method, path, parameters, inBody } = restRouteOf(operation)
  const sample = sampleOf(operation)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(sample[name]))
  const body = Object.fromEntries(Object.entries(sample).filter(([name]) => !parameters.includes(name)))
  const { status, body: told } = await server.rest(method, filled, inBody ? body : undefined)
  expect(status).not.toBe(405)
  expect([status, told.code]).not.toEqual([404, 'not_found'])
})

test.each([
  ['a search', 'POST', '/services/list', {}],
  ['a read', 'GET', '/services/svc_haircut', undefined],
  ['a lookup', 'POST', '/services/lookup', { ids: ['svc_haircut'] }],
  ['the feed', 'GET', '/services/feed', undefined],
  ['an update', 'POST', '/change', {}],
  ['a removal', 'POST', '/remove', {}],
] as const)('[REST-004] %s answers 200', async (_, method, path, body) => {
  expect((await server.rest(method, path, body)).status).toBe(200)
})

test.each([
  '/services/list',
  '/usp/v1',
  '/usp/v1/',
  '/usp/v1/services',
  '/usp/v1/services/list/',
  '/usp/v1/services/svc_haircut/more',
  '/usp/v2/services/list',
])('[REST-023] [LIV-002] [LIV-023] nothing owns %s, so it answers 404 whatever the method', async (url) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const { status, headers, body } = await server.raw({ method, url })
    expect({ method, status, code: body.code }).toEqual({ method, status: 404, code: 'not_found' })
    expect([body.type, body.title]).toEqual(['about:blank', 'Not Found'])
    expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  }
})

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const pathsOfOperations = [...Map.groupBy(operations, (operation) => restRouteOf(operation).path)]
const allowedByPath = [
  ['/.well-known/usp', ['GET', 'HEAD']],
  ...pathsOfOperations.map(([path, owners]) => {
    const own: string[] = owners.map((owner) => restRouteOf(owner).method)
    return [`/usp/v1${path.replace(/\{\w+\}/g, 'any')}`, own.includes('GET') ? [...own, 'HEAD'] : own] as const
  }),
] as const

test.each(allowedByPath)(
  '[REST-024] [REST-025] [LIV-019] %s answers 405 to all but %j and names those in Allow',
  async (url, allowed) => {
    for (const method of methods.filter((one) => !allowed.some((known) => known === one))) {
      const { status, headers, body } = await server.raw({ method, url })
      expect({ method, status }).toEqual({ method, status: 405 })
      expect(headers['content-type']).toMatch(/^application\/problem\+json/)
      expect(headers.allow?.split(', ').sort()).toEqual([...allowed].sort())
      const problem = { type: 'about:blank', title: 'Method Not Allowed', status: 405, code: 'method_not_allowed' }
      if (method !== 'HEAD') expect(body).toMatchObject(problem)
    }
  },
)

test.each([
  ['GET', '/services/list', ['POST']],
  ['GET', '/services/lookup', ['POST']],
  ['POST', '/services/feed', ['GET', 'HEAD']],
] as const)('[LIV-020] [LIV-022] %s %s is no read of a service: 405', async (method, path, allowed) => {
  const { status, headers, body } = await server.raw({ method, url: `/usp/v1${path}` })
  expect([status, body.type, body.title]).toEqual([405, 'about:blank', 'Method Not Allowed'])
  expect(headers.allow?.split(', ').sort()).toEqual([...allowed].sort())
})

const modes = ['standalone', 'ucp_native'] as const

test('[LIV-021] no setting of a business turns the catalogue feed off, so no deployment has to answer 501', () => {
  const schema = readFileSync('schemas/business-definition.json', 'utf8')
  expect(/"deployment_mode": \{\s*"enum": (\[.*?\])/.exec(schema)?.[1]).toBe(JSON.stringify(modes).replace(',', ', '))
  const feed = operations.filter(({ rest }) => rest === 'GET /services/feed')
  expect(feed.map((operation) => [operation.id, isOptional(operation)])).toEqual([['getServiceFeed', false]])
})

test.each(modes)(
  '[LIV-021] a business whose deployment mode is %s serves the feed with 200',
  async (deployment_mode) => {
    const { rest } = await testServer(businessWith([service('svc_one')], { deployment_mode }))
    const { status, body } = await rest('GET', '/services/feed')
    expect([status, body.items.length]).toEqual([200, 1])
  },
)

test.each(['/services/svc%5Fhaircut', '/services/%73%76%63_haircut'])(
  '[REST-031] %s is the same service as its plain spelling',
  async (path) => {
    const { status, body } = await server.rest('GET', path)
    expect(status).toBe(200)
    expect(body.service).toEqual((await server.rest('GET', '/services/svc_haircut')).body.service)
  },
)
