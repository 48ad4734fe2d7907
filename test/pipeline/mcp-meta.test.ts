import { expect, test } from 'vitest'
import { type Access, defineOperation, type Effect, type Operation } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, services } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

let executed = 0
/** A tool of the given class, whose name tells it. */
const toolOf = (access: Access, effect: Effect): Operation =>
  defineOperation<{ input: object; output: object }>({
    id: `${access}_${effect}`,
    rest: `POST /${access}/${effect}`,
    tool: `usp_${access}_${effect}`,
    title: 'Count',
    description: 'Counts how often it runs.',
    capability: 'dev.usp-protocol.services.catalog',
    access,
    effect,
    input: { type: 'object', properties: {} },
    output: { type: 'object', properties: {} },
    summary: () => 'It ran.',
    handle: async () => {
      executed += 1
      return {}
    },
  })
const platformWrite = toolOf('privileged_platform', 'create')
const platformRead = toolOf('privileged_platform', 'read')
const scopedWrite = toolOf('privileged_scoped', 'update')
const scopedRead = toolOf('privileged_scoped', 'read')
const privileged = [platformWrite, platformRead, scopedWrite, scopedRead]
const publicTool = toolOf('public', 'read')
const businessOnly = toolOf('business_only', 'update')
const own = [...privileged, publicTool, businessOnly]

const definition = businessWith(services(3), { registry: { enabled: true } })
const server = await testServer(definition, { operations: [...operations, ...own] })
const key = '3f0f6b1e-6c1b-4f5e-9d55-0a8f3f1d2c4b'
const profile = 'https://platform.example/profile.json'

const published: [string, object][] = [
  ['usp_services_list', { query: 'svc' }],
  ['usp_services_get', { service_id: 'svc_001' }],
  ['usp_services_lookup', { ids: ['svc_001'] }],
  ['usp_services_feed', { limit: 2 }],
]

/** Whatever else may be missing of the call, its `_meta` is not why it is refused. */
async function expectFit(tool: string, usp: object) {
  const { body } = await server.tool(tool, { _meta: { usp } })
  expect(body.error?.data.code).not.toBe('invalid_request')
}

async function expectUnfit(tool: string, usp: object, member: string) {
  const before = executed
  const { body } = await server.tool(tool, { _meta: { usp } })
  expect(body.error).toMatchObject({ code: -32600, message: 'invalid_request', data: { code: 'invalid_request' } })
  expect(body.error.data.errors.map(({ field }: { field: string }) => field)).toContain(`_meta.usp.${member}`)
  expect(executed).toBe(before)
}

test.each(published)('[MCP-018] %s needs no _meta, and takes an empty one', async (tool, args) => {
  const [plain, ...others] = await Promise.all(
    [{}, { _meta: {} }, { _meta: { usp: {} } }].map((meta) => server.tool(tool, { ...args, ...meta })),
  )
  expect(plain?.body.result.structuredContent.usp.version).toBe('2026-08-20')
  for (const { body } of others) expect(body).toEqual(plain?.body)
})

test.each(published)('[MCP-019] %s refuses an unknown member of _meta.usp', async (tool, args) => {
  for (const member of ['bogus', 'idempotency_key', 'if_match', 'authorization']) {
    const { body } = await server.tool(tool, { ...args, _meta: { usp: { [member]: key } } })
    expect(body.error).toMatchObject({ code: -32600, data: { code: 'invalid_request' } })
    expect(body.error.data.errors).toEqual([{ field: `_meta.usp.${member}`, message: expect.any(String) }])
  }
})

test.each(own)('[MCP-019] $tool refuses an unknown member of _meta.usp and does not run', async ({ tool }) => {
  await expectUnfit(tool, { profile, bogus: true }, 'bogus')
})

test.each(published)('[MCP-022] %s ignores what stands in _meta beside usp', async (tool, args) => {
  const plain = await server.tool(tool, args)
  const meta = { usp: {}, progressToken: 7, 'example.com/trace': { usp: 'x', authorization: ['y'] } }
  expect((await server.tool(tool, { ...args, _meta: meta })).body).toEqual(plain.body)
})

test.each([platformWrite, platformRead])(
  '[MCP-021] $tool is about no revision: if_match is refused',
  async ({ tool }) => {
    await expectUnfit(tool, { profile, if_match: '"r1"' }, 'if_match')
    await expectFit(scopedWrite.tool, { profile, if_match: '"r1"' })
  },
)

test.each(operations.filter(({ access, effect }) => access.startsWith('privileged') && effect === 'read'))(
  '[MCP-020] $tool changes nothing, so it takes no idempotency key',
  async ({ tool }) => {
    await expectUnfit(tool, { profile, idempotency_key: key }, 'idempotency_key')
    await expectFit(scopedWrite.tool, { profile, idempotency_key: key })
  },
)

test.each(privileged)('[MCP-023] $tool refuses an authorization without mechanism', async ({ tool }) => {
  await expectUnfit(tool, { profile, authorization: { credential: 'c' } }, 'authorization.mechanism')
  await expectUnfit(tool, { profile, authorization: {} }, 'authorization.mechanism')
  await expectFit(tool, { profile, authorization: { mechanism: 'api_key', credential: 'c' } })
})

test.each(privileged)('[MCP-024] $tool refuses an unknown member of authorization', async ({ tool }) => {
  const authorization = { mechanism: 'api_key', credential: 'c', scope: 'all' }
  await expectUnfit(tool, { profile, authorization }, 'authorization.scope')
})

test.each(privileged)('[MCP-025] $tool refuses a credential that is no string', async ({ tool }) => {
  const whole = { value: 'bsc_0123456789abcdefghijkl', expires_at: '2027-01-01T00:00:00Z' }
  for (const credential of [whole, [whole.value], 7, null, true])
    await expectUnfit(
      tool,
      { profile, authorization: { mechanism: 'booking_scoped_credential', credential } },
      'authorization.credential',
    )
})

test('[MCP-017] a profile that is missing is named beside whatever else is wrong', async () => {
  for (const { tool } of privileged) await expectUnfit(tool, { authorization: { mechanism: 5 } }, 'profile')
})

test.each(operations)('[LIV-108] $tool accepts a correlation id', async ({ tool, access }) => {
  const named = access.startsWith('privileged') ? { profile } : {}
  for (const correlation_id of ['trip-4711', '']) {
    const { body } = await server.tool(tool, { _meta: { usp: { ...named, correlation_id } } })
    const fields = (body.error?.data.errors ?? []).map(({ field }: { field: string }) => field)
    expect(fields.filter((field: string) => field.startsWith('_meta'))).toEqual([])
  }
})

test.each(own)('[LIV-108] the correlation id of $tool is a text', async ({ tool }) => {
  await expectUnfit(tool, { profile, correlation_id: 7 }, 'correlation_id')
})

test.each(published)(
  '[LIV-108] a correlation id changes nothing in the answer of %s but its own member',
  async (tool, args) => {
    const plain = (await server.tool(tool, args)).body
    expect((await server.tool(tool, { ...args, _meta: { usp: { correlation_id: '' } } })).body).toEqual(plain)
    const { body } = await server.tool(tool, { ...args, _meta: { usp: { correlation_id: 'trip-4711' } } })
    const { _meta, ...result } = body.result
    expect(result).toEqual(plain.result)
    expect(_meta).toEqual({ usp: { correlation_id: 'trip-4711' } })
  },
)

test('[LIV-109] an error repeats the correlation id, and the log has it', async () => {
  const { body, headers } = await server.tool('usp_services_get', {
    service_id: 'svc_none',
    _meta: { usp: { correlation_id: 'trip-4712' } },
  })
  expect(body.error.data).toMatchObject({ code: 'service_not_found', _meta: { usp: { correlation_id: 'trip-4712' } } })
  const line = server.logged.map((one) => JSON.parse(one)).find(({ correlationId }) => correlationId === 'trip-4712')
  expect(line).toMatchObject({ refusal: 'service_not_found' })
  expect(headers).not.toHaveProperty('usp-correlation-id')
})

test('[LIV-109] a long or invisible correlation id is shortened to its visible characters', async () => {
  const correlation_id = `a b\n${'x'.repeat(500)}`
  const { body } = await server.tool('usp_services_get', { service_id: 'svc_none', _meta: { usp: { correlation_id } } })
  expect(body.error.data._meta.usp.correlation_id).toBe(`ab${'x'.repeat(126)}`)
})
