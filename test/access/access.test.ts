import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/operations.ts'
import type { Operation } from '../../src/protocol/operation.ts'
import { addClient } from '../../src/trust/api-keys.ts'
import { addStaff } from '../../src/trust/staff.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'
import { type Binding, call, type Shown } from './callers.ts'

const CALLBACK = 'https://127.0.0.1:9443/hook'
const server = await testServer(businessWith([service('svc_a')]))
const published = testKey('ES256')
const platform = await testPlatform({ keys: [{ ...published.jwk, kid: 'k1', use: 'sig', alg: 'ES256' }] })
const elsewhere = await testPlatform()
const client = await addClient(server.runtime.db, 'Known platform', START)
const staff = await addStaff(server.runtime.db, 'Jo', 'owner', START)
const now = START

/** What a well-formed call of each operation says; `mine` is an existing thing of the caller `owner`. */
const samples: Record<string, (mine: string) => Record<string, unknown>> = {
  listServices: () => ({}),
  getService: () => ({ service_id: 'svc_a' }),
  lookupServices: () => ({ ids: ['svc_a'] }),
  getServiceFeed: () => ({}),
  createFeedSubscription: () => ({ callback_url: CALLBACK }),
  getFeedSubscription: (subscription_id) => ({ subscription_id }),
  pauseFeedSubscription: (subscription_id) => ({ subscription_id }),
  resumeFeedSubscription: (subscription_id) => ({ subscription_id }),
  cancelFeedSubscription: (subscription_id) => ({ subscription_id }),
}

/** What somebody gets who asks for what is somebody else's; nothing for an operation that addresses nothing. */
const notYours: Record<string, string> = {
  getFeedSubscription: 'subscription_not_found',
  pauseFeedSubscription: 'subscription_not_found',
  resumeFeedSubscription: 'subscription_not_found',
  cancelFeedSubscription: 'subscription_not_found',
}

/** Operations excused from this file. It stays empty. */
const excused: string[] = []

const owner = testKey()
let mine = ''
const find = (id: string) => operations.find((operation) => operation.id === id) as Operation
beforeAll(async () => {
  const created = await server.raw({
    method: 'POST',
    url: '/usp/mcp',
    headers: { 'content-type': 'application/json' },
    payload: await subscribeMessage(),
  })
  mine = created.body.result.structuredContent.subscription.id
})

async function subscribeMessage() {
  const { toolProof } = await import('../support/platform.ts')
  const tool = find('createFeedSubscription').tool
  const usp = { profile: platform.url }
  const proof = toolProof(owner, tool, { callback_url: CALLBACK, _meta: { usp } }, now)
  const args = {
    callback_url: CALLBACK,
    _meta: { usp: { ...usp, authorization: { mechanism: 'platform_key_pop', proof } } },
  }
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }
}

const bound = testKey()
const cases: [what: string, code: string, shown: () => Shown][] = [
  ['no credential', 'authentication_required', () => ({ now, platform })],
  ['no credential and no agent', 'authentication_required', () => ({ now })],
  ['a malformed proof', 'pop_proof_invalid', () => ({ now, platform, proof: { key: testKey(), text: 'not.a.proof' } })],
  ['a malformed token', 'authentication_required', () => ({ now, platform, bearer: 'nonsense' })],
  ['an unknown API key', 'authentication_required', () => ({ now, platform, bearer: `usk_${'x'.repeat(43)}` })],
  [
    'an unknown scoped credential',
    'authentication_required',
    () => ({ now, platform, bearer: `bsc_${'x'.repeat(43)}` }),
  ],
  ['a staff token', 'authentication_required', () => ({ now, platform, bearer: staff })],
  [
    'a proof signed by another key',
    'pop_proof_invalid',
    () => ({ now, platform, proof: { key: testKey(), by: testKey() } }),
  ],
  [
    'a signature by another key',
    'signature_invalid',
    () => ({ now, platform, signature: { key: testKey('ES256'), keyid: 'k1' } }),
  ],
  [
    'a signature by an unpublished key',
    'key_not_found',
    () => ({ now, platform, signature: { key: testKey('ES256'), keyid: 'k2' } }),
  ],
  [
    'a stale proof',
    'pop_proof_invalid',
    () => ({ now, platform, proof: { key: testKey(), claims: { iat: now.getTime() / 1000 - 61 } } }),
  ],
  [
    'an expired signature',
    'signature_expired',
    () => ({ now, platform, signature: { key: published, keyid: 'k1', expires: new Date(now.getTime() - 1000) } }),
  ],
  [
    'a key bound to another profile',
    'authentication_required',
    () => ({ now, platform: elsewhere, proof: { key: bound } }),
  ],
]

const valid: [what: string, shown: () => Shown][] = [
  ['platform_key_pop', () => ({ now, platform, proof: { key: testKey() } })],
  ['platform_key_pop with ES256', () => ({ now, platform, proof: { key: testKey('ES256') } })],
  ['http_message_signature', () => ({ now, platform, signature: { key: published, keyid: 'k1' } })],
  ['api_key', () => ({ now, platform, bearer: client.key })],
]

test('every operation is put to the test', () => {
  expect(excused).toEqual([])
  expect(Object.keys(samples).sort()).toEqual(operations.map(({ id }) => id).sort())
})

describe.each<Binding>(['REST', 'MCP'])('over %s', (binding) => {
  beforeAll(async () => {
    await call(
      server,
      binding,
      find('createFeedSubscription'),
      { callback_url: CALLBACK },
      { now, platform, proof: { key: bound } },
    )
  })

  describe.each(operations.filter(({ access }) => access === 'public').map((one) => [one.tool, one] as const))(
    '[AUT-002] [AUT-003] [AUT-004] [AUT-005] public %s',
    (_, operation) => {
      test.each([...cases.map(([what, , shown]) => [what, shown] as const), ...valid])(
        'is served to a caller with %s',
        async (_what, shown) => {
          expect(
            (await call(server, binding, operation, samples[operation.id]?.(mine) ?? {}, shown())).code,
          ).toBeUndefined()
        },
      )
    },
  )

  describe.each(
    operations.filter(({ access }) => access.startsWith('privileged')).map((one) => [one.tool, one] as const),
  )('[AUT-010] [AUT-011] [AUT-012] [AUT-013] [AUT-014] privileged %s', (_, operation) => {
    test.each(cases)('refuses %s with %s', async (_what, code, shown) => {
      const told = await call(server, binding, operation, samples[operation.id]?.(mine) ?? {}, shown())
      expect(told.code).toBe(code)
      if (binding === 'REST') expect(told.status).toBe(401)
    })

    test.each(valid)('[AUT-037] lets %s in, and shows it only what is its own', async (_what, shown) => {
      const told = await call(server, binding, operation, samples[operation.id]?.(mine) ?? {}, shown())
      expect(told.code).toBe(notYours[operation.id])
    })

    test('lets the owner in', async () => {
      const told = await call(server, binding, operation, samples[operation.id]?.(mine) ?? {}, {
        now,
        platform,
        proof: { key: owner },
      })
      expect(told.code === undefined || told.code === 'invalid_transition').toBe(true)
    })
  })
})
