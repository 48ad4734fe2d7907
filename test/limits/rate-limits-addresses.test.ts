import { beforeEach, describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restProof, testKey, testPlatform } from '../support/platform.ts'
import { START, type TestServer, testServer } from '../support/server.ts'

const business = businessWith([service('svc_a')], { limits: { catalogue: 2, other: 60, failed_authentications: 2 } })
const direct = await testServer(business)
const behindProxy = await testServer(business, { env: { TRUST_PROXY: '127.0.0.1' } })
const platform = await testPlatform()
const agent = { 'usp-agent': `profile="${platform.url}"` }
const path = '/services/feed/subscriptions/sub_x'

beforeEach(async () => {
  for (const { runtime, time } of [direct, behindProxy]) {
    await runtime.db.deleteFrom('rate_limits').execute()
    // Those refused for their failures are kept in memory until their minute has passed.
    time.now = new Date(time.now.getTime() + 120_000)
  }
})

type Ask = (server: TestServer, address: string, headers?: Record<string, string>) => Promise<string>
const listOverRest: Ask = async (server, remoteAddress, headers = {}) => {
  const answer = await server.raw({ method: 'POST', url: '/usp/v1/services/list', remoteAddress, headers, payload: {} })
  return answer.body.code ?? 'served'
}
const listOverMcp: Ask = async (server, remoteAddress, { 'usp-agent': named, ...headers } = {}) => {
  const usp = named ? { usp: { profile: platform.url } } : {}
  const params = { name: 'usp_services_list', arguments: { _meta: usp } }
  const payload = { jsonrpc: '2.0', id: 7, method: 'tools/call', params }
  const { body } = await server.raw({ method: 'POST', url: '/usp/mcp', remoteAddress, headers, payload })
  return body.error?.data.code ?? 'served'
}

describe.each([
  ['REST', listOverRest],
  ['MCP', listOverMcp],
])('over %s', (_, list) => {
  const asked = async (server: TestServer, calls: [string, Record<string, string>?][]) => {
    const answers: string[] = []
    for (const [address, headers] of calls) answers.push(await list(server, address, headers))
    return answers
  }
  const forwarded = (chain: string): Record<string, string> => ({ 'x-forwarded-for': chain })

  test('[LIM-016] who is anonymous is counted by address, whatever platform is named', async () => {
    expect(await asked(direct, [['203.0.113.1', agent], ['203.0.113.1'], ['203.0.113.1', agent]])).toEqual([
      'served',
      'served',
      'rate_limited',
    ])
    expect(
      await asked(direct, [
        ['203.0.113.2', agent],
        ['203.0.113.2', agent],
      ]),
    ).toEqual(['served', 'served'])
  })

  test('[LIM-018] a forged forwarding header changes no count', async () => {
    const calls = ['198.51.100.1', '198.51.100.2', '198.51.100.3'].map(
      (one) => ['203.0.113.1', forwarded(one)] as const,
    )
    expect(
      await asked(
        direct,
        calls.map(([address, headers]) => [address, headers]),
      ),
    ).toEqual(['served', 'served', 'rate_limited'])
    const other = { forwarded: 'for=198.51.100.9', 'x-real-ip': '198.51.100.9', 'cf-connecting-ip': '198.51.100.9' }
    expect(await asked(direct, [['203.0.113.1', other]])).toEqual(['rate_limited'])
    expect(
      await asked(
        behindProxy,
        calls.map(([address, headers]) => [address, headers]),
      ),
    ).toEqual(['served', 'served', 'rate_limited'])
  })

  test('[LIM-018] behind a trusted proxy the address it forwards is counted, not what the client put before it', async () => {
    const via = (chain: string) => ['127.0.0.1', forwarded(chain)] as [string, Record<string, string>]
    expect(
      await asked(behindProxy, [
        via('198.51.100.1'),
        via('192.0.2.77, 198.51.100.1'),
        via('192.0.2.78, 198.51.100.1'),
        via('198.51.100.2'),
      ]),
    ).toEqual(['served', 'served', 'rate_limited', 'served'])
  })
})

test("[LIM-016] anonymous calls that name a platform take nothing from the platform's own allowance", async () => {
  const key = testKey()
  const own = async () => {
    const subscriptions = path.replace('/sub_x', '')
    const dpop = restProof(key, 'POST', `http://127.0.0.1:8080/usp/v1${subscriptions}`, direct.time.now)
    const input = { callback_url: 'https://127.0.0.1:9443/hook' }
    return (await direct.rest('POST', subscriptions, input, { ...agent, dpop })).headers['ratelimit-remaining']
  }
  expect(await own()).toBe('59')
  for (const _ of [1, 2, 3, 4]) await listOverRest(direct, '127.0.0.1', agent)
  expect(await own()).toBe('58')
})

describe('[LIM-017] guessing is slowed', () => {
  const guesses: [string, (guess: number) => Record<string, string>][] = [
    ['API keys', (guess) => ({ authorization: `Bearer usk_${guess}` })],
    ['scoped credentials', (guess) => ({ authorization: `DPoP bsc_${guess}` })],
    ['proofs', (guess) => ({ dpop: `a.b.${guess}` })],
  ]
  const read = async (remoteAddress: string, headers: Record<string, string>) => {
    const url = `/usp/v1${path}`
    const { body } = await direct.raw({ method: 'GET', url, remoteAddress, headers: { ...agent, ...headers } })
    return body.code
  }

  test.each(guesses)('[LIM-017] with %s: an address has as many failures a minute as configured', async (_, guess) => {
    for (const attempt of [1, 2]) expect(await read('203.0.113.7', guess(attempt))).not.toBe('rate_limited')
    for (const attempt of [3, 4, 5]) expect(await read('203.0.113.7', guess(attempt))).toBe('rate_limited')
    expect(await read('203.0.113.8', guess(6))).not.toBe('rate_limited')
  })

  test('[LIM-017] over tools the failures count along, and a right key no longer helps until the minute is over', async () => {
    const { key } = await addClient(direct.runtime.db, 'Agent', START)
    const tool = async (credential: string) => {
      const usp = { profile: platform.url, authorization: { mechanism: 'api_key', credential } }
      const { body } = await direct.tool('usp_services_feed_subscription_get', {
        subscription_id: 'sub_x',
        _meta: { usp },
      })
      return body.error.data.code
    }
    expect(await tool('usk_wrong')).toBe('authentication_required')
    expect(await read('127.0.0.1', { authorization: 'Bearer usk_wrong' })).toBe('authentication_required')
    expect(await tool(key)).toBe('rate_limited')
    expect(await read('127.0.0.1', { authorization: `Bearer ${key}` })).toBe('rate_limited')
    direct.time.now = new Date(direct.time.now.getTime() + 60_000)
    expect(await tool(key)).toBe('subscription_not_found')
  })

  test('[LIM-017] showing no credential is no failed attempt', async () => {
    for (const _ of [1, 2, 3, 4, 5]) expect(await read('203.0.113.9', {})).toBe('authentication_required')
  })
})

test('[LIM-012] a thousand requests for the business profile by one caller meet 429', async () => {
  const server = await testServer(businessWith([service('svc_a')], { limits: { other: 60 } }))
  let refused = 0
  for (let call = 0; call < 1_000 && refused === 0; call++) {
    const { status } = await server.rest('GET', '/.well-known/usp')
    if (status === 429) refused++
  }
  expect(refused).toBe(1)
})

test('an address that failed too often is served again at once when the limit is raised, and told why until then', async () => {
  const server = await testServer(business)
  const { runtime, time } = server
  const key = `usk_${'x'.repeat(43)}`
  const list = () =>
    server.raw({
      method: 'POST',
      url: '/usp/v1/business/customers/list',
      payload: {},
      headers: { authorization: `Bearer ${key}` },
    })
  for (let call = 0; call < 2; call++) expect((await list()).status).toBe(401)
  time.now = new Date(time.now.getTime() + 20_000)
  const { status, headers, body } = await list()
  expect([status, body.code]).toEqual([429, 'rate_limited'])
  expect(body.detail).toBe('Authentication from this address failed 2 times within a minute. Wait 40 seconds.')
  expect([headers['retry-after'], headers['ratelimit-limit']]).toEqual(['40', '2'])
  await server.apply({ ...business, limits: { ...business.limits, failed_authentications: 4 } })
  await runtime.business.seenBy(runtime.db)
  expect([(await list()).status, (await list()).status, (await list()).status]).toEqual([401, 401, 429])
})
