import { describe, expect, test } from 'vitest'
import {
  addClient,
  clientOfKey,
  listClients,
  revokeClient,
  rotateCredentials,
} from '../../src/core/authentication/api-keys.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { type Ask, bindingsOf, expectRefused, expectServed, scopedServer, thingCount } from '../support/scoped.ts'
import { START, testServer } from '../support/server.ts'

const server = await scopedServer()
const { db } = server.runtime
const platform = await testPlatform()
const key = testKey()
const CREATE = 'usp_bookings_create'
const SUBSCRIBE = 'usp_services_feed_subscribe'
const wish = { callback_url: 'https://127.0.0.1:9443/hook' }
const client = await addClient(db, 'Known', START)
const authorization = (value: string) => ({ headers: { authorization: value } })
const signature = { signature: 'sig1=:AAAA:', 'signature-input': 'sig1=("@method");keyid="k"' }
const later = (seconds: number) => new Date(START.getTime() + seconds * 1000)

describe.each(bindingsOf(server, platform).map((one) => [one.name, one] as const))('over %s', (name, binding) => {
  const create = (ask: Ask = {}) => binding.call(CREATE, {}, ask)
  const unauthenticated = (status: unknown) => expect(status).toBe(name === 'REST' ? 401 : -32006)

  test.each([
    ['an API key', authorization(`Bearer ${client.key}`)],
    ['a proof', { key }],
  ])('[AUT-037] %s alone opens every operation of a platform', async (_, ask) => {
    const made = await binding.call(SUBSCRIBE, wish, ask)
    expectServed(binding, made)
    const { id: subscription_id } = (made.body.result?.structuredContent ?? made.body).subscription
    for (const tail of [
      'feed_subscription_get',
      'feed_subscription_pause',
      'feed_subscription_resume',
      'feed_unsubscribe',
    ])
      expectServed(binding, await binding.call(`usp_services_${tail}`, { subscription_id }, ask))
    for (const tool of [CREATE, 'usp_waitlist_join', 'usp_availability_hold'])
      expectServed(binding, await binding.call(tool, {}, ask))
  })

  test.each([
    ['[AUT-061] an unknown API key', `Bearer usk_${'A'.repeat(43)}`],
    ['[AUT-061] a token of another kind', 'Bearer eyJhbGciOiJub25lIn0.e30.'],
    ['[AUT-061] a malformed token', 'Bearer'],
    ['[AUT-036] Basic', `Basic ${Buffer.from(`x:${client.key}`).toString('base64')}`],
    ['[AUT-036] Negotiate', 'Negotiate YII='],
    ['[AUT-036] a good key under another scheme', `Token ${client.key}`],
    ['[AUT-036] a good key without a scheme', client.key],
  ])('%s gives authentication_required', async (_, value) => {
    const answer = await create(authorization(value))
    expectRefused(binding, answer, 'authentication_required')
  })

  test('[AUT-061] a revoked key and one whose overlap has ended are refused at once', async () => {
    const gone = await addClient(db, 'Gone', START)
    expectServed(binding, await create(authorization(`Bearer ${gone.key}`)))
    await revokeClient(db, gone.id)
    expectRefused(binding, await create(authorization(`Bearer ${gone.key}`)), 'authentication_required')

    const rotated = await addClient(db, 'Rotated', START)
    const { key: next } = await rotateCredentials(db, rotated.id, later(60), START)
    for (const one of [rotated.key, next]) expectServed(binding, await create(authorization(`Bearer ${one}`)))
    server.time.now = later(61)
    const [old, fresh] = [
      await create(authorization(`Bearer ${rotated.key}`)),
      await create(authorization(`Bearer ${next}`)),
    ]
    server.time.now = START
    expectRefused(binding, old, 'authentication_required')
    expectServed(binding, fresh)
  })

  test.each<[string, Ask, string]>([
    [
      'a proof that is wrong, with a good API key',
      { key, header: { typ: 'JWT' }, ...authorization(`Bearer ${client.key}`) },
      'pop_proof_invalid',
    ],
    [
      'an unknown credential, with a good proof',
      { key, credential: `bsc_${'A'.repeat(43)}` },
      'authentication_required',
    ],
  ])('[AUT-035] %s: what failed ends the call', async (_, ask, code) => {
    const things = await thingCount(server)
    expect((await create(ask)).code).toBe(code)
    expect(await thingCount(server)).toBe(things)
  })

  test('[AUT-035] a signature that fails is not rescued by an API key', async () => {
    const headers = { authorization: `Bearer ${client.key}`, ...signature }
    const { code, status } = await create({ headers })
    unauthenticated(status)
    expect(code).toMatch(/^signature_/)
  })

  test('[AUT-034] who is not authenticated hears of nothing else, whatever the input', async () => {
    for (const input of [{}, { callback_url: 17 }, { callback_url: 'x', more: true }])
      for (const ask of [{}, authorization('Bearer usk_x')])
        expectRefused(binding, await binding.call(SUBSCRIBE, input, ask), 'authentication_required')
  })

  test('[AUT-033] without credentials an existing and an invented id get the same answer', async () => {
    const { thing } = await create({ key })
    for (const tool of ['usp_bookings_get', 'usp_bookings_update', 'usp_bookings_cancel']) {
      const [existing, invented] = [thing.id, 'booking_x'].map((booking_id) => binding.call(tool, { booking_id }))
      const one = await existing
      const other = await invented
      if (!one || !other) throw new Error('no answer')
      expectRefused(binding, one, 'authentication_required')
      const said = ({ instance: _, ...body }: Record<string, unknown>) => body
      expect(said(one.body)).toEqual(said(other.body))
      expect(one.headers['www-authenticate']).toBe(other.headers['www-authenticate'])
    }
  })

  test('[AUT-039] [AUT-040] [AUT-041] [AUT-042] a refusal tells what is accepted', async () => {
    const answers = [await create(), await create(authorization('Basic x')), await create({ key, claims: { iat: 1 } })]
    for (const { body, headers } of answers) {
      const told = name === 'REST' ? body.detail : body.error.data.content
      for (const mechanism of ['http_message_signature', 'platform_key_pop', 'booking_scoped_credential', 'api_key'])
        expect(told).toContain(mechanism)
      expect(told).not.toContain('oauth2_bearer')
      for (const scheme of ['DPoP', 'Bearer', 'Signature']) expect(headers['www-authenticate']).toContain(scheme)
    }
  })

  test('[AUT-065] a key in the query or in the body opens nothing', async () => {
    for (const member of ['access_token', 'api_key', 'authorization', 'credential'])
      expectRefused(binding, await binding.call(CREATE, { [member]: client.key }), 'authentication_required')
  })
})

describe('on MCP', () => {
  const [, mcp] = bindingsOf(server, platform)
  const good = authorization(`Bearer ${client.key}`)

  test.each(['oauth3', 'none', 'API_KEY', '', 'constructor', 'oauth2_bearer', 'mtls'])(
    '[MCP-038] [AUT-038] the mechanism %j admits nobody, also beside a good HTTP credential',
    async (mechanism) => {
      const answer = await mcp.call(CREATE, {}, { mechanism, ...good })
      expectRefused(mcp, answer, 'authentication_required')
    },
  )

  test.each(['oauth2_bearer', 'api_key', 'booking_scoped_credential'])(
    '[MCP-039] %s without a credential gives authentication_required',
    async (mechanism) => expectRefused(mcp, await mcp.call(CREATE, {}, { mechanism }), 'authentication_required'),
  )

  test('[MCP-039] api_key is satisfied by the credential of the object or of the HTTP request', async () => {
    expectServed(mcp, await mcp.call(CREATE, {}, { mechanism: 'api_key', ...good }))
    expectServed(mcp, await mcp.call(CREATE, {}, { mechanism: 'api_key', credential: client.key }))
    const wrong = { mechanism: 'api_key', credential: 'usk_unknown', ...good }
    expectRefused(mcp, await mcp.call(CREATE, {}, wrong), 'authentication_required')
  })
})

test('[AUT-065] a key in the query string opens nothing on REST', async () => {
  for (const member of ['access_token', 'api_key']) {
    const url = `/usp/v1/bookings?${member}=${client.key}`
    const headers = { 'usp-agent': `profile="${platform.url}"`, 'content-type': 'application/json' }
    const { status, body } = await server.raw({ method: 'POST', url, headers, payload: '{}' })
    expect([status, body.code]).toEqual([401, 'authentication_required'])
  }
})

describe('[AUT-040] where only some mechanisms are accepted', async () => {
  test.each([
    [['api_key'], 'Bearer', 'DPoP'],
    [['platform_key_pop'], 'DPoP', 'Bearer'],
    [['http_message_signature'], 'Signature', 'Bearer'],
  ] as const)(
    '%j is offered alone, and the others admit nobody [AUT-038]',
    async (accepted_mechanisms, offered, other) => {
      const few = await scopedServer({ authorization: { accepted_mechanisms: [...accepted_mechanisms] } })
      const { key: apiKey } = await addClient(few.runtime.db, 'Known', START)
      for (const binding of bindingsOf(few, platform)) {
        const refused = await binding.call(CREATE, {})
        expect(refused.headers['www-authenticate']).toContain(offered)
        expect(refused.headers['www-authenticate']).not.toContain(other)
        for (const [mechanism, ask] of [
          ['api_key', authorization(`Bearer ${apiKey}`)],
          ['platform_key_pop', { key: testKey() }],
        ] as const) {
          const answer = await binding.call(CREATE, {}, ask)
          if (accepted_mechanisms.some((one) => one === mechanism)) expectServed(binding, answer)
          else expectRefused(binding, answer, 'authentication_required')
        }
      }
    },
  )
})

test('a client of the definition is known, keeps its keys however it is named, and can be given some', async () => {
  const known = (name: string) => businessWith([service('svc_a')], { clients: [{ id: 'client_known', name }] })
  const own = (await testServer(known('Known'))).runtime.db
  expect(await listClients(own)).toMatchObject([{ id: 'client_known', name: 'Known', keys: 0 }])
  const { key } = await rotateCredentials(own, 'client_known', START, START)
  await applyDefinition(own, known('Well known'), START)
  expect(await listClients(own)).toMatchObject([{ id: 'client_known', name: 'Well known', keys: 1 }])
  expect(await clientOfKey(own, key, START)).toBe('client_known')
  await applyDefinition(own, businessWith([service('svc_a')]), START)
  expect(await clientOfKey(own, key, START)).toBe('client_known')
})
