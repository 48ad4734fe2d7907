import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { platformProfile, testKey, testPlatform } from '../support/platform.ts'
import { type TestServer, testServer } from '../support/server.ts'
import { changed, published, send, signed, subscribing } from '../support/sign.ts'

const definition = businessWith([service('svc_a')])
const native = await testServer({ ...definition, deployment_mode: 'ucp_native' })
const standalone = await testServer(definition)

const { capabilities } = platformProfile().usp
const checkout = {
  version: '2026-04-08',
  spec: 'https://ucp.dev/checkout',
  schema: 'https://ucp.dev/checkout.json',
  config: { embedded: true },
}
const ucp = {
  version: '2026-04-08',
  services: { 'dev.ucp.shopping': [{ version: '2026-04-08', transport: 'carrier-pigeon' }] },
  capabilities: { 'dev.ucp.shopping.checkout': [checkout], ...capabilities },
  payment_handlers: { 'com.example.pay': [{ id: 'one', version: '2026-04-08' }] },
}

/** A platform that publishes this document and nothing else. */
async function publishing(document: object) {
  const platform = await testPlatform()
  platform.profile = { ...document }
  return platform
}

const rest = async (server: TestServer, url: string, header = 'ucp-agent') => {
  const { status, body } = await server.rest('POST', '/services/list', {}, { [header]: `profile="${url}"` })
  return { status, code: body.code ?? body.messages?.[0].code, usp: body.usp }
}
const mcp = async (server: TestServer, url: string) => {
  const { body } = await server.tool('usp_services_list', { _meta: { usp: { profile: url } } })
  const { usp, messages } = body.result?.structuredContent ?? {}
  return { status: body.error?.code ?? 200, code: body.error?.data.code ?? messages?.[0].code, usp }
}

const served = {
  status: 200,
  code: undefined,
  usp: {
    version: '2026-08-20',
    capabilities: {
      'dev.usp-protocol.services.catalog': [{ version: '2026-08-20' }],
      'dev.usp-protocol.services.catalog.subscriptions': [{ version: '2026-08-20' }],
    },
  },
}
/** What the log says of this profile. */
const discardedIn = ({ logged }: TestServer, url: string): { capability: string; why: string }[] =>
  logged.map((line) => JSON.parse(line)).find(({ profile, discarded }) => discarded && profile === url)?.discarded ?? []

const malformed = (status: number) => ({ status, code: 'profile_malformed', usp: undefined })

describe('[AUT-045] in UCP-native mode the profile may be that of a UCP platform:', () => {
  test('its capabilities stand under ucp.capabilities and are agreed on as usual', async () => {
    const { url } = await publishing({ ucp })
    for (const header of ['ucp-agent', 'usp-agent']) expect(await rest(native, url, header)).toEqual(served)
    expect(await mcp(native, url)).toEqual(served)
  })

  test('one that cannot use scheduling is told so', async () => {
    const { url } = await publishing({ ucp: { ...ucp, capabilities: { 'dev.ucp.shopping.checkout': [checkout] } } })
    expect(await rest(native, url)).toMatchObject({ status: 200, code: 'capabilities_incompatible' })
    expect(await mcp(native, url)).toMatchObject({ status: 200, code: 'capabilities_incompatible' })
  })

  test.each(['keys', 'signing_keys'])('its %s verify what it signs', async (member) => {
    const key = testKey('ES256')
    const platform = await publishing({ ucp, [member]: [published('k1', key)] })
    const headers = { 'usp-agent': undefined, 'ucp-agent': `profile="${platform.url}"` }
    const outgoing = signed(changed(subscribing(platform), headers), { key: key.private, parameters: ';keyid="k1"' })
    expect((await send(native, outgoing)).status).toBe(201)
  })

  test('a key that it has published since is found', async () => {
    const key = testKey('ES256')
    const platform = await publishing({ ucp, keys: [published('k1', testKey('ES256'))] })
    expect((await rest(native, platform.url)).status).toBe(200)
    platform.profile = { ucp, keys: [published('k2', key)] }
    const headers = { 'usp-agent': undefined, 'ucp-agent': `profile="${platform.url}"` }
    const outgoing = signed(changed(subscribing(platform), headers), { key: key.private, parameters: ';keyid="k2"' })
    expect((await send(native, outgoing)).status).toBe(201)
  })

  test('the version of UCP that it speaks is not held against a version of USP', async () => {
    for (const version of ['2026-01-11', '2030-01-01'])
      expect(await rest(native, (await publishing({ ucp: { ...ucp, version } })).url)).toEqual(served)
  })

  test('what it says of itself as a USP platform goes before', async () => {
    const own = await publishing({ ucp, usp: { version: '2026-08-20', capabilities: {} } })
    expect((await rest(native, own.url)).code).toBe('capabilities_incompatible')
    const newer = await publishing({ ucp, usp: { version: '2027-01-01', capabilities } })
    expect(await rest(native, newer.url)).toMatchObject({ status: 400, code: 'version_unsupported' })
    const broken = await publishing({ ucp, usp: {} })
    expect(await rest(native, broken.url)).toEqual(malformed(422))
  })

  test.each(['version', 'spec', 'schema'])(
    '[LIV-096] [LIV-097] an entry without %s is dropped alone',
    async (member) => {
      const faulty = { ...capabilities['dev.usp-protocol.services.waitlist']?.[0], [member]: undefined }
      const others = { 'dev.ucp.shopping.order': [{ ...checkout, [member]: undefined }, {}], 'com.example.x': [{}] }
      const platform = await publishing({
        ucp: { ...ucp, capabilities: { ...capabilities, ...others, 'dev.usp-protocol.services.waitlist': [faulty] } },
      })
      expect(await rest(native, platform.url)).toEqual(served)
      expect(await mcp(native, platform.url)).toEqual(served)
      const { usp } = await native.runtime.profiles.get(platform.url, { members: ['ucp'] })
      expect(usp.capabilities).not.toHaveProperty(['dev.usp-protocol.services.waitlist'])
      expect(discardedIn(native, platform.url)).toEqual([
        { capability: 'dev.usp-protocol.services.waitlist', why: 'it lacks a valid version, spec or schema' },
      ])
    },
  )

  test.each<[string, unknown]>([
    ['no version', { ...ucp, version: undefined }],
    ['a version of another scheme', { ...ucp, version: '1.0' }],
    ['capabilities in a list', { ...ucp, capabilities: [{ name: 'dev.ucp.shopping.checkout', ...checkout }] }],
    ['nothing that can be read', 'yes'],
  ])('one with %s is malformed', async (_, ucp) => {
    const { url } = await publishing({ ucp })
    expect(await rest(native, url)).toEqual(malformed(422))
    expect(await mcp(native, url)).toEqual(malformed(-32004))
  })
})

describe.each([
  ['standalone', 'usp', standalone],
  ['native', 'ucp', native],
] as const)(
  '[LIV-098] [LIV-099] in %s mode an entry of a foreign origin is discarded alone:',
  (_mode, member, server) => {
    const [own] = capabilities['dev.usp-protocol.services.catalog'] ?? []
    const offering = (entry: object, more: object = {}) =>
      publishing({
        [member]: {
          version: '2026-08-20',
          capabilities: { ...capabilities, 'dev.usp-protocol.services.catalog': [entry], ...more },
        },
      })

    test.each([
      ['spec', 'https://example.com/specification'],
      ['schema', 'https://usp-protocol.dev.example.com/schemas/services/catalog.json'],
      ['schema', 'https://docs.usp-protocol.dev/schemas/services/catalog.json'],
      ['schema', 'https://usp-protocol.dev:8443/schemas/services/catalog.json'],
      ['spec', 'http://usp-protocol.dev/specification'],
    ])('its %s %s', async (name, url) => {
      const platform = await offering({ ...own, [name]: url })
      expect(await rest(server, platform.url, 'usp-agent')).toMatchObject({
        status: 200,
        code: 'capabilities_incompatible',
      })
      expect(await mcp(server, platform.url)).toMatchObject({ status: 200, code: 'capabilities_incompatible' })
      expect(discardedIn(server, platform.url)).toEqual([
        {
          capability: 'dev.usp-protocol.services.catalog',
          why: `its ${name} is not at the authority of its namespace`,
        },
      ])
      const availability = await server.rest(
        'POST',
        '/availability/query',
        { service_id: 'svc_a', start_date: '2026-11-24', end_date: '2026-11-24' },
        { 'usp-agent': `profile="${platform.url}"` },
      )
      expect([availability.status, availability.body.slots.length > 0]).toEqual([200, true])
    })

    test('another version beside it, and other vendors, count', async () => {
      const vendor = { version: '2026-01-01', spec: 'https://docs.example.com/x', schema: 'https://example.com/x.json' }
      const platform = await publishing({
        [member]: {
          version: '2026-08-20',
          capabilities: {
            ...capabilities,
            'dev.usp-protocol.services.catalog': [
              { ...own, version: '2027-01-01', spec: 'https://evil.example/' },
              own,
            ],
            'com.example.x': [vendor],
            'com.other.x': [vendor],
          },
        },
      })
      expect((await rest(server, platform.url, 'usp-agent')).code).toBe(undefined)
      expect(discardedIn(server, platform.url).map(({ capability }) => capability)).toEqual([
        'dev.usp-protocol.services.catalog',
        'com.other.x',
      ])
    })
  },
)

describe('[PRO-060] in standalone mode a UCP platform profile is malformed,', () => {
  test('on both bindings, and again when it is kept', async () => {
    const platform = await publishing({ ucp })
    for (const _ of ['fetched', 'kept']) {
      expect(await rest(standalone, platform.url, 'usp-agent')).toEqual(malformed(422))
      expect(await mcp(standalone, platform.url)).toEqual(malformed(-32004))
    }
    expect(platform.fetched).toBe(1)
  })

  test('also to a server that was UCP-native a moment ago', async () => {
    const changing = await testServer({ ...definition, deployment_mode: 'ucp_native' })
    const { url } = await publishing({ ucp })
    expect((await rest(changing, url, 'usp-agent')).status).toBe(200)
    await changing.apply(definition)
    await expect.poll(() => rest(changing, url, 'usp-agent')).toEqual(malformed(422))
  })

  test('unless it is a USP profile too', async () => {
    const { url } = await publishing({ ...platformProfile(), ucp: 'unread' })
    expect(await rest(standalone, url, 'usp-agent')).toEqual(served)
  })
})
