import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { freshDatabase } from '../support/database.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { bindingsOf, expectServed, scopedServer, thingCount, toolCall } from '../support/scoped.ts'
import { START } from '../support/server.ts'

const databaseUrl = await freshDatabase()
const server = await scopedServer({}, { databaseUrl })
const replica = await scopedServer({}, { databaseUrl })
const platform = await testPlatform()
const [rest, mcp] = bindingsOf(server, platform)
const twins = bindingsOf(replica, platform)
const CREATE = 'usp_bookings_create'
const SUBSCRIBE = 'usp_services_feed_subscribe'
const callback_url = 'https://127.0.0.1:9443/hook'
const { key: apiKey } = await addClient(server.runtime.db, 'Known', START)
const agent = `profile="${platform.url}"`

describe.each([
  ['REST', rest, twins[0]],
  ['MCP', mcp, twins[1]],
] as const)('at once over %s', (_, binding, onReplica) => {
  test('[IDM-019] twenty with one key, on two replicas: the work is done once and all get one answer', async () => {
    const ask = { key: testKey(), idempotencyKey: randomUUID() }
    const things = await thingCount(server)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? onReplica : binding).call(CREATE, {}, ask)),
    )
    for (const answer of answers) expectServed(binding, answer)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await thingCount(server)).toBe(things + 1)
  })

  test('[IDM-021] twins whose input differs: one is executed, the other a conflict', async () => {
    const ask = { key: testKey(), idempotencyKey: randomUUID() }
    const things = await thingCount(server)
    const answers = await Promise.all([
      binding.call(CREATE, { note: 'one' }, ask),
      onReplica.call(CREATE, { note: 'other' }, ask),
    ])
    expect(answers.map(({ code }) => code ?? 'served').sort()).toEqual(['idempotency_conflict', 'served'])
    expect(await thingCount(server)).toBe(things + 1)
  })
})

test('[IDM-005] [IDM-006] a REST replay is the first answer to the byte, and says that it is one', async () => {
  const headers = { 'usp-agent': agent, authorization: `Bearer ${apiKey}`, 'idempotency-key': randomUUID() }
  const send = () =>
    server.inject({
      method: 'POST',
      url: '/usp/v1/bookings',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: '{"note":"é"}',
    })
  const first = await send()
  const again = await send()
  expect(first.statusCode).toBe(201)
  expect([again.statusCode, again.rawPayload]).toEqual([201, first.rawPayload])
  expect(first.headers).not.toHaveProperty('idempotency-replayed')
  expect(again.headers['idempotency-replayed']).toBe('true')
})

test('[IDM-011] on REST another order of members and other white space is a replay', async () => {
  const headers = { 'usp-agent': agent, authorization: `Bearer ${apiKey}`, 'idempotency-key': randomUUID() }
  const send = (payload: string) => server.rest('POST', '/bookings', payload, headers)
  const first = await send('{"note":"é","party_size":1}')
  for (const payload of ['{ "party_size" : 1,\n"note":"é" }', '{"party_size":1.0,"note":"\\u00e9"}'])
    expect((await send(payload)).body).toEqual(first.body)
  expect((await server.rest('POST', '/bookings', '{"note":"e","party_size":1}', headers)).status).toBe(409)
})

test('[IDM-011] [IDM-013] so it is on MCP', async () => {
  const ask = { credential: apiKey, mechanism: 'api_key' }
  const idempotency_key = randomUUID()
  const meta = JSON.stringify({ usp: { profile: platform.url, idempotency_key, authorization: ask } })
  const first = await toolCall(server, CREATE, `{"note":"é","party_size":1,"_meta":${meta}}`)
  expectServed(mcp, first)
  const again = await toolCall(server, CREATE, `{"_meta":${meta}, "party_size":1.0, "note":"\\u00e9"}`)
  expect(again.body).toEqual(first.body)
})

test('[IDM-032] [IDM-003] a key used on REST and repeated on MCP gives the stored answer in a tool’s envelope', async () => {
  const ask = { key: testKey(), idempotencyKey: randomUUID() }
  const first = await rest.call(SUBSCRIBE, { callback_url }, ask)
  const again = await mcp.call(SUBSCRIBE, { callback_url }, ask)
  expect(again.body.result.structuredContent).toEqual(first.body)
  expect(again.body.result.content[0].text).toContain(first.body.subscription.id)
  const back = { key: ask.key, idempotencyKey: randomUUID() }
  const onMcp = await mcp.call(CREATE, {}, back)
  const onRest = await rest.call(CREATE, {}, back)
  expect([onRest.status, onRest.body]).toEqual([201, onMcp.body.result.structuredContent])
})

test('[IDM-028] on a read the header has no effect: each is answered afresh', async () => {
  const key = testKey()
  const { id } = (await rest.call(SUBSCRIBE, { callback_url }, { key })).body.subscription
  const input = { subscription_id: id }
  const read = () => rest.call('usp_services_feed_subscription_get', input, { key, idempotencyKey: 'read' })
  expect((await read()).body.subscription.status).toBe('active')
  await rest.call('usp_services_feed_subscription_pause', input, { key })
  const again = await read()
  expect(again.body.subscription.status).toBe('paused')
  expect(again.headers).not.toHaveProperty('idempotency-replayed')
  expectServed(rest, await rest.call(CREATE, {}, { key, idempotencyKey: 'read' }))
})

test('[IDM-023] the work and its record are seen together or not at all', async () => {
  const { db } = server.runtime
  const key = testKey()
  const input = { callback_url }
  const [waiting] = await db.transaction().execute(async (tx) => {
    const principal = `key:${key.thumbprint}`
    const fingerprint = Buffer.alloc(32)
    await tx.insertInto('replies').values({ principal, key: 'held', fingerprint, created_at: START }).execute()
    const waiting = rest.call(SUBSCRIBE, input, { key, idempotencyKey: 'held' })
    const elsewhere = { callback_url: 'https://127.0.0.2:9443/hook' }
    const other = await rest.call(SUBSCRIBE, elsewhere, { key, idempotencyKey: 'free' })
    expectServed(rest, other)
    const made = await db.selectFrom('feed_subscriptions').select('id').where('principal', '=', principal).execute()
    expect(made).toHaveLength(1)
    await tx.deleteFrom('replies').where('key', '=', 'held').execute()
    return [waiting]
  })
  expectServed(rest, await waiting)
  const kept = await db.selectFrom('replies').select('reply').where('key', '=', 'held').execute()
  expect(kept.map(({ reply }) => reply !== null)).toEqual([true])
})
