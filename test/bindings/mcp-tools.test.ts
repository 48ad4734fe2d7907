import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { type Role, roles } from '../../src/protocol/caller-types.ts'
import { type Access, defineOperation, type Effect, type Operation } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, services } from '../support/definitions.ts'
import { isForPlatforms, isInProtocol, published } from '../support/published-tools.ts'
import { sampleOf } from '../support/samples.ts'
import { type TestServer, testServer } from '../support/server.ts'

interface Tool {
  name: string
  title: string
  description: string
  inputSchema: { type: string; properties: object; required?: string[]; $defs?: object }
  annotations: object
}

const list = (server: TestServer, token?: string) => {
  const payload = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  return server.raw({ method: 'POST', url: '/usp/mcp', headers, payload })
}
const listFor = async (server: TestServer, token?: string): Promise<Tool[]> =>
  (await list(server, token)).body.result.tools
const tokenOf = (server: TestServer, role: Role) => addStaff(server.runtime.db, 'Jo', role, new Date())
/** Whatever a tool is told to: to platforms, and to the owner. */
const toolsOf = async (server: TestServer): Promise<Tool[]> => {
  const all = [...(await listFor(server, await tokenOf(server, 'owner'))), ...(await listFor(server))]
  return [...new Map(all.map((tool) => [tool.name, tool])).values()]
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

const namesOf = (list: Tool[]) => list.map(({ name }) => name)
const bytesOf = (list: Tool[]) => Buffer.byteLength(JSON.stringify(list))

test('every operation is told to somebody, once', () => {
  expect(namesOf(tools).toSorted()).toEqual(operations.map(({ tool }) => tool).toSorted())
})

test('[MCP-002] [LIV-104] [tools by who asks] platforms are told of what the protocol has, in the order of the list', async () => {
  const list = await listFor(server)
  expect(namesOf(list)).toEqual(operations.filter(isForPlatforms).map(({ tool }) => tool))
  expect(namesOf(list)).toEqual(expect.arrayContaining(Object.keys(published)))
  expect(bytesOf(list)).toBeLessThan(60_000)
})

test.each(roles)('[tools by who asks] a token of the role %s is told of what it may call', async (role) => {
  const token = await tokenOf(server, role)
  const list = await listFor(server, token)
  expect(bytesOf(list)).toBeLessThan(90_000)
  for (const { name, inputSchema } of list) expect(inputSchema.properties, name).not.toHaveProperty('_meta')
  const allowed: string[] = []
  for (const operation of operations.filter(({ access }) => access === 'business_only')) {
    const { body } = await server.tool(operation.tool, sampleOf(operation), { authorization: `Bearer ${token}` })
    if (body.error?.data.code !== 'authentication_required') allowed.push(operation.tool)
  }
  const open = operations.filter(({ access }) => access === 'public').map(({ tool }) => tool)
  expect(namesOf(list).toSorted()).toEqual([...open, ...allowed].toSorted())
})

test('[tools by who asks] a token that nobody has is refused, as in a call', async () => {
  const { body } = await list(server, 'ust_nobody')
  expect(body.error).toMatchObject({ code: -32006, data: { code: 'authentication_required' } })
})

const ofTheProtocol = tools.filter(({ name }) => isInProtocol({ tool: name }))

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

test.each(tools)('$name can be understood without fetching anything', ({ inputSchema }) => {
  expect(inputSchema.type).toBe('object')
  for (const [, reference] of JSON.stringify(inputSchema).matchAll(/"\$(?:ref|dynamicRef)":"([^"]*)"/g))
    expect(reference).toMatch(/^#\/\$defs\//)
  expect(() => compile(inputSchema)).not.toThrow()
})

test.each<[Access, Effect, object]>([
  ['public', 'read', { readOnlyHint: true, destructiveHint: false }],
  ['privileged_platform', 'create', { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
  ['privileged_scoped', 'update', { readOnlyHint: false, destructiveHint: false, idempotentHint: true }],
  ['privileged_scoped', 'remove', { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
])('the hints of a %s tool that may %s are true', (access, effect, hints) => {
  expect(named(other, `usp_${access}_${effect}`).annotations).toMatchObject({ ...hints, openWorldHint: false })
})

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
