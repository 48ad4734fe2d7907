import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { type Ask, onBothDesks } from '../support/desk.ts'
import { listing, listingShop, register } from './listing-shop.ts'

await onBothDesks(listingShop, (desk, shop) => {
  const { db } = shop.runtime
  const isRest = desk.binding === 'REST'
  const get = (id: string, ask: Ask = { as: {} }) => desk.call('usp_registry_get', { id }, ask)
  const update = (id: string, wish: object, ask: Ask = {}) => desk.call('usp_registry_update', { id, ...wish }, ask)
  const remove = (id: string, ask: Ask = {}) => desk.call('usp_registry_delete', { id }, ask)
  const row = (id: string) => db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const notFound = [isRest ? 404 : -32602, 'registration_not_found']

  describe('a listing is read', () => {
    test.each([
      ['by anybody', {}],
      ['by somebody else', shop.other],
      ['by its owner', shop.platform],
      ['with a token that is wrong', { bearer: 'usk_wrong' }],
    ])('[REG-026] %s', async (_who, as) => {
      const registration = await register(desk, shop)
      const { status, data } = await get(registration.id, { as })
      expect([status, data.registration]).toEqual([200, registration])
      expect(data).not.toHaveProperty('messages')
    })

    test('[REG-027] [LIV-002] one that is not there is not found', async () => {
      const { status, rpc, code } = await get('reg_none')
      expect([rpc ?? status, code]).toEqual(notFound)
    })
  })

  describe('a listing is removed', () => {
    test('[REG-034] [REG-035] [REST-005] by its owner, without a word', async () => {
      const { id } = await register(desk, shop)
      const { status, data } = await remove(id)
      if (isRest) expect([status, data]).toEqual([204, ''])
      else expect([status, Object.keys(data)]).toEqual([200, ['usp']])
    })

    test('[REG-034] as often as the same key asks for it', async () => {
      const { id } = await register(desk, shop)
      const first = await remove(id, { idempotencyKey: `away ${id}` })
      const again = await remove(id, { idempotencyKey: `away ${id}` })
      expect([again.status, again.data]).toEqual([first.status, first.data])
      expect((await remove(id)).code).toBe('registration_not_found')
    })

    test('[REG-032] one that is not there is not found', async () => {
      const { status, rpc, code } = await remove('reg_none')
      expect([rpc ?? status, code]).toEqual(notFound)
    })

    test('and the business may be listed anew, by anybody', async () => {
      const { id, profile_url } = await register(desk, shop)
      await remove(id)
      const { data } = await desk.call('usp_registry_register', { ...listing(profile_url) }, { as: shop.other })
      expect(data.registration.id).not.toBe(id)
    })
  })

  describe('[REG-033] somebody else', () => {
    const others: [string, () => Promise<Ask>][] = [
      ['another platform', async () => ({ as: shop.other })],
      ['another principal of the same platform', async () => ({ as: await shop.newPlatform() })],
    ]
    test.each(others)('as %s changes and removes nothing', async (_who, ask) => {
      const registration = await register(desk, shop)
      const told = [
        await update(registration.id, listing(registration.profile_url, { name: 'Mine' }), await ask()),
        await remove(registration.id, await ask()),
      ]
      for (const { status, rpc, code } of told) expect([rpc ?? status, code]).toEqual(notFound)
      expect((await get(registration.id)).data.registration).toEqual(registration)
    })

    test('causes no profile to be read', async () => {
      const { id } = await register(desk, shop)
      const { fetched } = shop.site
      await update(id, listing(shop.address()), { as: shop.other })
      expect(shop.site.fetched).toBe(fetched)
    })
  })

  describe.each(['usp_registry_register', 'usp_registry_update', 'usp_registry_delete'])('[REG-008] %s', (tool) => {
    test('needs somebody who proves who it is', async () => {
      const { id, profile_url } = await register(desk, shop)
      const before = await row(id)
      for (const as of [{}, { profile: shop.platform.profile ?? '' }]) {
        const { status, rpc, code } = await desk.call(tool, { id, ...listing(profile_url) }, { as })
        expect([rpc ?? status, code]).toEqual([isRest ? 401 : -32006, 'authentication_required'])
      }
      expect(await row(id)).toEqual(before)
    })
  })

  test('[REG-009] the credential of a booking opens none of what changes a listing', async () => {
    const { id, profile_url } = await register(desk, shop)
    const [slot] = await desk.slots('svc_own')
    const { data } = await desk.book(slot)
    const { value } = data.booking_scoped_credential
    const as = { bearer: value, profile: shop.platform.profile ?? '' }
    const before = await row(id)
    for (const tool of ['usp_registry_register', 'usp_registry_update', 'usp_registry_delete']) {
      const { status, rpc, code } = await desk.call(tool, { id, ...listing(profile_url) }, { as })
      expect([rpc ?? status, code]).toEqual([isRest ? 401 : -32006, 'authentication_required'])
    }
    expect(await row(id)).toEqual(before)
  })

  test('a profile at one host is not fetched without end because somebody lists it', async () => {
    const { key } = await addClient(db, 'Flood', shop.time.now)
    const as = { bearer: key, profile: shop.platform.profile ?? '' }
    shop.minutesLater(1)
    const { fetched } = shop.site
    const answers: Awaited<ReturnType<typeof desk.call>>[] = []
    for (let batch = 0; batch < 10; batch++) {
      const some = Array.from({ length: 10 }, () =>
        desk.call('usp_registry_register', { ...listing(shop.address()) }, { as }),
      )
      answers.push(...(await Promise.all(some)))
    }
    expect(shop.site.fetched - fetched).toBe(60)
    const refused = answers.filter(({ code }) => code === 'rate_limited')
    expect(refused).toHaveLength(40)
    for (const { data } of refused)
      expect(JSON.stringify(data)).toContain('More than 60 listings of this host in a minute.')
    shop.minutesLater(1)
    expect((await register(desk, shop)).status).toBe('active')
  })

  test('[look-ups in flight are few for each address] of what one lists, sixteen are called at a time; what is refused counts for nothing', async () => {
    const { key } = await addClient(db, 'Hasty', shop.time.now)
    const as = { bearer: key, profile: shop.platform.profile ?? '' }
    shop.minutesLater(1)
    const calls = Array.from({ length: 50 }, () =>
      desk.call('usp_registry_register', { ...listing(shop.address()) }, { as }),
    )
    const answers = await Promise.all(calls)
    const refused = answers.filter(({ code }) => code === 'rate_limited')
    expect(refused.length).toBeGreaterThan(0)
    const counted = db.selectFrom('rate_limits').select('count').where('key', 'like', 'listings %')
    const minute = counted.where('minute', '=', shop.time.now)
    expect(await minute.execute()).toEqual([{ count: answers.length - refused.length }])
  })
})
