import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { restProof, type TestKey, testKey, testPlatform, toolProof } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')]))
const platform = await testPlatform()
const origin = 'http://127.0.0.1:8080'
const callback = 'https://127.0.0.1:9443/hook'

interface Said {
  status: number
  code: string | undefined
  subscription: { id: string; status: string; [member: string]: unknown }
}
type Caller = (
  key: TestKey | undefined,
  move: keyof typeof routes,
  input: Record<string, unknown>,
  idempotencyKey?: string,
) => Promise<Said>

const routes = {
  create: ['POST', '', 'usp_services_feed_subscribe'],
  get: ['GET', '/ID', 'usp_services_feed_subscription_get'],
  pause: ['POST', '/ID/pause', 'usp_services_feed_subscription_pause'],
  resume: ['POST', '/ID/resume', 'usp_services_feed_subscription_resume'],
  cancel: ['DELETE', '/ID', 'usp_services_feed_unsubscribe'],
} as const

const overRest: Caller = async (key, move, { subscription_id = '', ...body }, idempotencyKey) => {
  const [method, tail] = routes[move]
  const path = `/services/feed/subscriptions${tail.replace('ID', String(subscription_id))}`
  const { status, body: said } = await server.rest(method, path, move === 'create' ? body : undefined, {
    ...(key && {
      'usp-agent': `profile="${platform.url}"`,
      dpop: restProof(key, method, `${origin}/usp/v1${path}`, START),
    }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  })
  return { status, code: said.code ?? said.messages?.[0].code, subscription: said.subscription }
}

const overMcp: Caller = async (key, move, input, idempotencyKey) => {
  const tool = routes[move][2]
  const usp = { profile: platform.url, ...(idempotencyKey && { idempotency_key: idempotencyKey }) }
  const proof = key && toolProof(key, tool, { ...input, _meta: { usp } }, START)
  const authorization = { mechanism: 'platform_key_pop', proof }
  const { body } = await server.tool(tool, key ? { ...input, _meta: { usp: { ...usp, authorization } } } : input)
  const { subscription, messages } = body.result?.structuredContent ?? {}
  return { status: body.error?.code, code: body.error?.data.code ?? messages?.[0].code, subscription }
}

describe.each([
  ['REST', overRest],
  ['MCP', overMcp],
])('over %s', (binding, call) => {
  const subscribe = async (key: TestKey, input = {}) =>
    (await call(key, 'create', { callback_url: callback, ...input })).subscription

  test('[FEED-035] [FEED-036] [FEED-037] subscribing answers with the active subscription as it was wished', async () => {
    const wish = { callback_url: callback, categories: ['hair'], events: ['service.deleted'] }
    const { status, subscription } = await call(testKey(), 'create', wish)
    expect(status).toBe(binding === 'REST' ? 201 : undefined)
    expect(subscription).toEqual({
      ...wish,
      id: expect.stringMatching(/^sub_[\w-]{16}$/),
      status: 'active',
      created_at: '2026-11-20T07:00:00.000-05:00',
    })
  })

  test('[FEED-046] [FEED-050] [FEED-051] [FEED-052] [FEED-053] it is paused, resumed and canceled, and shows its status', async () => {
    const key = testKey()
    const { id: subscription_id } = await subscribe(key)
    for (const [move, status] of [
      ['get', 'active'],
      ['pause', 'paused'],
      ['resume', 'active'],
      ['pause', 'paused'],
      ['cancel', 'canceled'],
    ] as const) {
      expect((await call(key, move, { subscription_id })).subscription.status).toBe(status)
      expect((await call(key, 'get', { subscription_id })).subscription.status).toBe(status)
    }
    const active = await subscribe(key)
    expect((await call(key, 'cancel', { subscription_id: active.id })).subscription.status).toBe('canceled')
  })

  test('[FEED-054] [FEED-055] [FEED-056] [FEED-057] [LIV-016] repeating a move changes nothing; canceled is final', async () => {
    const key = testKey()
    const { id: subscription_id } = await subscribe(key)
    for (const [move, status] of [
      ['resume', 'active'],
      ['pause', 'paused'],
      ['pause', 'paused'],
      ['cancel', 'canceled'],
      ['cancel', 'canceled'],
    ] as const)
      expect((await call(key, move, { subscription_id })).subscription.status).toBe(status)
    for (const move of ['pause', 'resume'] as const) {
      const { status, code } = await call(key, move, { subscription_id })
      expect([status, code]).toEqual([binding === 'REST' ? 200 : undefined, 'invalid_transition'])
    }
    expect((await call(key, 'get', { subscription_id })).subscription.status).toBe('canceled')
    expect((await subscribe(key)).id).not.toBe(subscription_id)
  })

  test('[FEED-047] [FEED-048] [FEED-049] [LIV-002] another key sees nothing of it, as if it did not exist', async () => {
    const key = testKey()
    const { id } = await subscribe(key)
    for (const move of ['get', 'pause', 'resume', 'cancel'] as const) {
      const foreign = await call(testKey(), move, { subscription_id: id })
      const unknown = await call(testKey(), move, { subscription_id: 'sub_unknown' })
      expect(foreign).toEqual(unknown)
      expect([foreign.status, foreign.code]).toEqual([binding === 'REST' ? 404 : -32602, 'subscription_not_found'])
    }
    expect((await call(key, 'get', { subscription_id: id })).subscription.status).toBe('active')
  })

  test('[FEED-043] without credentials none of the five is served', async () => {
    for (const move of ['create', 'get', 'pause', 'resume', 'cancel'] as const) {
      const { status, code } = await call(undefined, move, { subscription_id: 'sub_x', callback_url: callback })
      expect([status, code]).toEqual([binding === 'REST' ? 401 : -32006, 'authentication_required'])
    }
  })

  test('[FEED-039] [FEED-040] [FEED-041] [FEED-042] an address or a wish that cannot be met is refused', async () => {
    const refused = async (input: Record<string, unknown>) => (await call(testKey(), 'create', input)).code
    expect(await refused({})).toBe('invalid_request')
    for (const callback_url of [
      'http://platform.example/hook',
      'https://169.254.169.254/',
      'https://10.0.0.1/',
      'https://[::ffff:10.0.0.1]/',
      'ftp://x/',
    ])
      expect(await refused({ callback_url })).toBe('validation_error')
    expect(await refused({ callback_url: callback, events: ['booking.created'] })).toBe('validation_error')
  })

  test('[few wishes in a subscription] up to a hundred categories of ordinary length are kept, no more', async () => {
    const codeFor = async (more: object) => (await call(testKey(), 'create', { callback_url: callback, ...more })).code
    const many = (count: number) => Array.from({ length: count }, (_, index) => `category ${index}`)
    expect(await codeFor({ categories: many(100) })).toBeUndefined()
    expect(await codeFor({ categories: many(101) })).toBe('validation_error')
    expect(await codeFor({ categories: ['a'.repeat(201)] })).toBe('validation_error')
    expect(await codeFor({ events: Array(101).fill('service.deleted') })).toBe('validation_error')
  })

  test('[FEED-045] [IDM-005] the same key and wish again gets the same subscription; another wish a conflict', async () => {
    const key = testKey()
    const again = randomUUID()
    const first = await call(key, 'create', { callback_url: callback }, again)
    const second = await call(key, 'create', { callback_url: callback }, again)
    expect(second).toEqual(first)
    expect((await call(key, 'create', { callback_url: `${callback}/2` }, again)).code).toBe('idempotency_conflict')
  })
})

test('[FEED-038] the five tools exist under their published names', async () => {
  const { body } = await server.raw({
    method: 'POST',
    url: '/usp/mcp',
    headers: { 'content-type': 'application/json' },
    payload: { jsonrpc: '2.0', id: 7, method: 'tools/list' },
  })
  const names = body.result.tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.values(routes).map(([, , tool]) => tool)))
})

test('[PRO-019] [PRO-032] [PRO-033] [PRO-034] [PRO-036] the profile declares subscriptions and how callers prove themselves', async () => {
  const { body } = await server.rest('GET', '/.well-known/usp')
  expect(body.usp.capabilities).toHaveProperty(['dev.usp-protocol.services.catalog.subscriptions'])
  expect(body.authorization).toEqual({
    privileged_operations_require_authentication: true,
    accepted_mechanisms: expect.arrayContaining(['http_message_signature', 'platform_key_pop', 'api_key']),
    pop_signing_alg_values_supported: ['EdDSA', 'ES256', 'Ed25519'],
  })
})
