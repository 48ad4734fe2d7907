import { describe, expect, test } from 'vitest'
import { onBothDesks } from '../support/desk.ts'
import { listing, listingShop } from './listing-shop.ts'

const capability = 'dev.usp-protocol.discovery.registry'
const required = ['profile_url', 'deployment_mode', 'name', 'verticals', 'categories', 'timezone'] as const

await onBothDesks(listingShop, (desk, shop) => {
  const REGISTER = 'usp_registry_register'
  const nothingListed = async (work: () => Promise<unknown>) => {
    const before = await shop.listed()
    await work()
    expect(await shop.listed()).toEqual(before)
  }

  test('[REG-004] [REG-005] [REG-006] [REG-007] a business is listed as it says, active from now on', async () => {
    const wish = listing(shop.address())
    const { status, data } = await desk.call(REGISTER, { ...wish })
    expect(status).toBe(desk.binding === 'REST' ? 201 : 200)
    expect(data.registration).toEqual({
      ...wish,
      id: expect.stringMatching(/^reg_[\w-]{16}$/),
      status: 'active',
      created_at: '2026-11-20T07:00:00.000-05:00',
    })
    expect(await shop.listed()).toContain(data.registration.id)
  })

  test('[REG-005] what is left out is not made up, and what is not known is not kept', async () => {
    const { description: _, location: __, ...bare } = listing(shop.address())
    const { data } = await desk.call(REGISTER, { ...bare, colour: 'red' })
    expect(Object.keys(data.registration).sort()).toEqual([...Object.keys(bare), 'created_at', 'id', 'status'].sort())
    const placed = await desk.call(REGISTER, {
      ...listing(shop.address(), { location: { coordinates: { lat: 1, lng: 2 }, floor: 3 } as object }),
    })
    expect(placed.data.registration.location).toEqual({ coordinates: { lat: 1, lng: 2 } })
  })

  test('[REG-003] the answer names the version and capability of this registry alone', async () => {
    const { data } = await desk.call(REGISTER, { ...listing(shop.address()) })
    expect(data.usp).toEqual({ version: '2026-08-20', capabilities: { [capability]: [{ version: '2026-08-20' }] } })
    const { data: got } = await desk.call('usp_registry_get', { id: data.registration.id }, { as: {} })
    expect(got.usp).toEqual(data.usp)
  })

  test('[REG-023] the answer holds the listing and nothing that would open anything', async () => {
    const { data } = await desk.call(REGISTER, { ...listing(shop.address()) })
    expect(Object.keys(data).sort()).toEqual(['registration', 'usp'])
    expect(JSON.stringify(data)).not.toMatch(/credential|token|secret|bsc_|usk_|key/i)
  })

  describe.each(['usp_registry_register', 'usp_registry_update'])('%s', (tool) => {
    const input = (more: object) => ({
      ...(tool === 'usp_registry_update' && { id: 'reg_none' }),
      ...listing(shop.address()),
      ...more,
    })

    test.each(required)('[REG-010] [REG-029] without %s is refused', async (member) => {
      const { [member]: _, ...rest } = input({})
      await nothingListed(async () => {
        const { status, rpc, code } = await desk.call(tool, rest)
        expect([rpc ?? status, code]).toEqual([desk.binding === 'REST' ? 400 : -32600, 'invalid_request'])
      })
    })

    test.each([
      ['[REG-022]', 'a latitude alone', { location: { coordinates: { lat: 1 } } }],
      ['[REG-022]', 'a longitude alone', { location: { coordinates: { lng: 1 } } }],
    ])('%s with %s is refused', async (_row, _what, wrong) => {
      await nothingListed(async () => {
        const { status, rpc, code } = await desk.call(tool, input(wrong))
        expect([rpc ?? status, code]).toEqual([desk.binding === 'REST' ? 400 : -32600, 'invalid_request'])
      })
    })

    test.each([
      ['[REG-011]', 'an unknown deployment mode', { deployment_mode: 'ucp' }],
      ['[REG-011]', 'no deployment mode at all', { deployment_mode: null }],
      ['[REG-012]', 'an unknown time zone', { timezone: 'Mars/Olympus' }],
      ['[REG-012]', 'an offset for a time zone', { timezone: '+02:00' }],
      ['[REG-022]', 'a place north of the map', { location: { coordinates: { lat: 90.1, lng: 0 } } }],
      ['[REG-022]', 'a place south of the map', { location: { coordinates: { lat: -90.1, lng: 0 } } }],
      ['[REG-022]', 'a place east of the map', { location: { coordinates: { lat: 0, lng: 180.1 } } }],
      ['[REG-022]', 'a place west of the map', { location: { coordinates: { lat: 0, lng: -180.1 } } }],
      ['[REG-005]', 'a name of any length', { name: 'n'.repeat(201) }],
      ['[REG-005]', 'no name', { name: '' }],
      ['[REG-005]', 'texts of any length', { description: 'd'.repeat(2001) }],
      ['[REG-005]', 'categories without end', { categories: Array.from({ length: 51 }, (_, index) => `c${index}`) }],
      ['[REG-005]', 'a category of any length', { categories: ['c'.repeat(101)] }],
    ])('%s with %s is refused', async (_row, _what, wrong) => {
      await nothingListed(async () => {
        const { status, rpc, code } = await desk.call(tool, input(wrong))
        expect([rpc ?? status, code]).toEqual([desk.binding === 'REST' ? 422 : -32602, 'validation_error'])
      })
    })
  })

  describe('[REG-024] under one idempotency key', () => {
    test('a business is listed once', async () => {
      const wish = { ...listing(shop.address()) }
      const [first, again] = [
        await desk.call(REGISTER, wish, { idempotencyKey: 'twice' }),
        await desk.call(REGISTER, wish, { idempotencyKey: 'twice' }),
      ]
      expect(again.data).toEqual(first.data)
      expect(again.status).toBe(first.status)
      expect((await shop.listed()).filter((id) => id === first.data.registration.id)).toHaveLength(1)
    })

    test('the first answer is given again although the profile is gone', async () => {
      const wish = { ...listing(shop.address()) }
      const first = await desk.call(REGISTER, wish, { idempotencyKey: 'gone' })
      shop.site.answer = (_, response) => void response.writeHead(503).end()
      const again = await desk.call(REGISTER, wish, { idempotencyKey: 'gone' })
      shop.site.answer = undefined
      expect(again.data).toEqual(first.data)
    })

    test('[LIV-012] another listing is a conflict', async () => {
      await desk.call(REGISTER, { ...listing(shop.address()) }, { idempotencyKey: 'other' })
      await nothingListed(async () => {
        const other = { ...listing(shop.address(), { name: 'Other' }) }
        const { status, rpc, code } = await desk.call(REGISTER, other, { idempotencyKey: 'other' })
        expect([rpc ?? status, code]).toEqual([desk.binding === 'REST' ? 409 : -32602, 'idempotency_conflict'])
      })
    })

    test('two at the same time list it once', async () => {
      const wish = { ...listing(shop.address()) }
      const twins = await Promise.all([1, 2].map(() => desk.call(REGISTER, wish, { idempotencyKey: 'twins' })))
      expect(twins[1]?.data).toEqual(twins[0]?.data)
    })
  })

  describe('a profile that is listed already', () => {
    test('[REG-025] answers its owner with the listing there is, and asks the business nothing', async () => {
      const wish = listing(shop.address())
      const { registration } = (await desk.call(REGISTER, { ...wish })).data
      const fetched = shop.site.fetched
      const again = await desk.call(REGISTER, { ...wish, name: 'Another name' })
      expect(again.status).toBe(200)
      expect(again.data.registration).toEqual(registration)
      expect(again.data.messages).toMatchObject([{ type: 'info', code: 'already_registered' }])
      expect(shop.site.fetched).toBe(fetched)
    })

    test.each([
      ['in capitals', (url: string) => url.replace('https://', 'HTTPS://')],
      ['with a fragment', (url: string) => `${url}#top`],
      ['by way of itself', (url: string) => url.replace('/profile', '/./profile')],
    ])('[REG-025] is known %s', async (_what, written) => {
      const url = shop.address()
      const { registration } = (await desk.call(REGISTER, { ...listing(url) })).data
      expect((await desk.call(REGISTER, { ...listing(written(url)) })).data.registration).toEqual(registration)
    })

    test.each([
      ['another platform', () => shop.other],
      ['another client of the same platform', () => shop.newPlatform()],
    ])('[REG-025] [LIV-011] is not listed by %s', async (_who, other) => {
      const wish = { ...listing(shop.address()) }
      await desk.call(REGISTER, wish)
      const as = await other()
      await nothingListed(async () => {
        const { data, code } = await desk.call(REGISTER, wish, { as })
        expect(code).toBe('validation_error')
        expect(data.errors).toMatchObject([{ field: 'profile_url' }])
        expect(data).not.toHaveProperty('registration')
      })
    })

    test('[REG-025] is listed once when all want it at once', async () => {
      const before = (await shop.listed()).length
      const wish = { ...listing(shop.address()) }
      const answers = await Promise.all(
        [shop.platform, shop.other, shop.platform, shop.other].map((as) => desk.call(REGISTER, wish, { as })),
      )
      expect(await shop.listed()).toHaveLength(before + 1)
      const ids = new Set(answers.flatMap(({ data }) => data.registration?.id ?? []))
      expect(ids.size).toBe(1)
      expect(answers.filter(({ code }) => code === 'validation_error')).toHaveLength(2)
    })
  })
})
