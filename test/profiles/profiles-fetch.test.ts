import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { countCall } from '../../src/core/limits/rate-limits.ts'
import { MINUTE } from '../../src/infra/time/time-units.ts'
import { businessWith, service } from '../support/definitions.ts'
import { platformProfile, testPlatform } from '../support/platform.ts'
import { freePort } from '../support/process.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')]))
const platform = await testPlatform()
const target = await testPlatform()
let paths = 0
/** An address that was not asked before, so that nothing is cached of it. */
const freshUrl = () => `${platform.url}?${++paths}`

async function rest(url: string) {
  const { status, body } = await server.rest('POST', '/services/list', {}, { 'usp-agent': `profile="${url}"` })
  return [status, body.code]
}

async function mcp(url: string) {
  const { body } = await server.tool('usp_services_list', { _meta: { usp: { profile: url } } })
  return [body.error?.code ?? 200, body.error?.data.code]
}

/** What both bindings answer to a platform whose profile is answered so. */
async function answersTo(answer: RequestListener) {
  platform.answer = answer
  return [await rest(freshUrl()), await mcp(freshUrl())]
}
const sending = (text: string) => answersTo((_, response) => response.end(text))

const unreachable = [
  [424, 'profile_unreachable'],
  [-32003, 'profile_unreachable'],
]
const malformed = [
  [422, 'profile_malformed'],
  [-32004, 'profile_malformed'],
]
const served = [
  [200, undefined],
  [200, undefined],
]

test.each([301, 302, 303, 307, 308])('[PRO-053] a profile answered with %i is not followed', async (status) => {
  const location = target.url
  expect(await answersTo((_, response) => response.writeHead(status, { location }).end())).toEqual(unreachable)
  expect(target.fetched).toBe(0)
})

test.each([304, 400, 401, 404, 410, 429, 500, 503])(
  '[PRO-054] [PRO-055] a profile answered with %i fails the call, a public one too',
  async (status) => {
    const body = JSON.stringify(platformProfile())
    expect(await answersTo((_, response) => response.writeHead(status).end(body))).toEqual(unreachable)
  },
)

test('[PRO-054] [PRO-055] a host that refuses, drops or does not resolve fails the call', async () => {
  expect(await answersTo((request) => request.socket.destroy())).toEqual(unreachable)
  for (const url of [`https://127.0.0.1:${await freePort()}/p`, 'https://nobody.invalid/p'])
    expect([await rest(url), await mcp(url)]).toEqual(unreachable)
})

test('[PRO-056] a profile host that accepts and then stalls is given up after 5 seconds', async () => {
  platform.answer = (_, response) => void response.write('{')
  const begun = performance.now()
  expect(await Promise.all([rest(freshUrl()), mcp(freshUrl())])).toEqual(unreachable)
  const seconds = (performance.now() - begun) / 1000
  expect(seconds).toBeGreaterThan(4.5)
  expect(seconds).toBeLessThan(8)
})

test('[PRO-057] [PRO-058] a profile of 128 KiB is accepted, one just above 256 KiB refused', async () => {
  const profileOf = (bytes: number) => {
    const text = JSON.stringify({ ...platformProfile(), padding: '' })
    return text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`)
  }
  for (const size of [128 * 1024, 256 * 1024]) {
    expect(profileOf(size)).toHaveLength(size)
    expect(await sending(profileOf(size))).toEqual(served)
  }
  expect(await sending(profileOf(256 * 1024 + 1))).toEqual(malformed)
})

test.each(['', 'profile', '<html></html>', '{"usp":', '\u0000', '{} {}', "{'usp':1}"])(
  '[PRO-059] [PRO-055] a profile that is not JSON is malformed: %j',
  async (text) => expect(await sending(text)).toEqual(malformed),
)

test.each(['null', '1', '"usp"', '[]', 'true', '{}'])(
  '[PRO-060] a profile that is JSON but no profile is malformed: %s',
  async (text) => expect(await sending(text)).toEqual(malformed),
)

test.each([
  ['{}', /\busp\b/],
  ['{"ucp":{}}', /ucp\.version/],
])('[PRO-060] a profile like %s is told what it lacks', async (text, lacks) => {
  platform.answer = (_, response) => response.end(text)
  const { body } = await server.rest('POST', '/services/list', {}, { 'usp-agent': `profile="${freshUrl()}"` })
  expect(JSON.stringify(body.errors)).toMatch(lacks)
})

const { usp } = platformProfile()
const entry = { version: '2026-08-20', spec: 'https://example.com/spec', schema: 'https://example.com/schema' }
const key = { kid: 'one', kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }
const withEntry = (entry: unknown) => ({
  usp: { ...usp, capabilities: { ...usp.capabilities, 'com.example.x': [entry] } },
})

test.each<[string, string, object]>([
  ['[PRO-060]', 'usp of the wrong kind', { usp: 'yes' }],
  ['[PRO-060]', 'no version', { usp: { capabilities: usp.capabilities } }],
  ['[PRO-060]', 'no capabilities', { usp: { version: usp.version } }],
  ['[PRO-060]', 'capabilities in a list', { usp: { ...usp, capabilities: ['dev.usp-protocol.services.catalog'] } }],
  ['[PRO-060]', 'a capability that is no list', { usp: { ...usp, capabilities: { 'com.example.x': entry } } }],
  ['[PRO-060]', 'a capability name that is none', { usp: { ...usp, capabilities: { Catalog: [entry] } } }],
  ['[PRO-060]', 'a webhook address that is none', { usp, webhook_url: 'hook' }],
  ['[PRO-060]', 'a transport that is none', { usp: { ...usp, services: { 'com.example.x': [{ transport: 'fax' }] } } }],
  ['[PRO-060]', 'keys that are no list', { usp, keys: key }],
  ['[PRO-060]', 'an empty list of keys', { usp, keys: [] }],
  ['[PRO-060]', 'a key without kty', { usp, keys: [{ kid: 'one' }] }],
  ['[PRO-061]', 'a capability without version', withEntry({ ...entry, version: undefined })],
  ['[PRO-061]', 'a capability without spec', withEntry({ ...entry, spec: undefined })],
  ['[PRO-061]', 'a capability without schema', withEntry({ ...entry, schema: undefined })],
  ['[PRO-094]', 'a version that is a number', { usp: { ...usp, version: 20260820 } }],
  ['[PRO-094]', 'a version in one word', { usp: { ...usp, version: '20260820' } }],
  ['[PRO-094]', 'a version of another scheme', { usp: { ...usp, version: '1.0.0' } }],
  ['[PRO-094]', 'a version with a tail', { usp: { ...usp, version: '2026-08-20-draft' } }],
  ['[PRO-094]', 'a version with a short month', { usp: { ...usp, version: '2026-8-20' } }],
])('%s a profile with %s is malformed', async (_, __, profile) => {
  expect(await sending(JSON.stringify(profile))).toEqual(malformed)
})

test('[PRO-060] the refusal says what is wrong and where', async () => {
  platform.answer = (_, response) => response.end(JSON.stringify({ usp: { version: usp.version } }))
  const { body } = await server.rest('POST', '/services/list', {}, { 'usp-agent': `profile="${freshUrl()}"` })
  expect(JSON.stringify(body.errors)).toContain('capabilities')
})

test.each<[string, string, object]>([
  ['[PRO-062]', 'members nobody knows', { ...withEntry({ ...entry, colour: 'red' }), colour: 'red', links: [{}] }],
  ['[PRO-062]', 'members nobody knows in usp', { usp: { ...usp, mood: { good: true } } }],
  ['[PRO-062]', 'members nobody knows in a key', { usp, keys: [{ ...key, x5c: ['AA'], mood: 1 }] }],
  ['[PRO-062]', 'members named like those every object has', { usp, toString: 1, constructor: {} }],
  ['[PRO-064]', 'no keys', { usp }],
  ['[PRO-093]', 'the same version', { usp: { ...usp, version: '2026-08-20' } }],
  ['[PRO-093]', 'an earlier version', { usp: { ...usp, version: '2026-06-14' } }],
  ['[PRO-093]', 'a much earlier version', { usp: { ...usp, version: '2020-01-01' } }],
])('%s a profile with %s is served', async (_, __, profile) => {
  expect(await sending(JSON.stringify(profile))).toEqual(served)
})

test.each(['2026-08-21', '2026-09-01', '2027-01-01', '9999-12-31'])(
  '[PRO-091] [PRO-092] a platform that speaks %s is refused and told the latest version here',
  async (version) => {
    // One address has had as much of this host within the minute as it may.
    server.time.now = new Date(server.time.now.getTime() + MINUTE)
    platform.answer = (_, response) => response.end(JSON.stringify({ usp: { ...usp, version } }))
    const named = expect.objectContaining({ content: expect.stringContaining('2026-08-20') })
    const agent = { 'usp-agent': `profile="${freshUrl()}"` }
    const { status, body } = await server.rest('POST', '/services/list', {}, agent)
    expect([status, body.code, body.messages]).toEqual([400, 'version_unsupported', [named]])
    const { body: told } = await server.tool('usp_services_list', { _meta: { usp: { profile: freshUrl() } } })
    expect(told.error).toMatchObject({ code: -32008, data: { code: 'version_unsupported', messages: [named] } })
  },
)

describe('[no single request gives 500] an address that is too long for any index', () => {
  // Of nothing that repeats: an index keeps what can be made short.
  const noise = (length: number) => randomBytes(length).toString('hex').slice(0, length)
  const refused = [
    [400, 'invalid_profile_url'],
    [-32602, 'invalid_profile_url'],
  ]

  test.each([
    ['host name', `https://${noise(9_000)}.example/`],
    ['host name of many labels', `https://${noise(9_000).replace(/.{50}/g, '$&.')}.example/`],
    ['path', `https://agent.example/${noise(9_000)}`],
  ])('as a %s is refused', async (_, url) => {
    expect([await rest(url), await mcp(url)]).toEqual(refused)
  })

  test('[one that counts fails nobody else] as the name of who is counted is shortened', async () => {
    const { db } = server.runtime
    const [key, minute] = [noise(60_000), new Date()]
    expect(await Promise.all([countCall(db, key, minute), countCall(db, 'other', minute)])).toEqual([1, 1])
    expect(await countCall(db, key, minute)).toBe(2)
  })
})
