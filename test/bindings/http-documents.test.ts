import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_one')]))
const root = new URL('../../', import.meta.url)
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))

async function served(url: string) {
  const { status, headers, body } = await server.raw({ method: 'GET', url })
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(headers['cache-control']).toMatch(/public, max-age=\d+/)
  return body
}

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, child] of Object.entries(value)) {
    if (name === '$ref' && typeof child === 'string') yield child
    else yield* references(child)
  }
}

const standsAt = (document: unknown, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce((place, token) => Object(place)[token.replaceAll('~1', '/').replaceAll('~0', '~')], document)

function expectSelfContained(document: object) {
  const all = [...new Set(references(document))]
  expect(all.filter((reference) => !reference.startsWith('#/'))).toEqual([])
  expect(all.filter((reference) => standsAt(document, reference.slice(1)) === undefined)).toEqual([])
}

/** Compiles what stands under the pointer, each shape by itself, with nothing else loaded. */
function expectCompilable(document: object, pointer: string) {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'https://reader.example/document')
  const shapes = Object.keys(Object(standsAt(document, pointer)))
  expect(shapes).not.toEqual([])
  for (const name of shapes)
    expect(ajv.compile({ $ref: `https://reader.example/document#${pointer}/${name}` })).toBeTypeOf('function')
}

const documents = readdirSync(new URL('schemas/', root)).map((file) => {
  const { $id } = readJson(`schemas/${file}`)
  return $id.startsWith('https://') ? new URL($id).pathname : `/schemas/${file}`
})

test.each(documents)('%s is served, refers to nothing outside itself and compiles alone', async (url) => {
  const document = await served(url)
  expectSelfContained(document)
  const { $id: _, ...anonymous } = document
  expectCompilable(anonymous, '/$defs')
})

test('a served schema tells a service from what is none', async () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const { $id } = await served('/schemas/services/catalog.json').then((document) => {
    ajv.addSchema(document)
    return document
  })
  const isService = ajv.compile({ $ref: `${$id}#/$defs/Service` })
  const { service: one } = (await server.rest('GET', '/services/svc_one')).body
  expect([isService(one), isService({ ...one, pricing: { amount: 'much' } })]).toEqual([true, false])
})

test.each([
  ['/schemas/openapi/usp-rest.json', 'openapi/usp-rest.json'],
  ['/schemas/openrpc/usp-mcp.json', 'openapi/usp-mcp.json'],
])('%s describes this server, complete in itself, as the committed %s does', async (url, file) => {
  const document = await served(url)
  expectSelfContained(document)
  expectCompilable(document, '/components/schemas')
  expect(document).toEqual(readJson(file))
})

test.each(['/schemas/', '/schemas/nothing.json', '/schemas/__proto__', '/schemas/../package.json'])(
  'there is no schema at %s',
  async (url) => {
    const { status, body } = await server.raw({ method: 'GET', url })
    expect([status, body.code]).toEqual([404, 'not_found'])
  },
)

describe.each(['/docs/api', '/docs/api/'])('the page %s', async (url) => {
  const page = await server.raw({ method: 'GET', url })
  const html = String(page.body)
  const parts = [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
  const origin = 'http://book.example'

  test('is HTML that names no other origin', () => {
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect(html).not.toMatch(/(https?:)?\/\/[a-z0-9]/i)
    expect(parts.map((part) => new URL(part, origin + url).origin)).toEqual(parts.map(() => origin))
  })

  test('finds every script, style and picture it names on this server', async () => {
    expect(parts.filter((part) => part.endsWith('.js')).length).toBeGreaterThan(1)
    for (const part of parts) {
      const { status } = await server.raw({ method: 'GET', url: new URL(part, origin + url).pathname })
      expect({ part, status }).toEqual({ part, status: 200 })
    }
  })

  test('may run its own scripts and load its own data, and asks nobody else', () => {
    const policy = page.headers['content-security-policy'] ?? ''
    expect(policy).toMatch(/(default|script)-src 'self'/)
    expect(policy).toMatch(/(default|connect)-src 'self'/)
    expect(policy).not.toMatch(/https?:|swagger\.io/)
  })

  test('loads its parts over plain HTTP where the server speaks plain HTTP', () => {
    expect(page.headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
  })
})

test('a file without a known type is not served, although it is in the folder', async () => {
  expect((await server.raw({ method: 'GET', url: '/docs/api/static/index.css' })).status).toBe(200)
  expect((await server.raw({ method: 'GET', url: '/docs/api/static/csp.json' })).status).toBe(404)
})

test('the documentation page shows the OpenAPI document of this server and asks no validator', async () => {
  const { body } = await server.raw({ method: 'GET', url: '/docs/api/json' })
  expect(body).toEqual(await served('/schemas/openapi/usp-rest.json'))
  const start = await server.raw({ method: 'GET', url: '/docs/api/api-reference.js' })
  expect(start.body).toMatch(/validatorUrl: null/)
})
