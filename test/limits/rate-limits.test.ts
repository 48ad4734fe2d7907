import { beforeEach, describe, expect, test } from 'vitest'
import { makeRuntime } from '../../src/server/build-dependencies.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restProof, type TestKey, testKey, testPlatform, toolProof } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'

const limits = { catalogue: 3, other: 2 }
const databaseUrl = await freshDatabase()
const server = await testServer(businessWith([service('svc_a')], { limits }), { databaseUrl })
const replica = await testServer(undefined, { databaseUrl })
const platform = await testPlatform()
const agent = { 'usp-agent': `profile="${platform.url}"` }
const { db } = server.runtime

beforeEach(async () => {
  await db.deleteFrom('rate_limits').execute()
  await db.deleteFrom('feed_subscriptions').execute()
  server.time.now = START
})

const afterSeconds = (seconds: number) => new Date(START.getTime() + seconds * 1000)
const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after']
const said = (status: unknown, code: unknown, headers: Record<string, string | undefined>) => ({
  status,
  code,
  headers: Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))),
})
type Call = (on?: typeof server) => Promise<ReturnType<typeof said>>

const listOverRest: Call = async (on = server) => {
  const { status, headers, body } = await on.rest('POST', '/services/list', {})
  return said(status, body.code, headers)
}
const listOverMcp: Call = async (on = server) => {
  const { headers, body } = await on.tool('usp_services_list')
  return said(body.error?.code ?? 200, body.error?.data.code, headers)
}

const input = { callback_url: 'https://127.0.0.1:9443/hook' }
const path = '/services/feed/subscriptions'
const subscribeOverRest = async (key: TestKey, more: object = {}, on = server) => {
  const dpop = restProof(key, 'POST', `http://127.0.0.1:8080/usp/v1${path}`, on.time.now)
  const { status, headers, body } = await on.rest('POST', path, { ...input, ...more }, { ...agent, dpop })
  return said(status === 201 ? 200 : status, body.code, headers)
}
const subscribeOverMcp = async (key: TestKey, more: object = {}, on = server) => {
  const tool = 'usp_services_feed_subscribe'
  const usp = { profile: platform.url }
  const proof = toolProof(key, tool, { ...input, ...more, _meta: { usp } }, on.time.now)
  const authorization = { mechanism: 'platform_key_pop', proof }
  const { headers, body } = await on.tool(tool, { ...input, ...more, _meta: { usp: { ...usp, authorization } } })
  return said(body.error?.code ?? 200, body.error?.data.code, headers)
}
const subscriptions = async () => (await db.selectFrom('feed_subscriptions').select('id').execute()).length

describe.each([
  ['REST', 429, listOverRest, subscribeOverRest],
  ['MCP', -32007, listOverMcp, subscribeOverMcp],
])('over %s', (_, refused, list, subscribe) => {
  test('[LIM-014] every answer says what is left, one less each time, and when it starts anew', async () => {
    server.time.now = afterSeconds(20)
    for (const remaining of ['2', '1', '0'])
      expect((await list()).headers).toEqual({
        'ratelimit-limit': '3',
        'ratelimit-remaining': remaining,
        'ratelimit-reset': '40',
      })
    expect((await list()).headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '0' })
  })

  test('[LIM-005] [LIM-020] beyond the configured limit a call is refused and told when to come back', async () => {
    for (const _ of [1, 2, 3]) expect((await list()).status).toBe(200)
    const { status, code, headers } = await list()
    expect([status, code]).toEqual([refused, 'rate_limited'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  test('[LIM-005] [LIM-012] [LIM-020] what is refused is not executed', async () => {
    const key = testKey()
    const at = (number: number) => subscribe(key, { callback_url: `${input.callback_url}/${number}` })
    for (const number of [1, 2]) expect((await at(number)).status).toBe(200)
    expect(await at(3)).toMatchObject({ status: refused, code: 'rate_limited' })
    expect(await subscriptions()).toBe(2)
  })

  test.each([0, 1, 30, 59])('[LIM-006] at second %i, who waits as long as announced is served', async (second) => {
    server.time.now = afterSeconds(second)
    for (const _ of [1, 2, 3]) await list()
    const { headers } = await list()
    server.time.now = afterSeconds(second + Number(headers['retry-after']))
    expect((await list()).status).toBe(200)
  })

  test('[LIM-015] one platform over its limit takes nothing from another', async () => {
    const [greedy, modest] = [testKey(), testKey()]
    for (const status of [200, 200, refused, refused]) expect((await subscribe(greedy)).status).toBe(status)
    expect((await subscribe(modest)).headers['ratelimit-remaining']).toBe('1')
    expect((await list()).status).toBe(200)
  })

  test('[LIM-012] [LIM-015] an invented buyer gives a platform no further allowance for what concerns no buyer', async () => {
    const key = testKey()
    const subscribeFor = (email: string) => subscribe(key, { buyer: { email } })
    for (const email of ['a@example.com', 'b@example.com']) expect((await subscribeFor(email)).status).toBe(200)
    expect(await subscribeFor('c@example.com')).toMatchObject({ status: refused, code: 'rate_limited' })
  })

  test('[LIM-014] an answer that refuses for another reason says what is left as well', async () => {
    const { code, headers } = await subscribe(testKey(), { events: ['nonsense'] })
    expect([code, headers['ratelimit-remaining']]).toEqual(['validation_error', '1'])
  })

  test('[LIM-019] two processes give no double allowance', async () => {
    for (const on of [server, replica, server]) expect((await list(on)).status).toBe(200)
    for (const on of [server, replica]) expect((await list(on)).code).toBe('rate_limited')
    const key = testKey()
    for (const on of [server, replica]) expect((await subscribe(key, {}, on)).status).toBe(200)
    for (const on of [server, replica]) expect((await subscribe(key, {}, on)).code).toBe('rate_limited')
  })

  test('[LIM-019] [LIM-005] of many calls at once exactly as many as allowed are served', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => list(index % 2 ? server : replica)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  })
})

test('[LIM-013] REST and MCP draw on the same allowance, of a principal and of an address alike', async () => {
  const key = testKey()
  expect((await subscribeOverRest(key)).headers['ratelimit-remaining']).toBe('1')
  expect((await subscribeOverMcp(key)).headers['ratelimit-remaining']).toBe('0')
  expect([(await subscribeOverRest(key)).status, (await subscribeOverMcp(key)).status]).toEqual([429, -32007])
  for (const [call, remaining] of [
    [listOverMcp, '2'],
    [listOverRest, '1'],
    [listOverMcp, '0'],
  ] as const)
    expect((await call()).headers['ratelimit-remaining']).toBe(remaining)
  expect([(await listOverRest()).status, (await listOverMcp()).status]).toEqual([429, -32007])
})

test('[MCP-034] a refused tool call says in data and in the header after how many seconds to retry', async () => {
  server.time.now = afterSeconds(15)
  for (const _ of [1, 2, 3]) await server.tool('usp_services_list')
  const { headers, body } = await server.tool('usp_services_list')
  expect(body.error.data.retry_after).toBe(45)
  expect(headers['retry-after']).toBe('45')
})

test('[LIM-007] without a setting the published limits hold', () => {
  const { config, clock, log, operations } = server.runtime
  expect(makeRuntime({ config, db, clock, log, operations, secretKey: 'any' }).limits).toMatchObject({
    catalogue: 100,
    availability: 60,
  })
})

test.each([
  ['the list', 'POST', '/services/list', 'usp_services_list', {}],
  ['the feed', 'GET', '/services/feed', 'usp_services_feed', {}],
  ['one service', 'GET', '/services/svc_a', 'usp_services_get', { service_id: 'svc_a' }],
] as const)('[LIM-007] %s allows 100 calls a minute, the 101st is refused', async (_, method, url, tool, args) => {
  const plain = await testServer(businessWith([service('svc_a')]))
  const { config, clock, log, operations } = plain.runtime
  const { limits: usual } = makeRuntime({ config, db, clock, log, operations, secretKey: 'any' })
  Object.assign(plain.runtime, { limits: usual })
  for (let call = 1; call <= 100; call++) {
    const { headers } =
      call % 2 ? await plain.rest(method, url, method === 'POST' ? {} : undefined) : await plain.tool(tool, args)
    expect(headers['ratelimit-remaining']).toBe(String(100 - call))
  }
  expect((await plain.rest(method, url, method === 'POST' ? {} : undefined)).status).toBe(429)
  expect((await plain.tool(tool, args)).body.error.code).toBe(-32007)
})
