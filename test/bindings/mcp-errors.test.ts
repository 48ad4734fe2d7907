import { describe, expect, test } from 'vitest'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { defineOperation } from '../../src/protocol/define-operation.ts'
import { errors, type ProtocolCode, ProtocolError } from '../../src/protocol/errors.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, services } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

let executed = 0
const failing = defineOperation<{ input: { code: ProtocolCode | 'unforeseen' }; output: object }>({
  id: 'makeFailure',
  rest: 'POST /failures',
  tool: 'usp_failures_create',
  title: 'Fail',
  description: 'Fails with the given code.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'public',
  effect: 'create',
  input: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
  output: { type: 'object', properties: {} },
  summary: () => 'It did not fail.',
  handle: async ({ input: { code } }) => {
    executed += 1
    if (code === 'unforeseen') throw new Error('the password is hunter2')
    throw new ProtocolError(code, `It failed with ${code}.`)
  },
})
const server = await testServer(
  businessWith(services(3), { authorization: { sandbox: true }, registry: { enabled: true } }),
  {
    operations: [...operations, failing],
  },
)
const post = (params: unknown) =>
  server.raw({
    method: 'POST',
    url: '/usp/mcp',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  })

const isProtocolError = (entry: [string, object]): entry is [ProtocolCode, object] => 'http' in entry[1]
const codes = Object.entries(errors)
  .filter(isProtocolError)
  .map(([code]) => code)

test.each(codes)(
  '[MCP-011] [MCP-013] [MCP-031] [MCP-033] %s is a JSON-RPC error in HTTP 200 with the code of REST',
  async (code) => {
    const rest = await server.rest('POST', '/failures', { code })
    expect(rest.body.code).toBe(code)
    const wait = rest.headers['retry-after']
    const { status, body } = await server.tool(failing.tool, { code })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('result')
    expect(body.error).toEqual({
      code: expect.any(Number),
      message: code,
      data: { code, content: `It failed with ${code}.`, ...(wait && { retry_after: Number(wait) }) },
    })
  },
)

describe('[MCP-012] [MCP-013] [LIV-028] [LIV-030] every refused call but that of an unknown tool carries a code and a text', () => {
  const get = 'usp_services_get'
  test.each<[string, unknown, ProtocolCode]>([
    ['with params by position', [get, { service_id: 'svc_001' }], 'invalid_request'],
    ['with arguments by position', { name: get, arguments: ['svc_001'] }, 'invalid_request'],
    ['without arguments', { name: get }, 'invalid_request'],
    ['with an argument of a wrong type', { name: get, arguments: { service_id: 1 } }, 'validation_error'],
    ['without params', undefined, 'invalid_request'],
    ['that names no tool', { arguments: {} }, 'invalid_request'],
    ['of a tool whose name is a number', { name: 7, arguments: {} }, 'invalid_request'],
    ['of a tool whose name is null', { name: null, arguments: {} }, 'invalid_request'],
    ['of a tool whose name is an object', { name: { name: get }, arguments: {} }, 'invalid_request'],
    ['with text no database can hold', { name: 'usp_services_list', arguments: { query: '\0' } }, 'validation_error'],
    ['with an id no database can hold', { name: get, arguments: { service_id: '\0' } }, 'service_not_found'],
    ['with _meta that is no object', { name: get, arguments: { service_id: 'a', _meta: 'b' } }, 'invalid_request'],
    ['for what does not exist', { name: get, arguments: { service_id: 'svc_none' } }, 'service_not_found'],
    ['with a bad cursor', { name: 'usp_services_feed', arguments: { cursor: 'x' } }, 'cursor_expired'],
    ['that breaks the server', { name: failing.tool, arguments: { code: 'unforeseen' } }, 'server_error'],
  ])('a call %s', async (_, params, code) => {
    const { body } = await post(params)
    expect(body).not.toHaveProperty('result')
    expect(body.id).toBe(7)
    expect(body.error.data).toMatchObject({ code, content: expect.stringMatching(/\S/) })
    expect(body.error.message).toBe(code)
    expect(body.error.code).toBe(errors[code].rpc)
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })
})

describe('[the sentence where clients print it] what the protocol has no number for is told in the message itself', () => {
  const unknown = 'There is no tool named "usp_unknown". Call tools/list for the list.'
  test.each<[string, unknown, number, string | RegExp]>([
    ['an unknown tool', { name: 'usp_unknown', arguments: {} }, -32602, unknown],
    ['a tool without a name', { name: '', arguments: {} }, -32602, /no tool named ""/],
    ['a tool of a very long name', { name: 'x'.repeat(5000) }, -32602, /no tool named "x{100}"/],
  ])('[LIV-029] [LIV-030] of %s, without a code', async (_, params, number, sentence) => {
    const { body } = await post(params)
    expect(body).toMatchObject({ id: 7, error: { code: number, message: expect.stringMatching(sentence) } })
    expect(body.error.data).toEqual({ content: body.error.message })
  })

  test.each([
    ['a body that is no JSON', '{', -32700, null],
    ['a method that there is none of', '{"jsonrpc":"2.0","id":7,"method":"resources/list"}', -32601, 7],
    ['initialize without what belongs to it', '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}', -32602, 7],
  ])('of %s', async (_, payload, code, id) => {
    const headers = { 'content-type': 'application/json' }
    const { body } = await server.raw({ method: 'POST', url: '/usp/mcp', headers, payload })
    expect(body).toMatchObject({ id, error: { code, message: expect.stringMatching(/^[A-Z].*\.$/) } })
    expect(body.error.data).toEqual({ code: 'invalid_request', content: body.error.message })
  })
})

const staff = { authorization: `Bearer ${await addStaff(server.runtime.db, 'Jo', 'owner', server.time.now)}` }
const missing = [...operations, failing].flatMap(({ tool, input, access }) =>
  (input.required ?? []).map((name) => ({ tool, name, headers: access === 'business_only' ? staff : {} })),
)

test.each(missing)('[MCP-027] $tool without $name is invalid and executes nothing', async ({ tool, name, headers }) => {
  const before = executed
  const { body } = await server.tool(tool, {}, headers)
  expect(body.error).toMatchObject({ code: -32600, data: { code: 'invalid_request' } })
  expect(body.error.data.errors).toContainEqual({ field: name, message: expect.any(String) })
  expect(executed).toBe(before)
})

test.each<[field: string, path: string, tool: string, args: object]>([
  ['query', '/services/list', 'usp_services_list', { query: 7 }],
  ['filters', '/services/list', 'usp_services_list', { filters: [] }],
  ['filters.price.min', '/services/list', 'usp_services_list', { filters: { price: { min: 'five' } } }],
  ['pagination.limit', '/services/list', 'usp_services_list', { pagination: { limit: 0 } }],
  ['context.language', '/services/list', 'usp_services_list', { context: { language: ['es'] } }],
  ['ids', '/services/lookup', 'usp_services_lookup', { ids: [] }],
  ['ids', '/services/lookup', 'usp_services_lookup', { ids: Array(201).fill('svc_001') }],
  ['ids.1', '/services/lookup', 'usp_services_lookup', { ids: ['svc_001', 2] }],
  ['limit', '/services/feed?limit=ten', 'usp_services_feed', { limit: 'ten' }],
  ['limit', '/services/feed?limit=1.5', 'usp_services_feed', { limit: 1.5 }],
])(
  '[LIV-011] [LIV-015] a faulty %s is 422 at %s and -32602 from %s, with the member named',
  async (field, path, tool, args) => {
    const rest = path.includes('?') ? await server.rest('GET', path) : await server.rest('POST', path, args)
    expect(rest.status).toBe(422)
    expect(rest.body.code).toBe('validation_error')
    const { error } = (await server.tool(tool, args)).body
    expect(error).toMatchObject({ code: -32602, data: { code: 'validation_error' } })
    expect(error.data.errors).toEqual([{ field, message: expect.stringMatching(/\S/) }])
    expect(rest.body.errors).toEqual(error.data.errors)
  },
)

test.each<[string, 'GET' | 'POST', string, object | undefined, string, object]>([
  ['service_not_found', 'GET', '/services/svc_none', undefined, 'usp_services_get', { service_id: 'svc_none' }],
  ['cursor_expired', 'GET', '/services/feed?cursor=x', undefined, 'usp_services_feed', { cursor: 'x' }],
  [
    'cursor_expired',
    'POST',
    '/services/list',
    { pagination: { cursor: 'x' } },
    'usp_services_list',
    { pagination: { cursor: 'x' } },
  ],
  ['invalid_request', 'POST', '/services/lookup', {}, 'usp_services_lookup', {}],
  ['server_error', 'POST', '/failures', { code: 'unforeseen' }, failing.tool, { code: 'unforeseen' }],
])('[MCP-031] %s from %s %s is the code of the tool too', async (code, method, path, body, tool, args) => {
  expect((await server.rest(method, path, body)).body.code).toBe(code)
  expect((await server.tool(tool, args)).body.error.data.code).toBe(code)
})

test('[CAT-048] [LIV-008] usp_services_get of an unknown id is an error, not a result', async () => {
  const { body } = await server.tool('usp_services_get', { service_id: 'svc_none' })
  expect(body.error).toMatchObject({ code: -32602, message: 'service_not_found', data: { code: 'service_not_found' } })
  expect(body).not.toHaveProperty('result')
})

test('[CAT-049] usp_services_get without service_id is refused with -32600', async () => {
  const { body } = await server.tool('usp_services_get', {})
  expect(body.error).toMatchObject({ code: -32600, message: 'invalid_request', data: { code: 'invalid_request' } })
  expect(body).not.toHaveProperty('result')
})
