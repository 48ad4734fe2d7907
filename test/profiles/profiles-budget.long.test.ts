import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../src/core/limits/rate-limits.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testNameserver } from '../support/nameserver.ts'
import { testPlatform } from '../support/platform.ts'
import { type Answer, START, type TestServer, testServer } from '../support/server.ts'

const A_MINUTE = 60_000
const OF_ONE_HOST = 240
const OF_ALL = 1_000
/** The usual limits of a business. Test servers have no limits of their own. */
const usual = businessWith([service('svc_a')], { limits: { profiles: defaultLimits.profiles } })

test('[PRO-076] however many addresses of one host are named, some hundred are fetched in a minute, by all servers together; the rest is told to wait', async () => {
  const platform = await testPlatform()
  const databaseUrl = await freshDatabase()
  const server = await testServer(usual, { databaseUrl })
  const replica = await testServer(undefined, { databaseUrl })
  const rest = async (query: number) =>
    server.rest('POST', '/services/list', {}, { 'usp-agent': `profile="${platform.url}?${query}"` })
  for (let query = 0; query < 1_000; query += 20)
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? server : replica).runtime.profiles.get(`${platform.url}?${query + index}`, {}),
      ),
    )
  expect(platform.fetched).toBeGreaterThan(50)
  expect(platform.fetched).toBeLessThanOrEqual(OF_ONE_HOST)
  const refused = await rest(9_000)
  expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable'])
  expect(refused.headers['retry-after']).toBe('60')
  const { body } = await server.tool('usp_services_list', { _meta: { usp: { profile: `${platform.url}?9001` } } })
  expect(body.error).toMatchObject({ code: -32009, data: { retry_after: 60 } })
  expect((await rest(1)).status).toBe(200)
  expect((await server.rest('POST', '/services/list', {})).status).toBe(200)

  server.time.now = new Date(START.getTime() + A_MINUTE)
  expect((await rest(9_000)).status).toBe(200)
})

test('[PRO-076] a business that lets one address name 300 profiles in a minute also fetches them from one host', async () => {
  const platform = await testPlatform()
  const server = await testServer(businessWith([service('svc_a')], { limits: { profiles: 300, other: 1_000 } }))
  server.time.now = new Date(START.getTime() + 20_000)
  const codes: string[] = []
  for (let query = 1; query <= 300; query++)
    codes.push((await listOverRest(server, '203.0.113.1', `${platform.url}?${query}`)).body)
  expect(codes.filter((code) => code !== 'served')).toEqual([])
  expect((await listOverRest(server, '203.0.113.2', `${platform.url}?301`)).body).toBe('served')
})

const nameserver = await testNameserver()
const env = { USP_NAMESERVERS: nameserver.address }
const few = businessWith([service('svc_a')], { limits: { profiles: 5, other: 1_000 } })
type Ask = (server: TestServer, address: string, profile: string) => Promise<Answer>
const listOverRest: Ask = async (server, remoteAddress, profile) => {
  const headers = { 'usp-agent': `profile="${profile}"` }
  const answer = await server.raw({ method: 'POST', url: '/usp/v1/services/list', remoteAddress, headers, payload: {} })
  return { ...answer, body: answer.body.code ?? 'served' }
}
const listOverMcp: Ask = async (server, remoteAddress, profile) => {
  const params = { name: 'usp_services_list', arguments: { _meta: { usp: { profile } } } }
  const payload = { jsonrpc: '2.0', id: 7, method: 'tools/call', params }
  const answer = await server.raw({ method: 'POST', url: '/usp/mcp', remoteAddress, payload })
  return { ...answer, body: answer.body.error?.data.code ?? 'served' }
}
let named = 0
/** A platform that nobody has named before, on a host of its own that does not exist. */
const unheardOf = () => `https://platform-${++named}.example/profile.json`

describe.each([
  ['REST', listOverRest],
  ['MCP', listOverMcp],
])('over %s', (_, list) => {
  test('[330 profiles named by one address use up what that address has, and nothing of others]', async () => {
    const databaseUrl = await freshDatabase()
    const server = await testServer(few, { env, databaseUrl })
    const replica = await testServer(undefined, { env, databaseUrl })
    const [known, next] = [await testPlatform(), await testPlatform()]
    expect((await list(server, '203.0.113.1', known.url)).body).toBe('served')
    for (let call = 1; call <= 330; call++) {
      const { body, headers } = await list(server, '203.0.113.1', unheardOf())
      expect(body).toBe(call < 5 ? 'profile_unreachable' : 'rate_limited')
      if (call >= 5) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await list(replica, '203.0.113.1', unheardOf())).body).toBe('rate_limited')
    // What is known is not fetched, and others have what they had.
    expect((await list(server, '203.0.113.1', known.url)).body).toBe('served')
    expect((await list(server, '203.0.113.2', next.url)).body).toBe('served')
    server.time.now = new Date(START.getTime() + A_MINUTE)
    expect((await list(server, '203.0.113.1', unheardOf())).body).toBe('profile_unreachable')
  })

  test('[330 profiles named by one address] an address of IPv6 is its whole network', async () => {
    const server = await testServer(few, { env })
    for (let call = 1; call <= 5; call++) await list(server, `2001:db8:1:2::${call}`, unheardOf())
    expect((await list(server, '2001:db8:1:ff:ffff::6', unheardOf())).body).toBe('rate_limited')
    expect((await list(server, '2001:db8:1:100::1', unheardOf())).body).toBe('profile_unreachable')
  })

  test('[330 profiles named by one address] callers that come at once count once, and one that may not ask keeps nobody from it', async () => {
    const server = await testServer(few, { env })
    const platform = await testPlatform()
    const answers = await Promise.all(Array.from({ length: 20 }, () => list(server, '203.0.113.1', platform.url)))
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => 'served'))
    for (let call = 1; call <= 4; call++)
      expect((await list(server, '203.0.113.1', unheardOf())).body).toBe('profile_unreachable')
    const both = (await testPlatform()).url
    const [refused, served] = await Promise.all([list(server, '203.0.113.1', both), list(server, '203.0.113.2', both)])
    expect([refused.body, served.body]).toEqual(['rate_limited', 'served'])
  })

  test('[a call that is refused for its rate spends nothing]', async () => {
    const server = await testServer(businessWith([service('svc_a')], { limits: { catalogue: 2, profiles: 5 } }), {
      env,
    })
    nameserver.asked.length = 0
    for (const expected of ['profile_unreachable', 'profile_unreachable', 'rate_limited', 'rate_limited'])
      expect((await list(server, '203.0.113.1', unheardOf())).body).toBe(expected)
    expect(new Set(nameserver.asked).size).toBe(2)
    const counted = await server.runtime.db
      .selectFrom('rate_limits')
      .selectAll()
      .where('key', 'like', 'profiles %')
      .execute()
    expect(counted).toMatchObject([{ key: 'profiles 203.0.113.1', count: 2 }])
  })

  test('[look-ups in flight are few for each address] those that never end keep no other waiting', async () => {
    const server = await testServer(businessWith([service('svc_a')]), { env })
    const silent = Array.from({ length: 16 }, unheardOf)
    for (const url of silent) nameserver.names.set(new URL(url).hostname, 'silent')
    const waiting = Promise.all(silent.map((url) => list(server, '203.0.113.1', url)))
    const isAsked = (url: string) => nameserver.asked.includes(new URL(url).hostname)
    await expect.poll(() => silent.every(isAsked)).toBe(true)
    const refused = await list(server, '203.0.113.1', unheardOf())
    expect([refused.body, refused.headers['retry-after']]).toEqual(['rate_limited', '5'])
    expect((await list(server, '203.0.113.2', (await testPlatform()).url)).body).toBe('served')
    expect((await waiting).map(({ body }) => body)).toEqual(silent.map(() => 'profile_unreachable'))
    expect((await list(server, '203.0.113.1', unheardOf())).body).toBe('profile_unreachable')
  })
})

/** So many addresses, each of a network of its own. */
const addresses = (count: number) =>
  Array.from({ length: count }, (_, nth) => `198.18.${Math.floor(nth / 250)}.${nth % 250}`)

test('[PRO-076] however many addresses name however many hosts, a thousand are fetched in a minute', async () => {
  const server = await testServer(businessWith([service('svc_a')]), { env })
  nameserver.asked.length = 0
  const known = await testPlatform()
  expect((await listOverRest(server, '203.0.113.1', known.url)).body).toBe('served')
  const answers: string[] = []
  for (const address of addresses(OF_ALL + 100)) answers.push((await listOverRest(server, address, unheardOf())).body)
  expect(new Set(nameserver.asked).size).toBe(OF_ALL - 1)
  expect(answers.slice(OF_ALL)).toEqual(answers.slice(OF_ALL).map(() => 'service_unavailable'))
  // One that is known is fetched anew all the same.
  server.time.now = new Date(START.getTime() + A_MINUTE)
  for (const address of addresses(OF_ALL)) await listOverRest(server, address, unheardOf())
  expect((await listOverRest(server, '198.51.100.201', unheardOf())).body).toBe('service_unavailable')
  server.time.now = new Date(START.getTime() + 2 * A_MINUTE - 1)
  expect((await listOverRest(server, '203.0.113.1', known.url)).body).toBe('served')
  await expect.poll(() => known.fetched).toBe(2)
}, 60_000)

test.each([5, 20, 50])(
  '[a few networks do not use up what all have fetched] %i of them name as many as they may, and another is served',
  async (networks) => {
    const server = await testServer(businessWith([service('svc_a')], { limits: { other: 1_000 } }), { env })
    const platform = await testPlatform()
    expect((await listOverRest(server, '203.0.113.1', platform.url)).body).toBe('served')
    for (let call = 1; call <= 70; call++)
      await Promise.all(addresses(networks).map((address) => listOverRest(server, address, unheardOf())))
    const other = await testPlatform()
    expect((await listOverRest(server, '203.0.113.2', other.url)).body).toBe('served')
    expect((await listOverRest(server, '203.0.113.1', unheardOf())).body).toBe('profile_unreachable')
  },
  60_000,
)

test('[a few networks do not use up what all have fetched] nor what is fetched of one host', async () => {
  const server = await testServer(usual, { env })
  const platform = await testPlatform()
  for (let call = 1; call <= 60; call++)
    await Promise.all(
      addresses(5).map((address, nth) => listOverRest(server, address, `${platform.url}?${call}-${nth}`)),
    )
  expect((await listOverRest(server, '203.0.113.1', platform.url)).body).toBe('served')
})

test('[a call that is refused for its rate spends nothing] nor does one from an address that guesses', async () => {
  const business = businessWith([service('svc_a')], { limits: { failed_authentications: 2, profiles: 50 } })
  const server = await testServer(business, { env })
  const platform = await testPlatform()
  const guess = async (profile: string) => {
    const headers = { 'usp-agent': `profile="${profile}"`, authorization: 'Bearer usk_wrong' }
    return (await server.rest('GET', '/services/feed/subscriptions/sub_x', undefined, headers)).body.code
  }
  for (let failure = 0; failure < 2; failure++) expect(await guess(platform.url)).toBe('authentication_required')
  nameserver.asked.length = 0
  expect(await guess(unheardOf())).toBe('rate_limited')
  expect(nameserver.asked).toEqual([])
})
