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

const waiting = (remoteAddress: string) =>
  Promise.all(Array.from({ length: PLACES }, () => list(remoteAddress, silent.url)))

test('[one address does not take the places of all] callers that wait for a silent host leave room for others', async () => {
  expect(await list('203.0.113.9', known.url)).toBe(200)
  silent.answer = () => {}
  const first = waiting('203.0.113.1')
  await expect.poll(() => silent.fetched).toBe(1)
  expect(await list('203.0.113.9')).toBe(200)
  const others = [waiting('203.0.113.2'), waiting('203.0.113.3')]
  await expect.poll(() => list('203.0.113.4', silent.url)).toBe(503)
  // Who names nobody, or a platform that is known, waits for none.
  expect([await list('203.0.113.4'), await list('203.0.113.4', known.url)]).toEqual([200, 200])

  const answers = [await first, ...(await Promise.all(others))]
  const numberOf = (status: number) => answers.map((some) => some.filter((one) => one === status).length)
  expect(numberOf(424)).toEqual([PLACES / 5, PLACES / 5, 0])
  expect(numberOf(429)).toEqual([(PLACES * 4) / 5, (PLACES * 4) / 5, 0])
  expect(numberOf(503)).toEqual([0, 0, PLACES])
})
