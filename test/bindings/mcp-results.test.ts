import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import { defineOperation } from '../../src/protocol/define-operation.ts'
import { BusinessRefusal, type BusinessRefusalCode, errors } from '../../src/protocol/errors.ts'
import { operations } from '../../src/server/all-operations.ts'
import { testServer } from '../support/server.ts'

const refusing = defineOperation<{ input: { code: BusinessRefusalCode }; output: { done: boolean } }>({
  id: 'makeRefusal',
  rest: 'POST /refusals',
  tool: 'usp_refusals_create',
  title: 'Be refused',
  description: 'Is refused with the given code.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'public',
  effect: 'create',
  input: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
  output: { type: 'object', required: ['done'], properties: { done: { type: 'boolean' } } },
  summary: () => 'It was not refused.',
  handle: async ({ input }) => {
    throw new BusinessRefusal(input.code, `The business says ${input.code}.`, '$.code')
  },
})
const salon = readFileSync('examples/glamour-salon.yaml', 'utf8')
const { definition } = readDefinition(salon, 'glamour-salon.yaml')
const server = await testServer(definition, { operations: [...operations, refusing] })

const successes: [string, object, RegExp][] = [
  ['usp_services_list', { query: 'yoga' }, /^One service: Vinyasa Yoga \(svc_yoga\)\.$/],
  ['usp_services_list', { pagination: { limit: 2 } }, /^2 services: .+, .+\. There are more from the cursor \S+ on\.$/],
  ['usp_services_list', { filters: { type: 'none' } }, /^No service matches\.$/],
  ['usp_services_get', { service_id: 'svc_yoga' }, /Vinyasa Yoga/],
  ['usp_services_lookup', { ids: ['svc_bike', 'svc_none'] }, /City Bike Rental/],
  ['usp_services_lookup', { ids: ['svc_none'] }, /None of these services exists/],
  ['usp_services_feed', { limit: 3 }, /^3 records, with more to come\.$/],
  ['usp_services_feed', { limit: 1, location_id: 'loc_none' }, /^0 records\.$/],
]

test.each(successes)(
  '[MCP-007] [MCP-008] [MCP-009] %s %j answers with the payload and a sentence about it',
  async (tool, args, sentence) => {
    const { result } = (await server.tool(tool, args)).body
    expect(result.structuredContent.usp.version).toBe('2026-08-20')
    expect(result.content[0].type).toBe('text')
    expect(result.content[0].text).toMatch(sentence)
    expect(result.content[0].text).not.toMatch(/[{}]/)
    expect(result).not.toHaveProperty('isError')
  },
)

test('[CAT-003] usp_services_list answers with usp, services and pagination beside a summary', async () => {
  const { result } = (await server.tool('usp_services_list', { query: 'massage' })).body
  expect(Object.keys(result.structuredContent).sort()).toEqual(['pagination', 'services', 'usp'])
  expect(result.structuredContent.services.map(({ id }: { id: string }) => id)).toEqual(['svc_massage'])
  expect(result.content).toEqual([{ type: 'text', text: 'One service: Deep Tissue Massage (svc_massage).' }])
})

const isOutcome = (entry: [string, object]): entry is [BusinessRefusalCode, object] => 'severity' in entry[1]
const outcomes = Object.entries(errors)
  .filter(isOutcome)
  .map(([code]) => code)

test.each(outcomes)(
  '[MCP-008] [MCP-009] [MCP-010] [MCP-032] a refusal with %s is a result, and the same on both bindings',
  async (code) => {
    const { status, body } = await server.tool(refusing.tool, { code })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('error')
    expect(body.result).not.toHaveProperty('messages')
    expect(body.result.content).toEqual([{ type: 'text', text: `The business says ${code}.` }])
    const [message, ...more] = body.result.structuredContent.messages
    expect(more).toEqual([])
    expect(message).toMatchObject({ type: 'error', code, content: `The business says ${code}.`, path: '$.code' })

    const rest = await server.rest('POST', '/refusals', { code })
    expect(rest.status).toBe(200)
    expect(rest.body.messages).toEqual([message])
  },
)
