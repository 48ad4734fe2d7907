import { describe, expect, test } from 'vitest'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { isForPlatforms } from '../support/published-tools.ts'
import { sampleOf } from '../support/samples.ts'
import { type TestServer, testServer } from '../support/server.ts'
import { withRegistry } from './listing-shop.ts'

const capability = 'dev.usp-protocol.discovery.registry'
const ofRegistry = operations.filter((operation) => operation.capability === capability)
const { registry: _, ...without } = withRegistry

const declared = async (server: TestServer) =>
  Object.keys((await server.rest('GET', '/.well-known/usp')).body.usp.capabilities)
const tools = async (server: TestServer): Promise<string[]> => {
  const payload = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  const { body } = await server.raw({ method: 'POST', url: '/usp/mcp', payload })
  return body.result.tools.map(({ name }: { name: string }) => name)
}
const send = (server: TestServer, operation: (typeof ofRegistry)[number], payload: object | string = {}) => {
  const { method, path, inBody } = restRouteOf(operation)
  const url = `/usp/v1${path.replace('{id}', 'reg_none')}`
  return server.raw({ method, url, ...(inBody && { headers: { 'content-type': 'application/json' }, payload }) })
}

describe.each([
  ['left out', without],
  ['switched off', { ...without, registry: { enabled: false } }],
  ['left open', { ...without, registry: {} }],
])('with the registry %s', async (_how, definition) => {
  const server = await testServer(definition)

  test('[REG-001] [PRO-022] the profile does not declare it', async () => {
    expect(await declared(server)).not.toContain(capability)
  })

  test('[REG-002] [MCP-002] the tools are not listed', async () => {
    expect(await tools(server)).toEqual(
      operations
        .filter((operation) => operation.capability !== capability && isForPlatforms(operation))
        .map(({ tool }) => tool),
    )
  })

  test.each(ofRegistry)('[REG-002] $rest answers as a path that nobody has', async (operation) => {
    for (const payload of [sampleOf(operation), {}, 'no JSON']) {
      const { status, headers, body } = await send(server, operation, payload)
      expect([status, body.code, body.type]).toEqual([404, 'not_found', 'about:blank'])
      expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    }
    const { path } = restRouteOf(operation)
    const { status } = await server.raw({ method: 'PATCH', url: `/usp/v1${path.replace('{id}', 'reg_none')}` })
    expect(status).toBe(404)
  })

  test.each(ofRegistry)('[REG-002] [LIV-029] [LIV-030] $tool is a tool that nobody knows', async (operation) => {
    const { body } = await server.tool(operation.tool, sampleOf(operation))
    expect(body.error.code).toBe(-32602)
    expect(body.error.data).not.toHaveProperty('code')
  })
})

test('[REG-001] [PRO-022] [MCP-002] switched on, it is declared and served on both bindings', async () => {
  const server = await testServer(withRegistry)
  expect(await declared(server)).toContain(capability)
  expect(await tools(server)).toEqual(operations.filter(isForPlatforms).map(({ tool }) => tool))
  for (const operation of ofRegistry) {
    const { status, body } = await send(server, operation)
    expect([status, body.code]).not.toEqual([404, 'not_found'])
    expect(status).not.toBe(405)
  }
})

test('[REG-001] [REG-002] a running server follows its definition', { timeout: 15_000 }, async () => {
  const server = await testServer(without)
  const seen = async () => [
    (await declared(server)).includes(capability),
    (await tools(server)).includes('usp_registry_get'),
  ]
  expect(await seen()).toEqual([false, false])
  await server.apply(withRegistry)
  await expect.poll(seen).toEqual([true, true])
  expect((await server.rest('GET', '/registry/businesses/reg_none')).body.code).toBe('registration_not_found')
  await server.apply(without)
  await expect.poll(seen).toEqual([false, false])
  expect((await server.rest('GET', '/registry/businesses/reg_none')).body.code).toBe('not_found')
})
