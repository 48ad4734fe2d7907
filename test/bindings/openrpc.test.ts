import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { openrpc } from '../../src/interfaces/docs/openrpc.ts'
import { toolLists } from '../../src/interfaces/mcp/tool-list.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, services } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

interface Content {
  name: string
  required?: boolean
  schema: object
}
interface Method {
  name: string
  summary: string
  description: string
  paramStructure: string
  params: Content[]
  result: Content
  errors: { $ref: string }[]
  'x-usp-access': string
}
interface Document {
  openrpc: string
  info: object
  servers: object[]
  methods: Method[]
  components: { schemas: object; errors: Record<string, { code: number; message: string; data: object }> }
}

const text = `${JSON.stringify(openrpc(operations), null, 2)}\n`
const document: Document = JSON.parse(text)
const server = await testServer(businessWith(services(3), { registry: { enabled: true } }))

const everything = { ...businessWith(services(1)), registry: { enabled: true } }
const takes = new Map(
  ['owner' as const, undefined]
    .flatMap((role) => toolLists(operations)(everything, role))
    .map(({ name, inputSchema }) => [name, inputSchema]),
)

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, 'usp-mcp')

/** The members that OpenRPC 1.3.2 knows there; a name of one's own begins with x-. */
const known = {
  root: ['openrpc', 'info', 'servers', 'methods', 'components', 'externalDocs'],
  method: [
    ...['name', 'tags', 'summary', 'description', 'externalDocs', 'params', 'result', 'deprecated', 'servers'],
    ...['errors', 'links', 'paramStructure', 'examples'],
  ],
  content: ['name', 'summary', 'description', 'required', 'schema', 'deprecated'],
  components: ['contentDescriptors', 'schemas', 'examples', 'links', 'errors', 'examplePairingObjects', 'tags'],
  error: ['code', 'message', 'data'],
}
const expectKnown = (value: object, place: keyof typeof known) =>
  expect(Object.keys(value).filter((name) => !name.startsWith('x-') && !known[place].includes(name))).toEqual([])

test('the document is OpenRPC 1.3.2, of this version of the protocol, and names its server', () => {
  expectKnown(document, 'root')
  expect(document.openrpc).toBe('1.3.2')
  expect(document.info).toMatchObject({ title: expect.any(String), version: '2026-08-20' })
  expect(document.servers).toEqual([{ name: expect.any(String), url: 'http://127.0.0.1:8080/usp/mcp' }])
})

test('the committed file is what the operations say; `npm run generate` writes it', () => {
  expect(readFileSync('openapi/usp-mcp.json', 'utf8')).toBe(text)
})

test('the server serves the document', async () => {
  expect((await server.raw({ method: 'GET', url: '/schemas/openrpc/usp-mcp.json' })).body).toEqual(document)
})

test('there is one method for each tool', () => {
  expect(document.methods.map(({ name }) => name)).toEqual(operations.map(({ tool }) => tool))
  expect(new Set(document.methods.map(({ name }) => name)).size).toBe(document.methods.length)
})

describe.each(document.methods)('$name', (method) => {
  const operation = operations.find(({ tool }) => tool === method.name)

  test('is described as OpenRPC has it', () => {
    expectKnown(method, 'method')
    for (const content of [...method.params, method.result]) {
      expectKnown(content, 'content')
      expect(content).toMatchObject({ name: expect.stringMatching(/\S/), schema: expect.any(Object) })
    }
    expect(method.paramStructure).toBe('by-name')
    expect(method).toMatchObject({ summary: operation?.title, description: operation?.description })
    expect(method['x-usp-access']).toBe(operation?.access)
  })

  test('has each parameter once, what is required before what is not', () => {
    const names = method.params.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const required = method.params.map((param) => param.required === true)
    expect(required).toEqual(required.toSorted((one, other) => Number(other) - Number(one)))
  })

  test('takes what the tool takes', () => {
    const inputSchema = Object(takes.get(method.name))
    expect(method.params.map(({ name }) => name).toSorted()).toEqual(Object.keys(inputSchema.properties).toSorted())
    const required = method.params.filter((param) => param.required).map(({ name }) => name)
    expect(required.toSorted()).toEqual((inputSchema.required ?? []).toSorted())
  })

  test('has schemas that can be compiled, and a result that cannot be empty', () => {
    const place = `usp-mcp#/methods/${document.methods.indexOf(method)}`
    for (const index of method.params.keys())
      expect(() => ajv.compile({ $ref: `${place}/params/${index}/schema` })).not.toThrow()
    const admits = ajv.compile({ $ref: `${place}/result/schema` })
    expect(admits({ structuredContent: {}, content: [] })).toBe(false)
  })

  test('names the error it may raise', () => {
    expect(method.errors).toEqual([{ $ref: '#/components/errors/USPProtocolError' }])
  })
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
  '[MCP-015] the documented result of %s admits its success and a refusal, and nothing in between',
  async (tool, args, payload) => {
    const place = `usp-mcp#/methods/${document.methods.findIndex(({ name }) => name === tool)}`
    const validate = ajv.compile({ $ref: `${place}/result/schema` })
    const { structuredContent, content } = (await server.tool(tool, args)).body.result
    const admits = (answer: object) => validate({ structuredContent: answer, content })
    expect(admits(structuredContent), JSON.stringify(validate.errors)).toBe(true)
    expect(admits(refused), JSON.stringify(validate.errors)).toBe(true)
    expect(admits({ ...structuredContent, [payload]: undefined })).toBe(false)
    expect(admits({ ...structuredContent, usp: undefined })).toBe(false)
    expect(admits({ usp: refused.usp })).toBe(false)
  },
)

test('the documented result is the result given', async () => {
  const place = `usp-mcp#/methods/${document.methods.findIndex(({ name }) => name === 'usp_services_list')}`
  const admits = ajv.compile({ $ref: `${place}/result/schema` })
  const { result } = (await server.tool('usp_services_list', {})).body
  expect(admits(result), JSON.stringify(admits.errors)).toBe(true)
  expect(admits({ ...result, structuredContent: undefined })).toBe(false)
})

test('[LIV-028] the documented error is the error raised', async () => {
  expectKnown(document.components, 'components')
  const described = document.components.errors.USPProtocolError ?? { code: 0, message: '', data: {} }
  expectKnown(described, 'error')
  expect(described).toMatchObject({ code: -32602, message: expect.stringMatching(/\S/) })
  const admits = ajv.compile({ $ref: 'usp-mcp#/components/errors/USPProtocolError/data' })
  for (const args of [{}, { service_id: 1 }, { service_id: 'svc_none' }, { _meta: 1 }]) {
    const { error } = (await server.tool('usp_services_get', args)).body
    expect(admits(error.data), JSON.stringify(admits.errors)).toBe(true)
  }
  expect(admits({ code: 'invented', content: 'No such code.' })).toBe(false)
  expect(admits({ code: 'slot_unavailable', content: 'An outcome is no error.' })).toBe(false)
})

test('every reference leads to something in the document', () => {
  const references = [...new Set([...text.matchAll(/"\$ref": "([^"]*)"/g)].map(([, reference]) => String(reference)))]
  expect(references.length).toBeGreaterThan(10)
  for (const reference of references) {
    expect(reference).toMatch(/^#\/components\//)
    const found = reference
      .slice(2)
      .split('/')
      .reduce((value: unknown, part) => Object(value)[part], document)
    expect(found, reference).toBeTypeOf('object')
  }
})
