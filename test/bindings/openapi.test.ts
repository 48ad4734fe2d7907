import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { openapi } from '../../src/interfaces/docs/openapi.ts'
import { type Operation, restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, services } from '../support/definitions.ts'
import { isInProtocol } from '../support/published-tools.ts'
import { testServer } from '../support/server.ts'

interface Described {
  operationId: string
  summary: string
  description: string
  'x-usp-access'?: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: { properties: object; required?: string[] } }> }
  responses: Record<string, object>
}
interface Document {
  openapi: string
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Described>>
}

const text = `${JSON.stringify(openapi(operations), null, 2)}\n`
const document: Document = JSON.parse(text)
const server = await testServer(businessWith(services(3), { registry: { enabled: true } }))
const all = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, described })),
)

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, 'usp-rest')
const pointer = (...path: (string | number)[]) =>
  path.map((part) => `/${encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

const describedAs = (operation: Operation): Described => {
  const { method, path } = restRouteOf(operation)
  const described = document.paths[`/usp/v1${path}`]?.[method.toLowerCase()]
  if (!described) throw new Error(`${operation.rest} is not documented`)
  return described
}

test('the document is OpenAPI 3.1, of this version of the protocol', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/)
  expect(document.info).toMatchObject({ title: expect.any(String), version: '2026-08-20' })
})

test('the committed file is what the operations say; `npm run generate` writes it', () => {
  expect(readFileSync('openapi/usp-rest.json', 'utf8')).toBe(text)
})

test('the server serves the document and shows it to people', async () => {
  expect((await server.raw({ method: 'GET', url: '/schemas/openapi/usp-rest.json' })).body).toEqual(document)
  expect((await server.raw({ method: 'GET', url: '/docs' })).status).toBe(200)
  expect((await server.raw({ method: 'GET', url: '/docs/api/json' })).body).toEqual(document)
})

test('[HLD-007] [BKG-058] what creates something answers 201, and 200 where it makes nothing', () => {
  const statuses = (path: string) => Object.keys(document.paths[`/usp/v1${path}`]?.post?.responses ?? {})
  for (const path of ['/bookings', '/availability/holds', '/waitlist', '/services/feed/subscriptions'])
    expect(statuses(path)).toEqual(expect.arrayContaining(['200', '201']))
})

test('[ERR-049] a change of a booking or a waitlist entry takes If-Match, that of a hold does not', () => {
  const conditional = all.filter(({ described }) => described.responses['412'])
  expect(conditional).toEqual(
    all.filter(({ described }) => described.parameters?.some(({ name }) => name === 'If-Match')),
  )
  const ofTheProtocol = operations.filter(isInProtocol).map(({ id }) => id)
  const ids = conditional.map(({ described }) => described.operationId)
  expect(ids.filter((id) => ofTheProtocol.includes(id)).toSorted()).toEqual(
    [
      ...['acceptOffer', 'cancelBooking', 'confirmBooking', 'confirmPayment', 'declineOffer', 'leaveWaitlist'],
      ...['rescheduleBooking', 'updateBooking'],
    ].toSorted(),
  )
})

describe.each(operations.map((operation) => ({ operation, ...operation })))('$id', ({ operation }) => {
  const described = describedAs(operation)
  const { method, path, parameters: inPath } = restRouteOf(operation)
  const { properties, required = [] } = operation.input

  test('is documented under its name, with what it does and who may call it', () => {
    expect(described).toMatchObject({ operationId: operation.id, 'x-usp-access': operation.access })
    expect(described.summary).toBe(operation.title)
    expect(described.description).toBe(operation.description)
  })

  test('takes each of its parameters in one place', () => {
    const parameters = (described.parameters ?? []).filter((parameter) => parameter.in !== 'header')
    const body = described.requestBody?.content['application/json']?.schema
    const members = Object.keys(body?.properties ?? {})
    expect([...parameters.map(({ name }) => name), ...members].toSorted()).toEqual(Object.keys(properties).toSorted())
    expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath)
    for (const { name, in: place, required: needed } of parameters)
      expect(needed).toBe(place === 'path' || required.includes(name))
    expect(body?.required ?? []).toEqual(required.filter((name) => members.includes(name)))
    expect(members.length > 0 && method === 'GET').toBe(false)
  })

  test('explains each of its parameters', () => {
    for (const { name, description } of described.parameters ?? []) expect(description, name).toMatch(/\S/)
  })

  test('tells its answer and every kind of refusal', () => {
    const statuses = Object.keys(described.responses)
    expect(statuses).toEqual(expect.arrayContaining(['400', '422', '429', '500', '503']))
    const made = operation.silent ? ['204'] : operation.effect === 'create' ? ['201'] : []
    expect(statuses.filter((status) => status.startsWith('2'))).toEqual(['200', ...made])
    const where = ['paths', `/usp/v1${path}`, method.toLowerCase(), 'responses', statuses[0] ?? '', 'content']
    const admits = ajv.compile({ $ref: `usp-rest#${pointer(...where, 'application/json', 'schema')}` })
    expect(admits({})).toBe(false)
  })
})

test('the documented answer is the answer given', async () => {
  const where = ['paths', '/usp/v1/services/list', 'post', 'responses', 200, 'content', 'application/json', 'schema']
  const admits = ajv.compile({ $ref: `usp-rest#${pointer(...where)}` })
  const { body } = await server.rest('POST', '/services/list', {})
  expect(admits(body), JSON.stringify(admits.errors)).toBe(true)
  expect(admits({ ...body, services: [{ id: 'svc_001' }] })).toBe(false)
})

test('a documented problem is the problem given', async () => {
  const where = ['components', 'responses', 'Problem', 'content', 'application/problem+json', 'schema']
  const admits = ajv.compile({ $ref: `usp-rest#${pointer(...where)}` })
  const { body } = await server.rest('GET', '/services/svc_none')
  expect(admits(body), JSON.stringify(admits.errors)).toBe(true)
  expect(admits({})).toBe(false)
})

test('what is documented is what the operations offer, the two profiles and the calendars', () => {
  const offered = operations.map(restRouteOf).map(({ method, path }) => `${method.toLowerCase()} /usp/v1${path}`)
  const documented = all.map(({ method, path }) => `${method} ${path}`)
  const besides = [
    '/.well-known/usp',
    '/.well-known/ucp',
    '/usp/v1/bookings/{booking_id}/calendar.ics',
    '/calendar/{token}.ics',
  ]
  expect(documented.toSorted()).toEqual([...offered, ...besides.map((path) => `get ${path}`)].toSorted())
})

test.each(operations.map(restRouteOf))('$method $path is there at its documented place', async ({ method, path }) => {
  const { status, body } = await server.raw({ method, url: `/usp/v1${path.replace(/\{\w+\}/g, 'svc_001')}` })
  expect(status, JSON.stringify(body)).not.toBe(405)
  expect(body.code).not.toBe('not_found')
})

test('[LIV-107] no scheme of platforms authorizes the confirmation of the business', () => {
  const { confirm } = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => (path.endsWith('/confirm') ? [['confirm', item]] : [])),
  )
  expect(Object(confirm).post).toMatchObject({ security: [{ staff: [] }], 'x-usp-access': 'business_only' })
})

test('every operation has a name of its own', () => {
  const names = all.map(({ described }) => described.operationId)
  expect(new Set(names).size).toBe(names.length)
})

test('every reference leads to something in the document', () => {
  const references = [...new Set([...text.matchAll(/"\$ref": "([^"]*)"/g)].map(([, reference]) => String(reference)))]
  expect(references.length).toBeGreaterThan(10)
  for (const reference of references) {
    expect(reference).toMatch(/^#\//)
    const found = reference
      .slice(2)
      .split('/')
      .reduce((value: unknown, part) => Object(value)[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
    expect(found, reference).toBeTypeOf('object')
  }
})
