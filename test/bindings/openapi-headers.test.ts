import { expect, test } from 'vitest'
import { inOpenapi30 } from '../../src/interfaces/docs/convert-to-openapi-3-0.ts'
import { openapi } from '../../src/interfaces/docs/openapi.ts'
import { openrpc } from '../../src/interfaces/docs/openrpc.ts'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const document = JSON.parse(JSON.stringify(openapi(operations)))
const server = await testServer(businessWith([service('svc_a')], { sign_answers: true }))

const declared = (response: { headers?: object; $ref?: string }): string[] =>
  Object.keys((response.$ref ? document.components.responses.Problem : response).headers ?? {}).map((name) =>
    name.toLowerCase(),
  )
/** Headers that describe the message and not the answer, or that every page of the server has. */
const OF_HTTP =
  /^(access-control-|cache-control|connection|content-(length|type|security-policy)|date|vary|cross-origin-|origin-agent|referrer-policy|strict-transport|x-(content-type|dns|download|frame|permitted|xss))/

test.each([
  ['GET', '/services/svc_a', '200', undefined, {}],
  ['GET', '/services/svc_none', '404', undefined, {}],
  ['POST', '/services/list', '200', {}, {}],
  ['POST', '/bookings', '401', { service_id: 'svc_a', slot_id: 'none', buyer: {} }, { 'usp-agent': 'profile="x"' }],
] as const)('what answers %s %s with %s declares each header that it has', async (method, path, status, body, more) => {
  const answer = await server.rest(method, path, body, more)
  const described = document.paths[`/usp/v1${path.replace(/svc_\w+/, '{service_id}')}`]?.[method.toLowerCase()]
  const own = Object.keys(answer.headers).filter((name) => !OF_HTTP.test(name))
  expect(own).toContain('x-request-id')
  const problem = described.responses[answer.status] ?? described.responses[status]
  expect(declared(problem)).toEqual(expect.arrayContaining(own))
})

test('a refusal declares when to come again, and the nonce that a proof needs', () => {
  expect(declared(document.components.responses.Problem)).toEqual(
    expect.arrayContaining(['retry-after', 'ratelimit-remaining', 'dpop-nonce', 'www-authenticate']),
  )
})

test('each header that is referred to is described', () => {
  const referred = [...JSON.stringify(document).matchAll(/#\/components\/headers\/([\w-]+)/g)].map(([, name]) => name)
  expect(new Set(referred)).toEqual(new Set(Object.keys(document.components.headers)))
})

test('tags have descriptions, and the document a contact', () => {
  expect(document.info.contact).toMatchObject({ url: expect.stringMatching(/^https:/) })
  const used = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods as Record<string, { tags: string[] }>).flatMap(({ tags }) => tags),
  )
  const described = document.tags.map(({ name, description }: Record<string, string>) => description && name)
  expect(described).toEqual(expect.arrayContaining([...new Set(used)]))
  expect(described).not.toContain(undefined)
})

test('parameters say what the server takes: an address of a profile, and an id of any length', () => {
  const parameters: { name: string; schema: { pattern?: string; maxLength?: number } }[] =
    document.paths['/usp/v1/bookings'].post.parameters
  const schemaOf = (wanted: string) => parameters.find(({ name }) => name === wanted)?.schema
  const pattern = new RegExp(String(schemaOf('USP-Agent')?.pattern))
  expect('profile="https://platform.example/p.json"').toMatch(pattern)
  expect('profile="platform.example"').not.toMatch(pattern)
  expect(schemaOf('USP-Correlation-Id')).not.toHaveProperty('maxLength')
})

test('the tools are described at an absolute address, that of the server which is asked', async () => {
  const addressOf = (rpc: unknown) => JSON.parse(JSON.stringify(rpc)).servers[0].url
  expect(addressOf(openrpc(operations, 'https://salon.example'))).toBe('https://salon.example/usp/mcp')
  const { body } = await server.raw({ method: 'GET', url: '/schemas/openrpc/usp-mcp.json' })
  expect(addressOf(body)).toBe(`${server.runtime.config.baseUrl}/usp/mcp`)
})

test('the form in OpenAPI 3.0 has every operation, and nothing that 3.0 lacks', async () => {
  const older = JSON.parse(JSON.stringify(inOpenapi30(document)))
  expect(older.openapi).toBe('3.0.3')
  for (const { method, path } of operations.map(restRouteOf))
    expect(older.paths[`/usp/v1${path}`]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined()
  const faults: string[] = []
  const look = (value: unknown, at: string) => {
    if (typeof value !== 'object' || value === null) return
    const members = value as Record<string, unknown>
    if (Array.isArray(members.type)) faults.push(`${at}: several types`)
    if ('const' in members || Array.isArray(members.examples)) faults.push(`${at}: const or examples`)
    if (typeof members.$ref === 'string' && Object.keys(members).length > 1) faults.push(`${at}: beside a reference`)
    for (const [name, child] of Object.entries(members)) if (name !== 'example') look(child, `${at}/${name}`)
  }
  look(older, '')
  expect(faults).toEqual([])
  expect(older).not.toHaveProperty('webhooks')
  expect(older.info.license).toEqual({ name: 'Apache-2.0' })
  const { body } = await server.raw({ method: 'GET', url: '/schemas/openapi/usp-rest-3.0.json' })
  expect(body).toEqual(older)
})
