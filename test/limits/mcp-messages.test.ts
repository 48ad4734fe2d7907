import { beforeEach, describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')], { limits: { messages: 2 } }))
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'anonymous', version: '1' } }

beforeEach(async () => {
  await server.runtime.db.deleteFrom('rate_limits').execute()
})

const post = (remoteAddress: string, message: object) =>
  server.raw({ method: 'POST', url: '/usp/mcp', remoteAddress, payload: { jsonrpc: '2.0', ...message } })
const call = (remoteAddress: string, name: string) =>
  post(remoteAddress, { id: 7, method: 'tools/call', params: { name, arguments: {} } })

describe('[LIM-016] what calls no tool is counted by address', () => {
  test.each([
    ['initialize', { id: 7, method: 'initialize', params: hello }],
    ['tools/list', { id: 7, method: 'tools/list' }],
    ['ping', { id: 7, method: 'ping' }],
    ['a method that there is none of', { id: 7, method: 'usp_services_list' }],
    ['a tool that there is none of', { id: 7, method: 'tools/call', params: { name: 'usp_none' } }],
    ['a notification', { method: 'notifications/initialized' }],
    ['an answer', { id: 7, result: {} }],
  ])('%s', async (_, message) => {
    const first = await post('203.0.113.1', message)
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' })
    await post('203.0.113.1', message)
    const third = await post('203.0.113.1', message)
    expect(third.body.error).toMatchObject({ code: -32007, message: 'rate_limited', data: { code: 'rate_limited' } })
    expect(third.headers['retry-after']).toBe(String(third.body.error.data.retry_after))
    expect((await post('203.0.113.2', message)).body?.error?.data.code).not.toBe('rate_limited')
    // Whoever calls a tool is counted by what the tool does.
    expect((await call('203.0.113.1', 'usp_services_list')).body.result.structuredContent.services).toHaveLength(1)
  })
})

describe('around the arguments of a call there is little', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, nth) => [`x${nth}`, 1]))
  test.each([
    ['initialize', { ...hello, capabilities: { experimental: many } }],
    ['tools/list', { _meta: many }],
    ['tools/list', { arguments: many }],
    ['tools/call', { name: 'usp_services_list', _meta: many, arguments: {} }],
    ['notifications/cancelled', { reason: many }],
  ])('%s with too much of it is refused', async (method, params) => {
    const { body } = await post('203.0.113.1', { id: 7, method, params })
    expect(body).toMatchObject({ id: 7, error: { code: -32602, data: { code: 'invalid_request' } } })
    expect(body.error.message).toContain('more than 200 values')
  })

  test('in them there may be more', async () => {
    const params = {
      name: 'usp_services_lookup',
      arguments: { ids: Array.from({ length: 300 }, (_, nth) => `svc_${nth}`) },
    }
    const { body } = await post('203.0.113.1', { id: 7, method: 'tools/call', params })
    expect(JSON.stringify(body)).not.toContain('more than 200 values')
  })
})
