import {
  type ClientOptions,
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, describe, expect, test } from 'vitest'
import { getService } from '../../src/domain/catalog/get-service.ts'
import { operations as catalogue } from '../../src/domain/catalog/operations.ts'
import { defineOperation } from '../../src/protocol/define-operation.ts'
import { BusinessRefusal, ProtocolError } from '../../src/protocol/errors.ts'
import type { GetService } from '../../src/protocol/types.generated.ts'
import { businessWith, services } from '../support/definitions.ts'
import { isForPlatforms } from '../support/published-tools.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const refusing = defineOperation<GetService>({
  ...getService,
  id: 'getRefusal',
  rest: 'GET /refusals/{service_id}',
  tool: 'usp_refusals_get',
  handle: async () => {
    throw new BusinessRefusal('slot_unavailable', 'Someone was faster.')
  },
})
const limited = defineOperation<GetService>({
  ...getService,
  id: 'getLimited',
  rest: 'GET /limited/{service_id}',
  tool: 'usp_limited_get',
  handle: async () => {
    throw new ProtocolError('rate_limited', 'Slow down.', { retryAfter: 12 })
  },
})
// The tools that are called, and no more: clients compile the schemas of all in this process, where the server runs too.
const operations = [...catalogue, refusing, limited]
const server = await serverWithAllInterfaces(businessWith(services(3)), { operations })
const url = new URL('/usp/mcp', await server.app.listen({ host: '127.0.0.1', port: 0 }))

const me = { name: 'test', version: '1' }
const newer = async (options: ClientOptions) => {
  const client = new NewClient(me, options)
  await client.connect(new NewTransport(url))
  return client
}
const older = async () => {
  const client = new OldClient(me)
  await client.connect(new OldTransport(url))
  return client
}

const clients = [
  [
    'the current client, pinned to the current revision',
    await newer({ versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  ],
  ['the current client, negotiating', await newer({ versionNegotiation: { mode: 'auto' } })],
  ['the current client, as it comes', await newer({})],
  ['the previous client', await older()],
] as const
afterAll(() => Promise.all(clients.map(([, client]) => client.close())))

describe.each(clients)('%s', (_, client) => {
  const call = (name: string, args: Record<string, unknown> = {}): Promise<object> =>
    client.callTool({ name, arguments: args })

  test('[MCP-035] lists the tools', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(operations.filter(isForPlatforms).map(({ tool }) => tool))
  })

  test.each<[string, Record<string, unknown>, object]>([
    ['usp_services_list', { query: 'svc_002' }, { pagination: { has_more: false } }],
    ['usp_services_get', { service_id: 'svc_001' }, { service: { id: 'svc_001' } }],
    [
      'usp_services_lookup',
      { ids: ['svc_none'] },
      { services: [], messages: [{ code: 'service_not_found' }, { code: 'service_unresolved' }] },
    ],
    ['usp_services_feed', { limit: 1 }, { items: [{ state: 'updated' }], feed_meta: { total_services: 3 } }],
  ])('[MCP-035] calls %s', async (name, args, payload) => {
    expect(await call(name, args)).toMatchObject({ structuredContent: payload, content: [{ type: 'text' }] })
  })

  test('[MCP-014] [MCP-015] hands a refusal by the business to its caller', async () => {
    const result = await call(refusing.tool, { service_id: 'svc_001' })
    expect(result).not.toHaveProperty('isError')
    expect(result).toMatchObject({
      structuredContent: { messages: [{ type: 'error', code: 'slot_unavailable', content: 'Someone was faster.' }] },
      content: [{ type: 'text', text: 'Someone was faster.' }],
    })
  })

  test.each<[string, Record<string, unknown>, number, string]>([
    ['usp_services_get', { service_id: 'svc_none' }, -32602, 'service_not_found'],
    ['usp_services_get', {}, -32600, 'invalid_request'],
    ['usp_services_feed', { cursor: 'x' }, -32602, 'cursor_expired'],
    ['usp_limited_get', { service_id: 'svc_001' }, -32007, 'rate_limited'],
  ])('[MCP-033] raises what %s refuses of %j with its number and its data', async (name, args, number, code) => {
    const raised = { code: number, message: expect.stringContaining(code), data: { code, content: expect.any(String) } }
    await expect(call(name, args)).rejects.toMatchObject(raised)
  })

  test('[MCP-033] [LIV-029] raises an unknown tool with a sentence to print', async () => {
    const content = expect.stringContaining('There is no tool named "usp_unknown"')
    const raised = { code: -32602, message: content, data: { content } }
    await expect(call('usp_unknown')).rejects.toMatchObject(raised)
  })
})

test('[MCP-035] each client speaks the newest revision it asks for', () => {
  const [[, pinned], [, negotiating], [, plain]] = clients
  expect(pinned.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  expect(negotiating.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  expect(plain.getNegotiatedProtocolVersion()).toBe('2025-11-25')
})

test('[MCP-035] no stream is kept open that would hold up the end of the server', async () => {
  const { status, headers } = await fetch(url, {
    headers: { accept: 'text/event-stream' },
    signal: AbortSignal.timeout(5000),
  })
  expect(status).toBe(405)
  expect(headers.get('allow')).toBe('POST')
})
