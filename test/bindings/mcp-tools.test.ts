import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { operations } from '../../src/operations.ts'
import { type Access, defineOperation, type Effect, type Operation } from '../../src/protocol/operation.ts'
import { businessWith, services } from '../support/definitions.ts'
import { isOfTheProtocol, published } from '../support/published-tools.ts'
import { type TestServer, testServer } from '../support/server.ts'

interface Tool {
  name: string
  title: string
  description: string
  inputSchema: { type: string; properties: object; required?: string[]; $defs?: object }
  outputSchema: { type: string }
  annotations: object
}

const toolsOf = async (server: TestServer): Promise<Tool[]> => {
  const payload = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  const headers = { 'content-type': 'application/json' }
  return (await server.raw({ method: 'POST', url: '/usp/mcp', headers, payload })).body.result.tools
}

const throwAway = (access: Access, effect: Effect): Operation =>
  defineOperation<{ input: object; output: object }>({
    id: `${access}_${effect}`,
    rest: `POST /${access}/${effect}`,
    tool: `usp_${access}_${effect}`,
    title: 'Do nothing',
    description: 'Does nothing at all.',
    capability: 'dev.usp-protocol.services.catalog',
    access,
    effect,
    input: { type: 'object', required: ['booking_id'], properties: { booking_id: { type: 'string' } } },
    output: { type: 'object', properties: {} },
    summary: () => 'Nothing was done.',
    handle: async () => ({}),
  })
const classes: [Access, Effect][] = [
  ['public', 'read'],
  ['privileged_platform', 'create'],
  ['privileged_platform', 'read'],
  ['privileged_scoped', 'update'],
  ['privileged_scoped', 'read'],
  ['privileged_scoped', 'remove'],
  ['business_only', 'update'],
]

const server = await testServer(businessWith(services(3), { registry: { enabled: true } }))
const tools = await toolsOf(server)
const other = await toolsOf(
  await testServer(undefined, { operations: classes.map(([access, effect]) => throwAway(access, effect)) }),
)
const named = (list: Tool[], name: string) => {
  const tool = list.find((one) => one.name === name)
  if (!tool) throw new Error(`tools/list has no ${name}`)
  return tool
}

test('tools/list has every operation once, in the order of the list', () => {
  expect(tools.map(({ name }) => name)).toEqual(operations.map(({ tool }) => tool))
})

test('[MCP-002] every tool of the protocol is there', () => {
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(published)))
})

const ofTheProtocol = tools.filter(({ name }) => isOfTheProtocol({ tool: name }))

test.each(ofTheProtocol)(
  '[MCP-004] $name takes the published parameters and requires those that are required',
  ({ name, inputSchema }) => {
    const parameters = published[name]?.split(' ') ?? []
    const required = parameters.filter((parameter) => !parameter.endsWith('?'))
    expect(Object.keys(inputSchema.properties)).toEqual(
      expect.arrayContaining(parameters.map((parameter) => parameter.replace('?', ''))),
    )
    expect((inputSchema.required ?? []).toSorted()).toEqual(required.toSorted())
  },
)

test.each(classes)(
  '[MCP-004] a %s tool that may %s requires _meta when it is privileged, and only then',
  (access, effect) => {
    const { inputSchema } = named(other, `usp_${access}_${effect}`)
    expect(inputSchema.required).toContain('booking_id')
    if (access.startsWith('privileged')) expect(inputSchema.required).toContain('_meta')
    else expect(inputSchema.required).not.toContain('_meta')
    expect('_meta' in inputSchema.properties).toBe(access !== 'business_only')
  },
)

test.each(tools)(
  '$name tells what it does and what each of its parameters means',
  ({ title, description, inputSchema }) => {
    expect(title).toMatch(/^[A-Z]/)
    expect(description).toMatch(/^[A-Z].{30,}\.$/)
    expect([...undescribed(inputSchema, Object(inputSchema.$defs))]).toEqual([])
  },
)

test.each(tools)('$name can be understood without fetching anything', ({ inputSchema, outputSchema }) => {
  for (const schema of [inputSchema, outputSchema]) {
    expect(schema.type).toBe('object')
    for (const [, reference] of JSON.stringify(schema).matchAll(/"\$(?:ref|dynamicRef)":"([^"]*)"/g))
      expect(reference).toMatch(/^#\/\$defs\//)
    expect(() => compile(schema)).not.toThrow()
  }
})

test.each<[Access, Effect, object]>([
  ['public', 'read', { readOnlyHint: true, destructiveHint: false }],
  ['privileged_platform', 'create', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
  ['privileged_scoped', 'update', { readOnlyHint: false, idempotentHint: true }],
  ['privileged_scoped', 'remove', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
])('the hints of a %s tool that may %s are true', (access, effect, hints) => {
  expect(named(other, `usp_${access}_${effect}`).annotations).toMatchObject({ ...hints, openWorldHint: false })
})

const refused = {
  usp: { version: '2026-08-20', status: 'error', capabilities: {} },
  messages: [{ type: 'error', code: 'slot_unavailable', content: 'It is taken.', severity: 'recoverable' }],
}

test.each<[string, object, string]>([
  ['usp_services_list', {}, 'services'],
  ['usp_services_get', { service_id: 'svc_001' }, 'service'],
  ['usp_services_lookup', { ids: ['svc_001', 'svc_none'] }, 'services'],
  ['usp_services_feed', {}, 'items'],
])(
  '[MCP-015] the outputSchema of %s admits its success and a refusal, and nothing in between',
  async (tool, args, payload) => {
    const admits = compile(named(tools, tool).outputSchema)
    const { structuredContent } = (await server.tool(tool, args)).body.result
    expect(admits(structuredContent), JSON.stringify(admits.errors)).toBe(true)
    expect(admits(refused), JSON.stringify(admits.errors)).toBe(true)
    expect(admits({ ...structuredContent, [payload]: undefined })).toBe(false)
    expect(admits({ ...structuredContent, usp: undefined })).toBe(false)
    expect(admits({ usp: refused.usp })).toBe(false)
  },
)

function compile(schema: object) {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  return ajv.compile(schema)
}

/** Paths of the properties, at any depth, that no description explains. */
function* undescribed(schema: unknown, definitions: Record<string, unknown>, path = ''): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, property] of Object.entries(Object(Object(schema).properties))) {
    const { description, $ref = '' } = Object(property)
    if (!description && !Object(definitions[String($ref).replace('#/$defs/', '')]).description) yield `${path}.${name}`
  }
  for (const [keyword, child] of Object.entries(schema)) yield* undescribed(child, definitions, `${path}.${keyword}`)
}
