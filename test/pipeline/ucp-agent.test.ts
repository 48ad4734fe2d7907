import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { restProof, type TestKey, testKey, testPlatform, toolProof } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'
import { CALLBACK, ORIGIN, SUBSCRIPTIONS } from '../support/sign.ts'

const definition = businessWith([service('svc_a')])
const native = await testServer({ ...definition, deployment_mode: 'ucp_native' })
const standalone = await testServer(definition)
const platform = await testPlatform()
const other = await testPlatform()

type Headers = Record<string, string>
const usp = (url: string): Headers => ({ 'usp-agent': `profile="${url}"` })
const ucp = (url: string): Headers => ({ 'ucp-agent': `profile="${url}"` })

const subscribe = (server: typeof native, headers: Headers, key: TestKey = testKey()) =>
  server.rest(
    'POST',
    '/services/feed/subscriptions',
    { callback_url: CALLBACK },
    {
      dpop: restProof(key, 'POST', ORIGIN + SUBSCRIPTIONS, START),
      ...headers,
    },
  )
const list = async (server: typeof native, headers: Headers) => {
  const { status, body } = await server.rest('POST', '/services/list', {}, headers)
  return [status, body.code]
}
const SUBSCRIBE = 'usp_services_feed_subscribe'
const profilePathOf = (server: typeof native) => (server === native ? '/.well-known/ucp' : '/.well-known/usp')
const inUsp = (profile: string) => ({ _meta: { usp: { profile } } })
const inUcp = (profile: string) => ({ meta: { 'ucp-agent': { profile } } })

const callTool = async (server: typeof native, name: string, args: object, headers: Headers = {}) => {
  const payload = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } }
  const { body } = await server.raw({ method: 'POST', url: '/usp/mcp', headers, payload })
  return body.error?.data ?? body.result.structuredContent
}
const listTool = async (server: typeof native, args: object, headers?: Headers) => {
  const { code, messages, services } = await callTool(server, 'usp_services_list', args, headers)
  return code ?? messages?.[0]?.code ?? services.length
}
const subscribeTool = async (server: typeof native, named: object, key: TestKey, profile?: string) => {
  const usp = { idempotency_key: randomUUID(), ...(profile !== undefined && { profile }) }
  const args = { callback_url: CALLBACK, ...named, _meta: { usp } }
  const proof = toolProof(key, SUBSCRIBE, args, START, { aud: `http://127.0.0.1:8080${profilePathOf(server)}` })
  const authorization = { mechanism: 'platform_key_pop', proof }
  const { code, subscription } = await callTool(server, SUBSCRIBE, {
    ...args,
    _meta: { usp: { ...usp, authorization } },
  })
  return code ?? subscription.status
}
const owners = (server: typeof native) =>
  server.runtime.db.selectFrom('feed_subscriptions').select(['principal', 'profile']).execute()

beforeEach(async () => {
  for (const server of [native, standalone]) await server.runtime.db.deleteFrom('feed_subscriptions').execute()
})

describe('[AUT-045] in UCP-native mode', () => {
  test('UCP-Agent names the platform of a privileged call', async () => {
    const key = testKey()
    expect((await subscribe(native, ucp(platform.url), key)).status).toBe(201)
    expect(await owners(native)).toEqual([{ principal: `key:${key.thumbprint}`, profile: platform.url }])
  })

  test('USP-Agent still does, and both headers name one and the same platform', async () => {
    const key = testKey()
    const { body } = await subscribe(native, ucp(platform.url), key)
    const path = `/services/feed/subscriptions/${body.subscription.id}`
    for (const headers of [usp(platform.url), ucp(platform.url), { ...usp(platform.url), ...ucp(platform.url) }]) {
      const dpop = restProof(key, 'GET', `${ORIGIN}/usp/v1${path}`, START)
      const read = await native.rest('GET', path, undefined, { ...headers, dpop })
      expect(read.body.subscription).toEqual(body.subscription)
    }
  })

  test('a key that came with one profile cannot come with another, whichever header names it', async () => {
    const key = testKey()
    expect((await subscribe(native, ucp(platform.url), key)).status).toBe(201)
    for (const headers of [usp(other.url), ucp(other.url)]) {
      const { status, body } = await subscribe(native, headers, key)
      expect([status, body.code]).toEqual([401, 'authentication_required'])
    }
  })

  test('two headers that name different platforms are refused, and nothing is fetched or kept', async () => {
    const [one, two] = [`${platform.url}?one`, `${other.url}?two`]
    const before = [platform.fetched, other.fetched]
    for (const headers of [
      { ...usp(one), ...ucp(two) },
      { ...usp(two), ...ucp(one) },
    ]) {
      const { status, body } = await subscribe(native, headers)
      expect([status, body.code]).toEqual([400, 'invalid_request'])
      expect(await list(native, headers)).toEqual([400, 'invalid_request'])
    }
    expect([platform.fetched, other.fetched]).toEqual(before)
    expect(await owners(native)).toEqual([])
  })

  test('a credential without either header is a bad request that names both', async () => {
    const { status, body } = await subscribe(native, {})
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    expect(body.detail).toMatch(/USP-Agent.*UCP-Agent/)
  })

  test.each(['', 'nonsense', 'profile=agent', 'profile="http://agent.example/p"', 'profile="https://10.0.0.1/p"'])(
    'UCP-Agent is read and judged like USP-Agent, on public calls too: %j',
    async (header) => {
      expect(await list(native, { 'ucp-agent': header })).toEqual([400, 'invalid_profile_url'])
      const both = { ...usp(platform.url), 'ucp-agent': header }
      expect((await list(native, both))[0]).toBe(400)
    },
  )

  test('the platform named so is agreed with on capabilities', async () => {
    const keyless = await testPlatform({ usp: { version: '2026-08-20', capabilities: {} } })
    const { body } = await native.rest('POST', '/services/list', {}, ucp(keyless.url))
    expect(body.messages[0].code).toBe('capabilities_incompatible')
  })

  test('an answer that may be kept depends on both headers', async () => {
    const { headers } = await native.rest('GET', '/services/svc_a')
    expect(headers.vary).toBe('USP-Agent, UCP-Agent')
    expect((await standalone.rest('GET', '/services/svc_a')).headers.vary).toBe('USP-Agent')
  })

  test('to a tool no header names a platform', async () => {
    expect(await listTool(native, {}, ucp('ftp://agent.example/p'))).toBe(1)
    expect(await listTool(native, { _meta: { ucp: { profile: 'ftp://agent.example/p' } } })).toBe(1)
    expect(await listTool(native, inUsp('ftp://agent.example/p'), ucp(platform.url))).toBe('invalid_profile_url')
  })

  test('`meta["ucp-agent"].profile` names the platform of a tool call, as UCP has it', async () => {
    const keyless = await testPlatform({ usp: { version: '2026-08-20', capabilities: {} } })
    expect(await listTool(native, inUcp(keyless.url))).toBe('capabilities_incompatible')
    const key = testKey()
    expect(await subscribeTool(native, { meta: { 'ucp-agent': { profile: platform.url } } }, key)).toBe('active')
    expect(await owners(native)).toEqual([{ principal: `key:${key.thumbprint}`, profile: platform.url }])
  })

  test('both members may name one and the same platform, and not two', async () => {
    const [one, two] = [`${platform.url}?three`, `${other.url}?four`]
    expect(await listTool(native, { ...inUsp(platform.url), ...inUcp(platform.url) })).toBe(1)
    const before = [platform.fetched, other.fetched]
    expect(await listTool(native, { ...inUsp(one), ...inUcp(two) })).toBe('invalid_request')
    expect(await subscribeTool(native, { ...inUcp(two) }, testKey(), one)).toBe('invalid_request')
    expect([platform.fetched, other.fetched]).toEqual(before)
  })

  test.each([7, null, {}, { profile: 7 }, { profile: 'nonsense' }, { profile: 'https://10.0.0.1/p' }])(
    '`meta["ucp-agent"]` is judged like the header: %j',
    async (agent) => expect(await listTool(native, { meta: { 'ucp-agent': agent } })).toBe('invalid_profile_url'),
  )

  test.each([7, null, {}, [], { other: 1 }])('a `meta` without it names nobody: %j', async (meta) =>
    expect(await listTool(native, { meta })).toBe(1),
  )

  test('a tool call with a credential and without either member is a bad request', async () => {
    expect(await subscribeTool(native, {}, testKey())).toBe('invalid_request')
    expect(await subscribeTool(native, { meta: {} }, testKey())).toBe('invalid_request')
  })
})

describe('[AUT-045] in standalone mode UCP-Agent means nothing:', () => {
  test('a privileged call that has it alone names no platform', async () => {
    const { status, body } = await subscribe(standalone, ucp(platform.url))
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    expect(body.detail).not.toContain('UCP-Agent')
  })

  test.each([
    ['nothing', ''],
    ['nonsense', 'nonsense'],
    ['an address that is refused', 'profile="http://agent.example/p"'],
    ['another platform', `profile="${other.url}?unread"`],
  ])('it may say %s', async (_, header) => {
    const before = other.fetched
    expect(await list(standalone, { 'ucp-agent': header })).toEqual([200, undefined])
    expect((await subscribe(standalone, { ...usp(platform.url), 'ucp-agent': header })).status).toBe(201)
    expect((await owners(standalone)).map(({ profile }) => profile)).toEqual([platform.url])
    expect(other.fetched).toBe(before)
  })
})

test('[AUT-045] in standalone mode `meta["ucp-agent"]` means nothing', async () => {
  expect(await listTool(standalone, inUcp('ftp://agent.example/p'))).toBe('field_ignored')
  expect(await listTool(standalone, { ...inUsp(platform.url), ...inUcp(other.url) })).toBe('field_ignored')
  expect(await subscribeTool(standalone, inUcp(platform.url), testKey())).toBe('invalid_request')
  expect(await owners(standalone)).toEqual([])
})

test('[TLS-014] the preflight allows UCP-Agent', async () => {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'UCP-Agent' }
  const { headers } = await native.raw({
    method: 'OPTIONS',
    url: SUBSCRIPTIONS,
    headers: { origin: 'https://agent.example', ...asked },
  })
  expect(headers['access-control-allow-headers']?.toLowerCase().split(/\s*,\s*/)).toContain('ucp-agent')
})
