import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { capabilities } from '../../src/protocol/capabilities.ts'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restProof, testKey, testPlatform, toolProof } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'

const VERSION = '2026-08-20'
const CATALOG = 'dev.usp-protocol.services.catalog'
const SUBSCRIPTIONS = `${CATALOG}.subscriptions`
const entry = (version = VERSION, at = 'https://example.com') => ({ version, spec: `${at}/spec`, schema: `${at}/s` })
const ownEntry = (version = VERSION) => entry(version, 'https://usp-protocol.dev')

const server = await testServer(
  businessWith([service('svc_a')], {
    capabilities: {
      [CATALOG]: [ownEntry('2026-01-01'), ownEntry('2026-06-14'), ownEntry()],
      'com.example.loyalty': [{ ...entry(), extends: CATALOG }],
      'com.example.old': [{ ...entry(), extends: CATALOG, requires: { protocol: { max: '2026-01-01' } } }],
      'com.example.later': [
        { ...entry(), extends: CATALOG, requires: { capabilities: { [CATALOG]: { min: VERSION } } } },
      ],
      'com.example.orphan': [{ ...entry(), extends: 'com.example.unserved' }],
      'com.example.apart': [entry()],
    },
  }),
)
const everything = [
  SUBSCRIPTIONS,
  ...['loyalty', 'old', 'later', 'orphan', 'apart'].map((name) => `com.example.${name}`),
]
const knowing = (names: string[], catalog = [VERSION]) => ({
  usp: {
    version: VERSION,
    capabilities: {
      ...(catalog.length > 0 && { [CATALOG]: catalog.map((version) => ownEntry(version)) }),
      ...Object.fromEntries(names.map((name) => [name, [name.startsWith(CATALOG) ? ownEntry() : entry()]])),
    },
  },
})

type List = (url?: string) => Promise<{ usp: { [member: string]: unknown }; messages?: object[]; services?: object[] }>

const overRest: List = async (url) => {
  const headers: Record<string, string> = url === undefined ? {} : { 'usp-agent': `profile="${url}"` }
  const { status, body } = await server.rest('POST', '/services/list', {}, headers)
  expect(status).toBe(200)
  return body
}
const overMcp: List = async (url) => {
  const { body } = await server.tool('usp_services_list', url === undefined ? {} : { _meta: { usp: { profile: url } } })
  expect(body).not.toHaveProperty('error')
  return body.result.structuredContent
}
const told = (capabilities: Record<string, string>) =>
  Object.fromEntries(Object.entries(capabilities).map(([name, version]) => [name, [{ version }]]))

describe.each([
  ['REST', overRest],
  ['MCP', overMcp],
])('over %s', (_, list) => {
  test.each<[string, string, object, Record<string, string>]>([
    ['[PRO-079] [PRO-080]', 'the catalogue', knowing([]), { [CATALOG]: VERSION }],
    [
      '[PRO-079]',
      'what both have, not what the platform has alone',
      knowing(['com.example.theirs']),
      { [CATALOG]: VERSION },
    ],
    ['[PRO-080]', 'what concerns it, not another capability', knowing(['com.example.apart']), { [CATALOG]: VERSION }],
    ['[PRO-082]', 'the highest common version', knowing([], ['2026-01-01', '2026-06-14']), { [CATALOG]: '2026-06-14' }],
    ['[PRO-082]', 'it in any order', knowing([], ['2026-06-14', VERSION, '2026-01-01']), { [CATALOG]: VERSION }],
    [
      '[PRO-084]',
      'an extension beside its parent',
      knowing([SUBSCRIPTIONS]),
      { [CATALOG]: VERSION, [SUBSCRIPTIONS]: VERSION },
    ],
    ['[PRO-084]', 'no extension of what is not served', knowing(['com.example.orphan']), { [CATALOG]: VERSION }],
    ['[PRO-090]', 'no extension that requires an older protocol', knowing(['com.example.old']), { [CATALOG]: VERSION }],
    [
      '[PRO-090]',
      'no extension that requires a later catalogue',
      knowing(['com.example.later'], ['2026-06-14']),
      { [CATALOG]: '2026-06-14' },
    ],
    [
      '[PRO-090]',
      'an extension whose catalogue is agreed on',
      knowing(['com.example.later']),
      { [CATALOG]: VERSION, 'com.example.later': VERSION },
    ],
  ])('%s [PRO-081] an answer names %s, each with the one version agreed on', async (_, __, profile, expected) => {
    const { url } = await testPlatform(profile as Record<string, unknown>)
    const { usp, services } = await list(url)
    expect(usp).toEqual({ version: VERSION, capabilities: told(expected) })
    expect(services).toHaveLength(1)
  })

  test.each<[string, string, object]>([
    ['[PRO-085]', 'no capability at all', knowing([], [])],
    ['[PRO-085]', 'only capabilities of others', knowing(['com.example.theirs'], [])],
    ['[PRO-085]', 'a capability without a version', { usp: { version: VERSION, capabilities: { [CATALOG]: [] } } }],
    ['[PRO-083]', 'the capability in other versions alone', knowing([], ['2025-01-01', '2027-01-01'])],
    ['[PRO-084]', 'the extensions without their parent', knowing(everything.slice(0, -1), [])],
    ['[PRO-085]', 'another capability of ours alone', knowing(['com.example.apart'], [])],
  ])('%s [ERR-039] [PRO-095] a platform with %s gets an outcome and no payload', async (_, __, profile) => {
    const { url } = await testPlatform(profile as Record<string, unknown>)
    const body = await list(url)
    expect(Object.keys(body).sort()).toEqual(['messages', 'usp'])
    expect(body.messages).toEqual([
      expect.objectContaining({
        type: 'error',
        code: 'capabilities_incompatible',
        severity: 'unrecoverable',
        content: expect.stringMatching(/\S/),
      }),
    ])
    expect(body.usp).toMatchObject({ version: VERSION, status: 'error' })
    expect(body.usp.capabilities ?? {}).toEqual({})
  })

  test("[PRO-088] [PRO-095] who names no platform is told the business's own capability and version", async () => {
    const { usp } = await list()
    expect(usp).toEqual({ version: VERSION, capabilities: told({ [CATALOG]: VERSION }) })
  })
})

test('[PRO-089] the same platform agrees on the same over REST and MCP', async () => {
  for (const names of [[], [SUBSCRIPTIONS], everything]) {
    const { url } = await testPlatform(knowing(names))
    expect((await overRest(url)).usp).toEqual((await overMcp(url)).usp)
  }
})

/** A privileged call of the platform on both bindings. */
async function subscribe(url: string) {
  const input = { callback_url: 'https://127.0.0.1:9443/hook' }
  const path = '/services/feed/subscriptions'
  const rest = await server.rest('POST', path, input, {
    'usp-agent': `profile="${url}"`,
    'idempotency-key': randomUUID(),
    dpop: restProof(testKey(), 'POST', `http://127.0.0.1:8080/usp/v1${path}`, START),
  })
  const tool = 'usp_services_feed_subscribe'
  const usp = { profile: url, idempotency_key: randomUUID() }
  const proof = toolProof(testKey(), tool, { ...input, _meta: { usp } }, START)
  const authorization = { mechanism: 'platform_key_pop', proof }
  const { body } = await server.tool(tool, { ...input, _meta: { usp: { ...usp, authorization } } })
  return { statuses: [rest.status, body.error?.code ?? 200], answers: [rest.body, body.result?.structuredContent] }
}

test('[PRO-086] [ERR-039] [LIV-017] a privileged call of a platform without the capability has changed nothing', async () => {
  const { url } = await testPlatform(knowing(['com.example.theirs'], []))
  const { statuses, answers } = await subscribe(url)
  expect(statuses).toEqual([200, 200])
  for (const { messages } of answers)
    expect(messages).toMatchObject([{ code: 'capabilities_incompatible', severity: 'unrecoverable' }])
  expect(await server.runtime.db.selectFrom('feed_subscriptions').select('id').execute()).toEqual([])
  expect(await server.runtime.db.selectFrom('replies').selectAll().execute()).toEqual([])
})

test('[PRO-095] [PRO-081] a privileged answer says its version and what was agreed on', async () => {
  const { url } = await testPlatform(knowing([SUBSCRIPTIONS]))
  const { statuses, answers } = await subscribe(url)
  expect(statuses).toEqual([201, 200])
  const usp = { version: VERSION, capabilities: told({ [CATALOG]: VERSION, [SUBSCRIPTIONS]: VERSION }) }
  for (const answer of answers) expect(answer.usp).toEqual(usp)
})

test('[PRO-022] the profile declares exactly the capabilities whose operations are served', async () => {
  const declared = async (served: typeof operations) => {
    const { rest } = await testServer(businessWith([service('svc_a')], { registry: { enabled: true } }), {
      operations: served,
    })
    return Object.keys((await rest('GET', '/.well-known/usp')).body.usp.capabilities).sort()
  }
  const catalog = operations.filter(({ access, capability }) => access === 'public' && capability === CATALOG)
  expect(await declared(catalog)).toEqual([CATALOG])
  const all = new Set(operations.flatMap(({ capability, declares = capability }) => [capability, declares]))
  expect(await declared(operations)).toEqual([...all].sort())
  expect(Object.keys(capabilities)).toEqual(expect.arrayContaining([...all]))
})

test.each([
  { colour: 'red' },
  { filters: { mood: 'good' } },
  { context: { mood: 'good' } },
  { pagination: { page: 1 } },
])('[PRO-096] members nobody knows do not make a request fail: %j', async (input) => {
  const { status, body } = await server.rest('POST', '/services/list', input)
  expect([status, body.services?.length]).toEqual([200, 1])
  const told = await server.tool('usp_services_list', input)
  expect(told.body.result?.structuredContent.services).toHaveLength(1)
})

test('[PRO-096] [PRO-095] of closed objects such as `_meta.usp` they do', async () => {
  const { body } = await server.tool('usp_services_list', { _meta: { usp: { colour: 'red' } } })
  expect(body.error).toMatchObject({ code: -32600, data: { code: 'invalid_request' } })
})
