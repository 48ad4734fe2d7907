import { describe, expect, test } from 'vitest'
import { rfc3339Exact } from '../../src/infra/time/time-zone.ts'
import { defineOperation } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, services } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

/** One object, as anyone adding an operation would write it. */
const bakeCake = defineOperation<{
  input: { kitchen_id: string; flavour: string; layers?: number }
  output: { cake: { kitchen: string; layers: number; baked_at: string } }
}>({
  id: 'bakeCake',
  rest: 'POST /kitchens/{kitchen_id}/cakes',
  tool: 'usp_cakes_bake',
  title: 'Bake a cake',
  description: 'Bakes a cake of the given flavour. Nobody has ever been refused one.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'public',
  effect: 'create',
  input: {
    type: 'object',
    required: ['kitchen_id', 'flavour'],
    properties: {
      kitchen_id: { type: 'string', description: 'Where to bake.' },
      flavour: { type: 'string', enum: ['lemon', 'plum'], description: 'What it tastes of.' },
      layers: { type: 'integer', minimum: 1, description: 'How high it is.' },
    },
  },
  output: {
    type: 'object',
    required: ['cake'],
    properties: {
      cake: {
        type: 'object',
        required: ['kitchen', 'layers', 'baked_at'],
        properties: {
          kitchen: { type: 'string' },
          layers: { type: 'integer' },
          baked_at: { type: 'string', format: 'date-time' },
        },
      },
    },
  },
  summary: ({ cake }) => `A cake of ${cake.layers} layers.`,
  handle: async ({ input, now }) => ({
    cake: { kitchen: input.kitchen_id, layers: input.layers ?? 1, baked_at: rfc3339Exact('America/New_York', now) },
  }),
})

const without = await testServer(businessWith(services(1)))
const server = await testServer(businessWith(services(1)), { operations: [...operations, bakeCake] })
const input = { kitchen_id: 'north', flavour: 'plum', layers: 3 }
const cake = { kitchen: 'north', layers: 3, baked_at: '2026-11-20T07:00:00.000-05:00' }
const get = async (url: string) => (await server.raw({ method: 'GET', url })).body

describe('an operation that joins the list', () => {
  test('answers on REST, with the status of its effect', async () => {
    const { kitchen_id, ...body } = input
    const answer = await server.rest('POST', `/kitchens/${kitchen_id}/cakes`, body)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ usp: { version: '2026-08-20' }, cake })
  })

  test('answers as a tool, with the same payload and its sentence', async () => {
    const { result } = (await server.tool('usp_cakes_bake', input)).body
    expect(result.structuredContent).toMatchObject({ usp: { version: '2026-08-20' }, cake })
    expect(result.content).toEqual([{ type: 'text', text: 'A cake of 3 layers.' }])
  })

  test('is guarded by its schema on both', async () => {
    const bad = { ...input, flavour: 'tar' }
    expect((await server.rest('POST', '/kitchens/north/cakes', bad)).body.code).toBe('validation_error')
    expect((await server.tool('usp_cakes_bake', bad)).body.error.data.code).toBe('validation_error')
  })

  test('is a tool in tools/list, with hints that follow from its effect', async () => {
    const payload = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
    const { body } = await server.raw({ method: 'POST', url: '/usp/mcp', payload })
    expect(body.result.tools.at(-1)).toMatchObject({
      name: 'usp_cakes_bake',
      title: 'Bake a cake',
      description: bakeCake.description,
      inputSchema: { type: 'object', required: bakeCake.input.required, properties: bakeCake.input.properties },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    })
  })

  test('is a path of the OpenAPI document', async () => {
    const { paths, tags } = await get('/schemas/openapi/usp-rest.json')
    const { post } = paths['/usp/v1/kitchens/{kitchen_id}/cakes']
    expect(post).toMatchObject({ operationId: 'bakeCake', summary: 'Bake a cake', 'x-usp-access': 'public' })
    expect(post.parameters).toContainEqual({
      name: 'kitchen_id',
      in: 'path',
      required: true,
      description: 'Where to bake.',
      schema: { type: 'string' },
    })
    const { schema } = post.requestBody.content['application/json']
    expect(schema.required).toEqual(['flavour'])
    expect(Object.keys(schema.properties)).toEqual(['flavour', 'layers'])
    expect(post.responses['201'].content['application/json'].schema.properties).toHaveProperty('cake')
    expect(tags).toContainEqual({ name: 'Cakes' })
  })

  test('is a method of the OpenRPC document', async () => {
    const { methods } = await get('/schemas/openrpc/usp-mcp.json')
    const method = methods.find(({ name }: { name: string }) => name === 'usp_cakes_bake')
    expect(method).toMatchObject({ summary: 'Bake a cake', 'x-usp-access': 'public' })
    expect(method.params).toContainEqual({ name: 'layers', required: false, schema: bakeCake.input.properties.layers })
    expect(method.params).toContainEqual({ name: 'flavour', required: true, schema: bakeCake.input.properties.flavour })
    expect(method.result.schema.properties.structuredContent.properties).toHaveProperty('cake')
  })
})

test('an operation that is not in the list is nowhere', async () => {
  expect((await without.raw({ method: 'POST', url: '/usp/v1/kitchens/north/cakes' })).body.code).toBe('not_found')
  expect((await without.tool('usp_cakes_bake', input)).body.error.code).toBe(-32602)
  for (const url of ['/schemas/openapi/usp-rest.json', '/schemas/openrpc/usp-mcp.json'])
    expect(JSON.stringify((await without.raw({ method: 'GET', url })).body)).not.toContain('akeCake')
})
