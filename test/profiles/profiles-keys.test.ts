import { sign } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { type Platform, type TestKey, testKey, testPlatform } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')]))
const path = '/services/feed/subscriptions/sub_x'
let platform: Platform
let first: TestKey
let second: TestKey
beforeEach(async () => {
  server.time.now = START
  first = testKey()
  second = testKey()
  platform = await testPlatform({ keys: [published('one', first)] })
  platform.maxAge = 86_400
})

const published = (kid: string, key: TestKey) => ({ ...key.jwk, kid })
const after = (seconds: number) => {
  server.time.now = new Date(START.getTime() + seconds * 1000)
}

/** A read signed as RFC 9421 has it. What is read does not exist: 404 says that the signature was good. */
async function read(keyid: string, key: TestKey, url = platform.url) {
  const agent = `profile="${url}"`
  const input = `("@method" "@authority" "@path" "usp-agent");keyid="${keyid}"`
  const base = [
    '"@method": GET',
    '"@authority": 127.0.0.1:8080',
    `"@path": /usp/v1${path}`,
    `"usp-agent": ${agent}`,
    `"@signature-params": ${input}`,
  ].join('\n')
  const { status, body } = await server.rest('GET', path, undefined, {
    host: '127.0.0.1:8080',
    'usp-agent': agent,
    'signature-input': `sig=${input}`,
    signature: `sig=:${sign(null, Buffer.from(base), key.private).toString('base64')}:`,
  })
  return [status, body.code]
}
const good = [404, 'subscription_not_found']
const unknown = [401, 'key_not_found']

test('[PRO-078] a key that was published since is found by a forced refetch, without a restart', async () => {
  expect(await read('one', first)).toEqual(good)
  platform.profile.keys = [published('one', first), published('two', second)]
  expect(await read('two', second)).toEqual(good)
  expect(platform.fetched).toBe(2)
  expect([await read('one', first), await read('two', second)]).toEqual([good, good])
  expect(platform.fetched).toBe(2)
})

test('[PRO-077] an unknown key forces one refetch in 60 seconds, and later ones none', async () => {
  expect(await read('one', first)).toEqual(good)
  for (const seconds of [0, 1, 30, 59]) {
    after(seconds)
    expect(await read(`unknown${seconds}`, second)).toEqual(unknown)
  }
  expect(platform.fetched).toBe(2)
  after(60)
  expect(await read('unknown', second)).toEqual(unknown)
  expect(platform.fetched).toBe(3)
})

test('[PRO-077] the refetches of one origin are counted together, whatever the path', async () => {
  const urls = ['a', 'b', 'c'].map((query) => `${platform.url}?${query}`)
  for (const url of urls) expect(await read('unknown', second, url)).toEqual(unknown)
  expect(platform.fetched).toBe(urls.length + 1)
})

test('[PRO-077] ten requests with an unknown key at once force one refetch', async () => {
  expect(await read('one', first)).toEqual(good)
  const reads = Array.from({ length: 10 }, () => read('unknown', second))
  expect(await Promise.all(reads)).toEqual(Array(10).fill(unknown))
  expect(platform.fetched).toBe(2)
})

test('[PRO-078] ten requests with a key that was published since all succeed, after one refetch', async () => {
  expect(await read('one', first)).toEqual(good)
  platform.profile.keys = [published('two', second)]
  const reads = Array.from({ length: 10 }, () => read('two', second))
  expect(await Promise.all(reads)).toEqual(Array(10).fill(good))
  expect(platform.fetched).toBe(2)
})

test('[PRO-073] a key that the profile no longer has is refused once its copy has run out', async () => {
  platform.maxAge = 60
  expect(await read('one', first)).toEqual(good)
  platform.profile.keys = [published('two', second)]
  after(121)
  expect(await read('one', first)).toEqual(unknown)
  expect(await read('two', second)).toEqual(good)
})

test('[PRO-077] a forced refetch that fails does no harm to the keys that are known', async () => {
  expect(await read('one', first)).toEqual(good)
  platform.answer = (_, response) => response.writeHead(503).end()
  const [status] = await read('unknown', second)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(await read('one', first)).toEqual(good)
  expect(platform.fetched).toBe(2)
})
