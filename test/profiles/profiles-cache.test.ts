import { beforeEach, expect, test, vi } from 'vitest'
import { readProfile } from '../../src/core/profiles/read-platform-profile.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Platform, platformProfile, testPlatform } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')]))
let platform: Platform
beforeEach(async () => {
  server.time.now = START
  platform = await testPlatform()
})

const after = (seconds: number) => {
  server.time.now = new Date(START.getTime() + seconds * 1000)
}
/** What is told of capabilities; alternates between the bindings, which share what is known of a platform. */
let calls = 0
async function negotiated(): Promise<string> {
  if (++calls % 2) {
    const agent = { 'usp-agent': `profile="${platform.url}"` }
    const { body } = await server.rest('POST', '/services/list', {}, agent)
    return body.code ?? Object.keys(body.usp.capabilities).length
  }
  const { body } = await server.tool('usp_services_list', { _meta: { usp: { profile: platform.url } } })
  return body.error?.data.code ?? Object.keys(body.result.structuredContent.usp.capabilities).length
}
/** The catalogue, which was asked, and the subscriptions to it. */
const ALL = 2
const withNothing = () => {
  platform.profile = { usp: { version: '2026-08-20', capabilities: {} } }
}
const failing = (status: number) => {
  platform.answer = (_, response) => response.writeHead(status).end()
}

test('[PRO-070] [PRO-071] a profile is fetched by the first request that names it and kept for the next', async () => {
  expect(platform.fetched).toBe(0)
  for (const _ of [1, 2, 3, 4]) expect(await negotiated()).toBe(ALL)
  expect(platform.fetched).toBe(1)
})

test('[PRO-074] ten first requests at once share one fetch', async () => {
  expect(await Promise.all(Array.from({ length: 10 }, negotiated))).toEqual(Array(10).fill(ALL))
  expect(platform.fetched).toBe(1)
})

test('[PRO-074] [PRO-075] ten first requests at once share one failure, too', async () => {
  failing(500)
  expect(await Promise.all(Array.from({ length: 10 }, negotiated))).toEqual(Array(10).fill('profile_unreachable'))
  expect(platform.fetched).toBe(1)
})

test.each([
  undefined,
  'max-age=0',
  'max-age=59',
  'no-store',
  'no-cache',
  'private',
  's-maxage=0',
  'max-age=-1',
  'nonsense',
])('[PRO-072] a profile with Cache-Control %s is reused for 60 seconds', async (cacheControl) => {
  platform.answer = (_, response) => {
    if (cacheControl) response.setHeader('cache-control', cacheControl)
    response.end(JSON.stringify(platform.profile))
  }
  for (const seconds of [0, 30, 59]) {
    after(seconds)
    expect(await negotiated()).toBe(ALL)
  }
  expect(platform.fetched).toBe(1)
  after(121)
  await negotiated()
  expect(platform.fetched).toBe(2)
})

test('[PRO-071] a profile is reused for as long as its own max-age says', async () => {
  platform.maxAge = 3_600
  for (const seconds of [0, 3_599]) {
    after(seconds)
    expect(await negotiated()).toBe(ALL)
  }
  expect(platform.fetched).toBe(1)
})

test('[PRO-073] long after max-age the next request uses a fresh copy, with what changed in it', async () => {
  platform.maxAge = 300
  expect(await negotiated()).toBe(ALL)
  withNothing()
  after(299)
  expect(await negotiated()).toBe(ALL)
  after(361)
  expect(await negotiated()).toBe(0)
  expect(platform.fetched).toBe(2)
})

test('[PRO-073] just after max-age nobody waits for the fresh copy, which one fetch brings', async () => {
  await negotiated()
  withNothing()
  after(61)
  let arrived = () => {}
  const asked = new Promise<void>((resolve) => {
    arrived = resolve
  })
  let release = () => {}
  platform.answer = (_, response) => {
    arrived()
    release = () => response.end(JSON.stringify(platform.profile))
  }
  expect(await Promise.all([negotiated(), negotiated(), negotiated()])).toEqual([ALL, ALL, ALL])
  await asked
  expect(platform.fetched).toBe(2)
  release()
  await vi.waitFor(async () => expect(await negotiated()).toBe(0))
  expect(platform.fetched).toBe(2)
})

test('[PRO-075] a profile that failed is not fetched for every request, and repeated failures back off', async () => {
  failing(503)
  const fetchesAt: number[] = []
  for (let second = 0; second <= 120; second++) {
    after(second)
    const before = platform.fetched
    expect(await negotiated()).toBe('profile_unreachable')
    if (platform.fetched > before) fetchesAt.push(second)
  }
  const pauses = fetchesAt.slice(1).map((second, index) => second - (fetchesAt[index] ?? 0))
  expect(pauses.length).toBeGreaterThan(1)
  expect(pauses.length).toBeLessThan(10)
  expect(pauses[0]).toBeGreaterThan(1)
  for (const [index, pause] of pauses.entries()) if (index > 0) expect(pause).toBeGreaterThan(pauses[index - 1] ?? 0)
})

test('[PRO-075] a profile that recovers is served after the pause, and a later failure starts anew', async () => {
  failing(404)
  expect(await negotiated()).toBe('profile_unreachable')
  platform.answer = undefined
  after(600)
  expect(await negotiated()).toBe(ALL)
  failing(404)
  after(800)
  expect(await negotiated()).toBe('profile_unreachable')
  platform.answer = undefined
  after(806)
  expect(await negotiated()).toBe(ALL)
})

test('[PRO-073] [PRO-055] a copy long past its time serves nobody while the profile cannot be fetched', async () => {
  expect(await negotiated()).toBe(ALL)
  failing(410)
  after(3_600)
  expect([await negotiated(), await negotiated()]).toEqual(['profile_unreachable', 'profile_unreachable'])
  after(3_601)
  expect(await negotiated()).toBe('profile_unreachable')
})

test('[PRO-075] a short outage of the platform is bridged by the copy just past its time', async () => {
  expect(await negotiated()).toBe(ALL)
  failing(503)
  after(61)
  expect(await negotiated()).toBe(ALL)
  await vi.waitFor(() => expect(platform.fetched).toBe(2))
  expect([await negotiated(), await negotiated()]).toEqual([ALL, ALL])
  expect(platform.fetched).toBe(2)
})

test('[profiles fill no memory] of a profile that stays in memory only what is looked at is kept', () => {
  const key = { kid: 'one', kty: 'OKP', crv: 'Ed25519', x: 'AA' }
  const { usp } = platformProfile()
  const needed = { usp, webhook_url: 'https://agent.example/hook', keys: [key] }
  const much = Array.from({ length: 500 }, (_, index) => ({ [`k${index}`]: {} }))
  const entry = { version: '2026-08-20', spec: 'https://example.dev/spec', schema: 'https://example.dev/schema' }
  const letters = (index: number) => String(index).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
  const others = much
    .slice(0, 250)
    .map((_, index) => [`dev.example.other.${letters(index)}`, Array(index === 0 ? 25 : 1).fill(entry)])
  const stuffed = {
    ...needed,
    keys: [{ ...key, more: much }],
    usp: {
      ...usp,
      capabilities: { ...Object.fromEntries(others), ...usp.capabilities },
      much,
    },
    much,
  }
  const read = (document: object) =>
    readProfile({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(document)) }).profile
  const { usp: kept, ...rest } = read(stuffed)
  expect({ ...rest, usp: { ...kept, capabilities: read(needed).usp.capabilities } }).toEqual(read(needed))
  expect(kept.capabilities).toMatchObject(read(needed).usp.capabilities)
  const versions = Object.values(kept.capabilities)
  expect([versions.length, Math.max(...versions.map(({ length }) => length))]).toEqual([200, 20])
})
