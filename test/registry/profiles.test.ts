import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { readBusinessProfile } from '../../src/domain/registry/indexing/read-business-profile.ts'
import { checkRegistrations } from '../../src/domain/registry/listings/run-registration-checks.ts'
import type { RegistrationRequest } from '../../src/protocol/types.generated.ts'
import { onBothDesks } from '../support/desk.ts'
import { ucpProfile, uspProfile } from '../support/listed-business.ts'
import { testPlatform } from '../support/platform.ts'
import { listing, listingShop } from './listing-shop.ts'
import { fed } from './services.ts'
import { standInBusiness } from './stand-in-business.ts'

const codes = {
  invalid_profile_url: { http: 400, rpc: -32602 },
  profile_unreachable: { http: 424, rpc: -32003 },
  profile_malformed: { http: 422, rpc: -32004 },
}

/** The same document with something done to it. */
function changed<T extends object>(document: T, change: (copy: T) => void): T {
  const copy = structuredClone(document)
  change(copy)
  return copy
}

const bindingOf = (document: { services: Record<string, object[]> }) =>
  Object(document.services['dev.usp-protocol.services']?.[0])
const entryOf = (document: { capabilities: Record<string, object[]> }) =>
  Object(document.capabilities['dev.usp-protocol.services.catalog']?.[0])
const policy = uspProfile().authorization

await onBothDesks(listingShop, (desk, shop) => {
  afterEach(() => {
    shop.site.answer = undefined
    shop.site.profile = uspProfile()
  })

  const register = (profile_url: string, more: Partial<RegistrationRequest> = {}) =>
    desk.call('usp_registry_register', { ...listing(profile_url, more) })

  const readProfileOf = (mode: RegistrationRequest['deployment_mode']) =>
    readBusinessProfile(shop.site.url, mode, shop.runtime.config)
  const warningOf = ({ id }: { id: string }) =>
    shop.logged.map((line) => JSON.parse(line)).find(({ registration, discarded }) => discarded && registration === id)

  async function expectRefused(code: keyof typeof codes, profile_url: string, more: Partial<RegistrationRequest> = {}) {
    const before = await shop.listed()
    const told = await register(profile_url, more)
    expect([told.code, told.rpc ?? told.status]).toEqual([code, codes[code][desk.binding === 'REST' ? 'http' : 'rpc']])
    expect(await shop.listed()).toEqual(before)
    return told
  }

  test.each([
    'http://studio.example/.well-known/usp',
    'ftp://studio.example/.well-known/usp',
    'studio.example/.well-known/usp',
    'not an address',
    '',
    'https://',
    'https://somebody:secret@studio.example/.well-known/usp',
    'file:///etc/passwd',
  ])('[REG-013] %j is no address of a profile', async (url) => {
    await expectRefused('invalid_profile_url', url)
  })

  test.each([
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/.well-known/usp',
    'https://192.168.1.1/.well-known/usp',
    'https://172.16.0.1/.well-known/usp',
    'https://[fd00::1]/.well-known/usp',
    'https://[::ffff:10.0.0.1]/.well-known/usp',
    'https://0.0.0.0/.well-known/usp',
    'https://0xa9fea9fe/',
  ])('[REG-014] %s is not called', async (url) => {
    await expectRefused('invalid_profile_url', url)
  })

  test('[REG-014] where a redirect leads is not read', async () => {
    const target = await testPlatform(uspProfile())
    shop.site.answer = (_, response) => void response.writeHead(302, { location: target.url }).end()
    await expectRefused('profile_unreachable', shop.address())
    expect(target.fetched).toBe(0)
  })

  test.each<[string, RequestListener]>([
    ['answers 404', (_, response) => void response.writeHead(404).end()],
    ['answers 500', (_, response) => void response.writeHead(500).end(JSON.stringify(uspProfile()))],
    ['hangs up', (request) => void request.socket.destroy()],
  ])('[REG-015] a profile that %s cannot be reached', async (_what, answer) => {
    shop.site.answer = answer
    await expectRefused('profile_unreachable', shop.address())
  })

  test('[REG-015] a profile that is never answered is given up after five seconds', { timeout: 15_000 }, async () => {
    shop.site.answer = () => {}
    const began = performance.now()
    await expectRefused('profile_unreachable', shop.address())
    expect(performance.now() - began).toBeLessThan(8_000)
  })

  test('[REG-015] a host that nobody knows cannot be reached', async () => {
    await expectRefused('profile_unreachable', 'https://nowhere.invalid/.well-known/usp')
  })

  test.each<[string, string]>([
    ['a page', '<!doctype html><title>Studio</title>'],
    ['nothing', ''],
    ['a number', '7'],
    ['a list', '[]'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['the profile of a platform', JSON.stringify({ usp: { version: '2026-08-20', capabilities: {} } })],
    ['more than anybody reads', JSON.stringify({ ...uspProfile(), padding: 'x'.repeat(300_000) })],
  ])('[REG-016] what answers %s is no valid profile', async (_what, body) => {
    shop.site.answer = (_, response) => void response.writeHead(200).end(body)
    for (const deployment_mode of ['standalone', 'ucp_native'] as const)
      await expectRefused('profile_malformed', shop.address(), { deployment_mode })
  })

  test.each([
    'https://studio.example/a\0b',
    'https://studio.example/\ud800',
    `https://studio.example/${'x'.repeat(3000)}`,
  ])('[REG-016] a profile whose endpoint is no address that can be kept is no valid one', async (endpoint) => {
    shop.site.profile = uspProfile(endpoint)
    await expectRefused('profile_malformed', shop.address())
  })

  test('[REG-016] the refusal says what is wrong with it', async () => {
    shop.site.profile = changed(uspProfile(), ({ usp }) => void Object.assign(usp.business, { name: undefined }))
    const { data } = await expectRefused('profile_malformed', shop.address())
    expect(data.errors).toEqual([{ field: 'usp.business.name', message: 'is missing' }])
  })

  test.each([
    ['[REG-017]', 'standalone', 'UCP', uspProfile(), ucpProfile()],
    ['[REG-018]', 'ucp_native', 'USP', ucpProfile(), uspProfile()],
  ] as const)(
    '%s a business that is %s needs a profile of its kind; one of %s is refused',
    async (_row, deployment_mode, _other, own, other) => {
      shop.site.profile = { ...own }
      const { data } = await register(shop.address(), { deployment_mode })
      expect(data.registration.deployment_mode).toBe(deployment_mode)
      shop.site.profile = { ...other }
      await expectRefused('profile_malformed', shop.address(), { deployment_mode })
    },
  )

  test.each(['version', 'spec', 'schema'])(
    '[LIV-096] of a UCP profile, only an entry without %s is dropped',
    async (member) => {
      shop.site.profile = changed(ucpProfile(), ({ ucp }) => void delete entryOf(ucp)[member])
      const { data } = await register(shop.address(), { deployment_mode: 'ucp_native' })
      expect(data.registration.status).toBe('active')
      const { capabilities, discarded } = await readProfileOf('ucp_native')
      expect(capabilities).toEqual([])
      expect(discarded).toMatchObject([{ capability: 'dev.usp-protocol.services.catalog' }])
    },
  )

  test('[LIV-097] an entry of another namespace may lack anything', async () => {
    shop.site.profile = changed(ucpProfile(), ({ ucp }) => {
      const others = {
        'dev.ucp.shopping.checkout': [{ version: '2026-08-25' }, {}],
        'com.example.loyalty': [{ id: 7 }],
      }
      Object.assign(ucp.capabilities, others)
    })
    expect((await register(shop.address(), { deployment_mode: 'ucp_native' })).data.registration.status).toBe('active')
    const { capabilities, discarded } = await readProfileOf('ucp_native')
    expect(capabilities).toEqual(['dev.usp-protocol.services.catalog', 'dev.ucp.shopping.checkout'])
    expect(discarded).toEqual([])
  })

  test.each(['standalone', 'ucp_native'] as const)(
    '[LIV-098] [LIV-099] of a profile of a %s business, only an entry of a foreign origin is discarded, and the log names it',
    async (deployment_mode) => {
      const own = deployment_mode === 'standalone' ? uspProfile() : ucpProfile()
      const elsewhere = { ...entryOf(uspProfile().usp), schema: 'https://usp-protocol.dev.evil.example/a.json' }
      shop.site.profile = changed({ ...own }, (copy) => {
        const body = Object(copy)[deployment_mode === 'standalone' ? 'usp' : 'ucp']
        body.capabilities['dev.usp-protocol.services.waitlist'] = [elsewhere]
        body.capabilities['dev.usp-protocol.services.catalog'].unshift({ ...elsewhere, version: '2027-01-01' })
      })
      const { data } = await register(shop.address(), { deployment_mode })
      expect(data.registration.status).toBe('active')
      const { capabilities } = await readProfileOf(deployment_mode)
      expect(capabilities).toEqual(['dev.usp-protocol.services.catalog'])
      await checkRegistrations(shop.runtime, new Date(shop.time.now.getTime() + 2 * 86_400_000))
      const why = 'its schema is not at the authority of its namespace'
      expect(warningOf(data.registration)).toMatchObject({
        discarded: [
          { capability: 'dev.usp-protocol.services.catalog', why },
          { capability: 'dev.usp-protocol.services.waitlist', why },
        ],
      })
    },
  )

  test.each(['version', 'spec', 'schema'])(
    '[REG-018] a USP profile with an entry without %s is invalid',
    async (member) => {
      shop.site.profile = changed(uspProfile(), ({ usp }) => void delete entryOf(usp)[member])
      await expectRefused('profile_malformed', shop.address())
    },
  )

  test('[REG-019] a binding that says directly how to authenticate makes it invalid', async () => {
    shop.site.profile = changed(uspProfile(), ({ usp }) => Object.assign(bindingOf(usp), { authorization: policy }))
    await expectRefused('profile_malformed', shop.address())
    shop.site.profile = changed(ucpProfile(), ({ ucp }) => Object.assign(bindingOf(ucp), { authorization: policy }))
    await expectRefused('profile_malformed', shop.address(), { deployment_mode: 'ucp_native' })
  })

  test('[REG-019] one that says it in its config is valid', async () => {
    const config = { authorization: policy }
    shop.site.profile = changed(ucpProfile(), ({ ucp }) => Object.assign(bindingOf(ucp), { config }))
    const { data } = await register(shop.address(), { deployment_mode: 'ucp_native' })
    expect(data.registration.status).toBe('active')
  })

  describe('without a location', () => {
    const unplaced = async (profile_url: string) => {
      const { location: _, ...rest } = listing(profile_url)
      return desk.call('usp_registry_register', rest)
    }
    const offering = async (
      ...channels: ('at_business_location' | 'hybrid' | 'virtual' | 'phone' | 'at_buyer_location')[]
    ) => {
      const business = await standInBusiness()
      business.feed.pageSize = 2
      business.put(...channels.map((type, index) => fed(`svc_${index}`, { channel: { type } })))
      shop.site.profile = uspProfile(business.endpoint)
      return business
    }

    test.each(['at_business_location', 'hybrid'] as const)(
      '[REG-020] a business is refused that has a service %s, wherever in its catalogue',
      async (channel) => {
        await offering('virtual', 'phone', 'virtual', channel)
        const before = await shop.listed()
        const { data, code } = await unplaced(shop.address())
        expect(code).toBe('validation_error')
        expect(data.errors).toMatchObject([{ field: 'location' }])
        expect(await shop.listed()).toEqual(before)
        expect((await register(shop.address())).data.registration.status).toBe('active')
      },
    )

    test('[REG-020] a location that says nothing is none', async () => {
      await offering('hybrid')
      const { code } = await register(shop.address(), { location: {} })
      expect(code).toBe('validation_error')
      await offering('phone')
      const { data } = await register(shop.address(), { location: { floor: 3 } as object })
      expect(data.registration).not.toHaveProperty('location')
    })

    test('[REG-021] a business is listed whose buyers never come to it', async () => {
      await offering('virtual', 'phone', 'at_buyer_location')
      const { data } = await unplaced(shop.address())
      expect(data.registration).not.toHaveProperty('location')
    })

    test('[REG-021] a business is listed that has no services yet', async () => {
      await offering()
      expect((await unplaced(shop.address())).data.registration.status).toBe('active')
    })

    test.each([
      ['[REG-020]', 'names places of its own', 'is refused', [{ id: 'loc_a', name: 'Soho' }], 'validation_error'],
      ['[REG-021]', 'names none', 'is listed', [], undefined],
    ])(
      '%s a business whose catalogue cannot be read and that %s %s',
      async (_row, _what, _outcome, locations, expected) => {
        const business = await offering('virtual')
        business.answer = (_, response) => void response.writeHead(500).end()
        shop.site.profile = changed(uspProfile(business.endpoint), ({ usp }) =>
          Object.assign(usp.business, { locations }),
        )
        expect((await unplaced(shop.address())).code).toBe(expected)
      },
    )
  })
})
