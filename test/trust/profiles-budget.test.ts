import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'

const A_MINUTE = 60_000
const MOST_FETCHES = 300

test('[PRO-076] however many addresses are named, some hundred are fetched in a minute; the rest is told to wait', {
  timeout: 60_000,
}, async () => {
  const platform = await testPlatform()
  const server = await testServer(businessWith([service('svc_a')]))
  const rest = async (query: number) =>
    server.rest('POST', '/services/list', {}, { 'usp-agent': `profile="${platform.url}?${query}"` })
  for (let query = 0; query < 1_000; query += 20)
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => server.runtime.profiles.get(`${platform.url}?${query + index}`)),
    )
  expect(platform.fetched).toBeGreaterThan(50)
  expect(platform.fetched).toBeLessThanOrEqual(MOST_FETCHES)
  const refused = await rest(9_000)
  expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const { body } = await server.tool('usp_services_list', { _meta: { usp: { profile: `${platform.url}?9001` } } })
  expect(body.error).toMatchObject({ code: -32009, data: { retry_after: expect.any(Number) } })
  expect((await rest(0)).status).toBe(200)
  expect((await server.rest('POST', '/services/list', {})).status).toBe(200)

  server.time.now = new Date(START.getTime() + A_MINUTE)
  expect((await rest(9_000)).status).toBe(200)
})
