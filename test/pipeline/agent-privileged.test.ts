import { beforeEach, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { type Operation, restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restProof, type TestKey, testKey, testPlatform, toolProof } from '../support/platform.ts'
import { sampleOf } from '../support/samples.ts'
import { START, testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')], { registry: { enabled: true } }))
const platform = await testPlatform()
const other = await testPlatform()
const { key: apiKey } = await addClient(server.runtime.db, 'Agent', START)
const staff = { authorization: `Bearer ${await addStaff(server.runtime.db, 'Jo', 'owner', START)}` }

const privileged = operations.filter(({ access }) => access.startsWith('privileged'))
const agent = (url: string) => ({ 'usp-agent': `profile="${url}"` })

const pathOf = (operation: Operation) =>
  restRouteOf(operation).path.replace(/\{(\w+)\}/g, (_, name) => String(sampleOf(operation)[name]))
const rest = async (operation: Operation, headers: Record<string, string>) => {
  const { method, parameters, inBody } = restRouteOf(operation)
  const members = Object.entries(sampleOf(operation)).filter(([name]) => !parameters.includes(name))
  const input = inBody ? Object.fromEntries(members) : undefined
  const query = inBody ? '' : `?${new URLSearchParams(members.map(([name, value]) => [name, String(value)]))}`
  const { status, body } = await server.rest(method, pathOf(operation) + query, input, headers)
  return [status, body.code]
}
const proofFor = (key: TestKey, operation: Operation, now = START) => {
  const { method } = restRouteOf(operation)
  return { dpop: restProof(key, method, `http://127.0.0.1:8080/usp/v1${pathOf(operation)}`, now) }
}

const mcp = async (operation: Operation, usp: object, headers: Record<string, string> = {}) => {
  const { body } = await server.raw({
    method: 'POST',
    url: '/usp/mcp',
    headers: { 'content-type': 'application/json', ...headers },
    payload: {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: operation.tool, arguments: { ...sampleOf(operation), _meta: { usp } } },
    },
  })
  return [body.error?.code, body.error?.data.code]
}
const authorized = (key: TestKey, operation: Operation, usp: object, now = START) => {
  const proof = toolProof(key, operation.tool, { ...sampleOf(operation), _meta: { usp } }, now)
  return { ...usp, authorization: { mechanism: 'platform_key_pop', proof } }
}

const subscriptions = () => server.runtime.db.selectFrom('feed_subscriptions').select('id').execute()
beforeEach(() => server.runtime.db.deleteFrom('feed_subscriptions').execute())

const authenticationFailures = ['authentication_required', 'pop_proof_missing', 'pop_proof_invalid']

test.each(privileged.map((operation) => [operation.tool, operation] as const))(
  '[PRO-043] [AUT-044] %s over REST with a credential but without naming a platform is a bad request and changes nothing',
  async (_, operation) => {
    for (const headers of [proofFor(testKey(), operation), { authorization: `Bearer ${apiKey}` }])
      expect(await rest(operation, headers)).toEqual([400, 'invalid_request'])
    expect(await subscriptions()).toEqual([])
    expect((await rest(operation, { ...agent(platform.url), ...proofFor(testKey(), operation) }))[1]).not.toBe(
      'invalid_request',
    )
  },
)

test.each(privileged.map((operation) => [operation.tool, operation] as const))(
  '[PRO-043] [MCP-017] %s with a credential but without `_meta.usp.profile` is a bad request, whatever USP-Agent says',
  async (_, operation) => {
    for (const headers of [{}, agent(platform.url)]) {
      expect(await mcp(operation, authorized(testKey(), operation, {}), headers)).toEqual([-32600, 'invalid_request'])
      const withKey = { authorization: { mechanism: 'api_key', credential: apiKey } }
      expect(await mcp(operation, withKey, headers)).toEqual([-32600, 'invalid_request'])
    }
    expect(await subscriptions()).toEqual([])
    const usp = authorized(testKey(), operation, { profile: platform.url })
    expect((await mcp(operation, usp))[1]).not.toBe('invalid_request')
  },
)

test.each(privileged.map((operation) => [operation.tool, operation] as const))(
  '[AUT-043] %s with neither platform nor credential needs authentication, which comes before all else',
  async (_, operation) => {
    expect(await rest(operation, {})).toEqual([401, 'authentication_required'])
    expect(await mcp(operation, {})).toEqual([-32006, 'authentication_required'])
    expect(await rest(operation, agent(platform.url))).toEqual([401, 'authentication_required'])
    expect(await subscriptions()).toEqual([])
  },
)

test.each(operations.map((operation) => [operation.id, operation] as const))(
  '[REST-026] %s takes a valid USP-Agent header and does not fail because of it',
  async (_, operation) => {
    if (operation.access === 'public') {
      expect(await rest(operation, agent(platform.url))).toEqual(await rest(operation, {}))
      return
    }
    const own = operation.access === 'business_only' ? staff : proofFor(testKey(), operation)
    const [status, code] = await rest(operation, { ...agent(platform.url), ...own })
    expect(status).toBeLessThan(500)
    expect(['invalid_request', 'invalid_profile_url', ...authenticationFailures]).not.toContain(code)
  },
)

test('[REST-026] the business profile takes a USP-Agent header', async () => {
  const plain = await server.rest('GET', '/.well-known/usp')
  const named = await server.rest('GET', '/.well-known/usp', undefined, agent(platform.url))
  expect([named.status, named.body]).toEqual([200, plain.body])
})

const create = operations.find(({ id }) => id === 'createFeedSubscription')
const list = operations.find(({ id }) => id === 'listServices')

test('[AUT-051] a failed authentication and a public call bind a key to no profile; a proven call does', async () => {
  if (!create || !list) throw new Error('The catalogue is gone')
  const stale = new Date(START.getTime() - 3_600_000)
  const elsewhere = { profile: other.url }
  for (const binding of ['REST', 'MCP']) {
    const key = testKey()
    expect(await rest(create, { ...agent(other.url), ...proofFor(key, create, stale) })).toEqual([
      401,
      'pop_proof_invalid',
    ])
    expect(await mcp(create, authorized(key, create, elsewhere, stale))).toEqual([-32001, 'pop_proof_invalid'])
    expect(await rest(list, { ...agent(other.url), ...proofFor(key, list) })).toEqual([200, undefined])

    if (binding === 'REST')
      expect(await rest(create, { ...agent(platform.url), ...proofFor(key, create) })).toEqual([201, undefined])
    else expect(await mcp(create, authorized(key, create, { profile: platform.url }))).toEqual([undefined, undefined])
    expect(await rest(create, { ...agent(other.url), ...proofFor(key, create) })).toEqual([
      401,
      'authentication_required',
    ])
    expect(await mcp(create, authorized(key, create, elsewhere))).toEqual([-32006, 'authentication_required'])
  }
})
