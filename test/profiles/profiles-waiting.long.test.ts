import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'

const PLACES = 100
const [silent, known] = [await testPlatform(), await testPlatform()]
const server = await testServer(businessWith([service('svc_a')]), { env: { DATABASE_POOL: '1' } })

const list = async (remoteAddress: string, profile?: string) => {
  const headers = { 'usp-agent': `profile="${profile}"` }
  const { status } = await server.raw({
    method: 'POST',
    url: '/usp/v1/services/list',
    remoteAddress,
    ...(profile && { headers }),
    payload: {},
  })
  return status
}

let turnedAway = 0
const counted = (status: number) => {
  if (status === 503) turnedAway++
  return status
}
const waiting = (remoteAddress: string) =>
  Promise.all(Array.from({ length: PLACES }, () => list(remoteAddress, silent.url).then(counted)))

test('[one address does not take the places of all] callers that wait for a silent host leave room for others', async () => {
  expect(await list('203.0.113.9', known.url)).toBe(200)
  silent.answer = () => {}
  const first = waiting('203.0.113.1')
  await expect.poll(() => silent.fetched).toBe(1)
  expect(await list('203.0.113.9')).toBe(200)
  // Nor do a few addresses: who names a platform that nobody knows yet is served meanwhile.
  const others = [2, 3, 4, 5].map((host) => waiting(`203.0.113.${host}`))
  expect(await list('203.0.113.10', (await testPlatform()).url)).toBe(200)
  const more = Array.from({ length: 20 }, (_, nth) => waiting(`198.51.100.${nth}`))
  await expect.poll(() => turnedAway).toBeGreaterThan(0)
  // Who names nobody, or a platform that is known, waits for none, once the rush is over.
  await expect.poll(() => list('203.0.113.4')).toBe(200)
  expect([await list('203.0.113.4', silent.url), await list('203.0.113.4', known.url)]).toEqual([503, 200])

  const answers = [await first, ...(await Promise.all([...others, ...more]))]
  const numberOf = (status: number) => answers.map((some) => some.filter((one) => one === status).length)
  expect(numberOf(424).slice(0, 5)).toEqual([8, 7, 5, 4, 4])
  expect(numberOf(424).reduce((sum, one) => sum + one)).toBe(40)
  expect(numberOf(503).slice(0, 5)).toEqual([0, 0, 0, 0, 0])
})
