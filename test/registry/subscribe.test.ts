import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { cancelUnwanted } from '../../src/domain/registry/indexing/subscribe-to-catalogue.ts'
import { unwantedClaim } from '../../src/domain/registry/indexing/subscription-queries.ts'
import { uspProfile } from '../support/listed-business.ts'
import type { Received } from '../support/receiver.ts'
import type { TestServer } from '../support/server.ts'
import { ALL_WELL, verified } from '../support/verify-signature.ts'
import { type IndexShop, indexServer, indexShop } from './index-shop.ts'
import { fed } from './services.ts'

const ORIGIN = 'https://registry.example'
const SUBSCRIPTIONS = '/usp/services/feed/subscriptions'
const DAY = 24 * 60
const link = { version: '2026-08-20', spec: 'https://usp-protocol.dev/s', schema: 'https://usp-protocol.dev/j' }

/** A registry, and a business that can be subscribed to unless a test changes that. */
interface Pair extends IndexShop {
  profile: { capabilities: Record<string, object[]>; mechanisms: string[] }
  /** Calls other than for the feed and the profile. */
  calls: Received[]
  /** What they are answered with. */
  reply(call: Received): [status: number, body?: unknown]
  did(): string[]
}

const known = await indexServer({ BASE_URL: ORIGIN })

async function pair(server = known): Promise<Pair> {
  const shop = await indexShop(server)
  await shop.runtime.db.deleteFrom('unwanted_subscriptions').execute()
  const both: Pair = {
    ...shop,
    profile: {
      capabilities: { 'dev.usp-protocol.services.catalog.subscriptions': [link] },
      mechanisms: ['api_key', 'http_message_signature'],
    },
    calls: [],
    reply: ({ method }) => (method === 'POST' ? [201, { subscription: { id: 'sub_1', status: 'active' } }] : [200]),
    did: () => both.calls.map(({ method, path }) => `${method} ${path}`),
  }
  const { endpoint } = shop.business
  shop.business.elsewhere = async (request, response) => {
    const raw = await bytesOf(request)
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, raw, body: raw.length > 0 ? JSON.parse(raw.toString()) : undefined }
    const isProfile = path === '/.well-known/usp'
    if (!isProfile) both.calls.push(call)
    const [status, body] = isProfile ? [200, profileOf(both.profile, endpoint)] : both.reply(call)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  }
  return both
}

const profileOf = ({ capabilities, mechanisms }: Pair['profile'], endpoint: string) => {
  const { usp, ...members } = uspProfile(endpoint)
  return {
    ...members,
    usp: { ...usp, capabilities },
    authorization: { ...members.authorization, accepted_mechanisms: mechanisms },
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Minutes after which what was told meanwhile is heeded. */
const SOON = 0.1

test('[REG-090] a business that can tell of changes is asked to, once, and read once more for what it missed', async () => {
  const shop = await pair()
  shop.business.put(fed('a'))
  await shop.read()
  expect(shop.did()).toEqual([`POST ${SUBSCRIPTIONS}`])
  const [call] = shop.calls
  if (!call) throw new Error('There is no call')
  expect(call.body).toEqual({ callback_url: `${ORIGIN}/usp/v1/registry/notices/${shop.id}` })
  expect(call.headers['usp-agent']).toBe(`profile="${ORIGIN}/usp/v1/registry/profile"`)
  const { body } = await shop.raw({ method: 'GET', url: '/usp/v1/registry/profile' })
  expect(await verified(call, String(call.headers.host), body.keys)).toEqual(ALL_WELL)
  const input = String(call.headers['signature-input'])
  for (const name of ['usp-agent', 'idempotency-key', 'content-digest']) expect(input).toContain(`"${name}"`)

  expect((await shop.registration()).subscription_id).toBe('sub_1')
  shop.business.put(fed('b'))
  shop.minutesLater(SOON)
  await shop.read()
  expect(await shop.indexed()).toEqual(['a', 'b'])
  await shop.readLater()
  expect(shop.calls).toHaveLength(1)
})

test.each<[what: string, change: (shop: Pair) => unknown, server?: TestServer]>([
  ['that does not offer it', ({ profile }) => Object.assign(profile, { capabilities: { other: [link] } })],
  ['that takes no signatures', ({ profile }) => Object.assign(profile, { mechanisms: ['api_key'] })],
  ['by a registry that nobody can call back', () => {}, await indexServer()],
])('a business %s is not asked to', async (_, change, server) => {
  const shop = await pair(server)
  change(shop)
  await shop.read()
  shop.minutesLater(DAY)
  await shop.read()
  expect(shop.calls).toEqual([])
  expect(await shop.registration()).toMatchObject({ subscription_id: null, index_problem: null })
})

test.each<[what: string, answer: [number, unknown?]]>([
  ['refuses', [401, { code: 'signature_invalid' }]],
  ['fails', [500]],
  ['answers nonsense', [201, { subscription: { id: { a: 1 } } }]],
  ['gives an id without end', [201, { subscription: { id: 'x'.repeat(300) } }]],
  ['gives an id that nothing can hold', [201, { subscription: { id: 'a\0b' } }]],
])('one that %s is asked again the next day', async (_, answer) => {
  const shop = await pair()
  shop.reply = () => answer
  await shop.read()
  await shop.readLater()
  expect([shop.calls.length, (await shop.registration()).subscription_id]).toEqual([1, null])
  shop.minutesLater(DAY)
  await shop.read()
  expect(shop.calls).toHaveLength(2)
})

test.each<[what: string, answer: [number, unknown?], stands: boolean]>([
  ['is there', [200, { subscription: { id: 'sub_1', status: 'active' } }], true],
  ['cannot be asked about', [503], true],
  ['is gone', [404], false],
  ['is gone for good', [410], false],
  ['was canceled', [200, { subscription: { id: 'sub_1', status: 'canceled' } }], false],
  ['was paused', [200, { subscription: { id: 'sub_1', status: 'paused' } }], false],
])('a subscription that %s a day later', async (_, answer, stands) => {
  const shop = await pair()
  await shop.read()
  shop.calls.length = 0
  shop.reply = ({ method }) => (method === 'POST' ? [201, { subscription: { id: 'sub_2' } }] : answer)
  shop.minutesLater(DAY)
  await shop.read()
  expect(shop.did().slice(0, 2)).toEqual([`GET ${SUBSCRIPTIONS}/sub_1`, ...(stands ? [] : [`POST ${SUBSCRIPTIONS}`])])
  expect((await shop.registration()).subscription_id).toBe(stands ? 'sub_1' : 'sub_2')
})

test('a subscription is canceled when its business is not listed any more, or answers elsewhere', async () => {
  const shop = await pair()
  await shop.read()
  await shop.runtime.db.updateTable('registrations').set({ endpoint: 'https://127.0.0.1:9' }).execute()
  await shop.read()
  expect(shop.did()).toEqual([`POST ${SUBSCRIPTIONS}`, `DELETE ${SUBSCRIPTIONS}/sub_1`])
  const { body } = await shop.raw({ method: 'GET', url: '/usp/v1/registry/profile' })
  const input = String(shop.calls[1]?.headers['signature-input'])
  expect(input).toContain(`keyid="${body.keys[0].kid}"`)
})

test('nobody waits to be read until all is canceled that need not be', async () => {
  const shop = await pair()
  const { db } = shop.runtime
  const { endpoint } = shop.business
  await db.insertInto('unwanted_subscriptions').values({ endpoint, subscription_id: 'sub_old' }).execute()
  let readBefore = 0
  shop.reply = ({ method }) => {
    if (method === 'DELETE') readBefore = shop.business.cursors().length
    return [200]
  }
  await shop.read()
  expect(shop.did()).toContain(`DELETE ${SUBSCRIPTIONS}/sub_old`)
  expect(readBefore).toBe(1)
})

test('one that was made while its business was taken off the list is canceled as well', async () => {
  const shop = await pair()
  const { db } = shop.runtime
  const { reply } = shop
  shop.reply = (call) => {
    void db.deleteFrom('registrations').execute()
    return reply(call)
  }
  await shop.read()
  await shop.read()
  expect(shop.did()).toEqual([`POST ${SUBSCRIPTIONS}`, `DELETE ${SUBSCRIPTIONS}/sub_1`])
})

test('what cannot be canceled is tried a few times, later and later, and then let be', async () => {
  const shop = await pair()
  const { db } = shop.runtime
  await shop.read()
  shop.calls.length = 0
  await db.deleteFrom('registrations').execute()
  shop.reply = () => [500]
  const waits: number[] = []
  const cancel = async () => {
    const unwanted = await unwantedClaim(db)
    if (unwanted) await cancelUnwanted(shop.runtime, unwanted)
    return unwanted !== undefined
  }
  while (await cancel()) {
    expect(await cancel()).toBe(false)
    const row = await db.selectFrom('unwanted_subscriptions').selectAll().executeTakeFirst()
    if (row) waits.push(Math.round((Number(row.next_at) - Date.now()) / 60_000))
    await db.updateTable('unwanted_subscriptions').set({ next_at: new Date() }).execute()
  }
  expect([shop.calls.length, waits]).toEqual([4, [1, 5, 25]])
})
