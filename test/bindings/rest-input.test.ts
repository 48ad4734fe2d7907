import { expect, test } from 'vitest'
import type { Operation } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, services } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { testServer } from '../support/server.ts'

const probe = testOperation('probe', {
  input: {
    type: 'object',
    required: ['party_size', 'buyer'],
    properties: {
      party_size: { type: 'integer', minimum: 1, maximum: 20 },
      notify: { type: 'boolean' },
      state: { enum: ['open', 'closed'] },
      start: { type: 'string', format: 'date-time' },
      buyer: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' } },
        additionalProperties: false,
      },
    },
  },
  handle: async ({ input }) => ({ received: input }),
})
const byNumber: Operation = {
  ...probe,
  id: 'byNumber',
  rest: 'GET /numbers/{number}',
  tool: 'usp_number',
  input: { type: 'object', properties: { number: { type: 'integer' }, ratio: { type: 'number' } } },
}

const server = await testServer(businessWith(services(12)), { operations: [...operations, probe, byNumber] })
const accepted = { party_size: 2, buyer: { name: 'Ana' } }

test('what the cases below change is accepted as it stands', async () => {
  expect((await server.rest('POST', '/probe', accepted)).body.received).toEqual(accepted)
})

test.each([
  ['/services/lookup', {}, 'ids'],
  ['/services/lookup', { ids: ['a'], context: { coordinates: { latitude: 1 } } }, 'context.coordinates.longitude'],
  ['/services/list', { context: { coordinates: { longitude: 1 } } }, 'context.coordinates.latitude'],
  ['/probe', { buyer: { name: 'Ana' } }, 'party_size'],
  ['/probe', { party_size: 2 }, 'buyer'],
  ['/probe', { party_size: 2, buyer: {} }, 'buyer.name'],
])('[REST-012] %s with %j lacks a required member: 400 invalid_request', async (path, body, field) => {
  const { status, body: problem } = await server.rest('POST', path, body)
  expect([status, problem.code]).toEqual([400, 'invalid_request'])
  expect(problem.errors).toEqual([{ field, message: 'is missing' }])
})

test.each([
  ['a text for a number', '/services/list', { pagination: { limit: 'ten' } }, 'pagination.limit'],
  ['a number below its range', '/services/list', { pagination: { limit: 0 } }, 'pagination.limit'],
  ['a fraction for an integer', '/services/list', { filters: { price: { min: 1.5 } } }, 'filters.price.min'],
  ['a number for a text', '/services/list', { query: 5 }, 'query'],
  ['null for an object', '/services/list', { filters: null }, 'filters'],
  ['a text too long', '/services/list', { query: 'x'.repeat(501) }, 'query'],
  ['a text for a list', '/services/lookup', { ids: 'svc_000' }, 'ids'],
  ['an empty list', '/services/lookup', { ids: [] }, 'ids'],
  ['a number in a list of texts', '/services/lookup', { ids: ['svc_000', 1] }, 'ids.1'],
  ['a number above its range', '/probe', { ...accepted, party_size: 21 }, 'party_size'],
  ['a value outside its enum', '/probe', { ...accepted, state: 'ajar' }, 'state'],
  ['a text that is no date-time', '/probe', { ...accepted, start: '2026-11-20 09:00' }, 'start'],
  ['a text that is no e-mail address', '/probe', { ...accepted, buyer: { name: 'A', email: 'x' } }, 'buyer.email'],
  ['an unknown member of a closed object', '/probe', { ...accepted, buyer: { name: 'A', age: 9 } }, 'buyer.age'],
])('[REST-013] %s is refused with 422 validation_error', async (_, path, body, field) => {
  const { status, body: problem } = await server.rest('POST', path, body)
  expect([status, problem.code]).toEqual([422, 'validation_error'])
  expect(problem.errors).toEqual([{ field, message: expect.stringMatching(/\S/) }])
})

test.each(['[]', '[{}]', '"text"', '5', 'true', 'null'])(
  '[REST-014] the body %s is no object and is refused with 422 validation_error',
  async (body) => {
    for (const path of ['/services/list', '/services/lookup', '/probe']) {
      const { status, body: problem } = await server.rest('POST', path, body)
      expect({ path, status, code: problem.code }).toEqual({ path, status: 422, code: 'validation_error' })
    }
  },
)

test.each([
  ['a number in a text', { party_size: '2' }],
  ['a truth value in a text', { notify: 'true' }],
  ['a number for a truth value', { notify: 1 }],
  ['a list of one for the one', { party_size: [2] }],
  ['null for a truth value', { notify: null }],
])('[REST-015] %s in a body is not coerced', async (_, changed) => {
  const { status, body } = await server.rest('POST', '/probe', { ...accepted, ...changed })
  expect([status, body.code]).toEqual([422, 'validation_error'])
})

test('[REST-016] numbers in a query count as numbers', async () => {
  const { body } = await server.rest('GET', '/services/feed?limit=10')
  expect(body.items).toHaveLength(10)
})

test('[REST-016] numbers in a path and in a query have the type that the schema gives them', async () => {
  const { body } = await server.rest('GET', '/numbers/-7?ratio=0.25')
  expect(body.received).toEqual({ number: -7, ratio: 0.25 })
})

test.each(['ten', '', '1.5', '0x10', '1,0', '10&limit=10'])(
  '[REST-017] ?limit=%s is no integer and is refused with 422 validation_error',
  async (limit) => {
    const { status, body } = await server.rest('GET', `/services/feed?limit=${limit}`)
    expect([status, body.code]).toEqual([422, 'validation_error'])
    expect(body.errors).toEqual([{ field: 'limit', message: 'must be integer' }])
  },
)
