import { expect, test } from 'vitest'
import type { Result } from '../../src/protocol/define-operation.ts'
import { BusinessRefusal } from '../../src/protocol/errors.ts'
import type { Message } from '../../src/protocol/types.generated.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testOperation } from '../support/operation.ts'
import { testServer } from '../support/server.ts'

let result: () => Result = () => ({})
const create = testOperation('create', {
  rest: 'POST /things',
  tool: 'usp_things_create',
  effect: 'create',
  output: { type: 'object', required: ['thing'], properties: { thing: { type: 'object' } } },
  summary: () => 'Created.',
  handle: async () => result(),
})
const server = await testServer(
  businessWith([service('svc_one'), service('svc_paused', { status: 'suspended' })], { registry: { enabled: true } }),
  {
    operations: [...operations, create],
  },
)

/** What REST and MCP answer, which must be the same. */
async function alike(
  rest: Promise<{ body: unknown }>,
  tool: Promise<{ body: { result: { structuredContent: unknown } } }>,
) {
  const { body } = await rest
  expect((await tool).body.result.structuredContent).toEqual(body)
  return Object(body)
}

const looked = () => {
  const input = { ids: ['svc_one', 'svc_none', 'svc_gone'] }
  return alike(server.rest('POST', '/services/lookup', input), server.tool('usp_services_lookup', input))
}
const paused = () =>
  alike(server.rest('GET', '/services/svc_paused'), server.tool('usp_services_get', { service_id: 'svc_paused' }))
const created = () => alike(server.rest('POST', '/things', {}), server.tool('usp_things_create'))
const refused = () => {
  result = () => {
    throw new BusinessRefusal('capacity_exceeded', 'The party is too large.', '$.party_size')
  }
  return created()
}

test.each([
  ['warnings', looked, ['warning', 'warning', 'warning', 'warning']],
  ['a notice', paused, ['info']],
  ['a refusal', refused, ['error']],
] as const)('[ERR-001] [ERR-002] [ERR-003] %s have type, code and words for people', async (_, answer, types) => {
  const { messages }: { messages: Message[] } = await answer()
  expect(messages.map(({ type }) => type)).toEqual(types)
  for (const { code, content } of messages) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(content).toMatch(/^\S.* .*[.!]$/)
  }
})

test('[ERR-007] the path of a message is a JSONPath to the member it is about', async () => {
  const { messages }: { messages: Message[] } = await looked()
  expect(messages.map(({ path }) => path)).toEqual(['$.ids[1]', '$.ids[1]', '$.ids[2]', '$.ids[2]'])
  expect((await refused()).messages[0].path).toBe('$.party_size')
})

test('[ERR-008] a refusal stands in the messages of the answer itself, and nowhere else', async () => {
  const answer = await refused()
  expect(Object.keys(answer).sort()).toEqual(['messages', 'usp'])
  expect(answer.messages).toHaveLength(1)
})

test('[ERR-009] warnings and notices accompany a whole payload', async () => {
  const warned = await looked()
  expect([warned.services.length, warned.messages.length]).toEqual([1, 4])
  const noticed = await paused()
  expect([noticed.service.id, noticed.messages.length]).toEqual(['svc_paused', 1])
})

test('[ERR-009] a creation may answer 201 with a warning beside what it made', async () => {
  const warning = { type: 'warning', code: 'parking_scarce', content: 'Parking is scarce.' } as const
  result = () => ({ thing: { id: 'one' }, messages: [warning] })
  const { status, body } = await server.rest('POST', '/things', {})
  expect(status).toBe(201)
  expect(body).toMatchObject({ thing: { id: 'one' }, messages: [warning] })
})

test('[ERR-009] every operation is described as one that may answer with messages', async () => {
  const { body: openapi } = await server.raw({ method: 'GET', url: '/schemas/openapi/usp-rest.json' })
  const { body: openrpc } = await server.raw({ method: 'GET', url: '/schemas/openrpc/usp-mcp.json' })
  expect(openrpc.methods.length).toBe(operations.length + 1)
  for (const { name, result } of openrpc.methods)
    expect(result.schema.properties.structuredContent.properties, name).toHaveProperty('messages')
  for (const [path, methods] of Object.entries<object>(openapi.paths))
    for (const { responses } of Object.values(methods)) {
      const { schema } = (responses[200] ?? responses[201]).content['application/json'] ?? {}
      // A calendar file is no envelope.
      if (path.startsWith('/usp/v1') && schema) expect(schema.properties).toHaveProperty('messages')
    }
})

test.each([
  ['[ERR-001]', 'a type beyond error, warning and info', { type: 'notice' }],
  ['[ERR-002]', 'no code', { code: undefined }],
  ['[ERR-003]', 'no content', { content: undefined }],
  ['[ERR-004]', 'a content type beyond plain and markdown', { content_type: 'html' }],
  ['[ERR-005]', 'a severity beyond the four of the protocol', { severity: 'fatal' }],
])('%s a message with %s leaves the server on neither binding', async (_, __, wrong) => {
  const message = { type: 'error', code: 'made_up', content: 'In words.', ...wrong } as Message
  result = () => ({ thing: {}, messages: [message] })
  expect(await server.rest('POST', '/things', {})).toMatchObject({ status: 500, body: { code: 'server_error' } })
  expect((await server.tool('usp_things_create')).body.error.data.code).toBe('server_error')
})
