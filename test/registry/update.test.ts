import { afterEach, expect, test } from 'vitest'
import { onBothDesks } from '../support/desk.ts'
import { ucpProfile, uspProfile } from '../support/listed-business.ts'
import { index } from './directory.ts'
import { listing, listingShop, register } from './listing-shop.ts'
import { fed } from './services.ts'

await onBothDesks(listingShop, (desk, shop) => {
  const { db } = shop.runtime
  const get = (id: string) => desk.call('usp_registry_get', { id }, { as: {} })
  const update = (id: string, wish: object) => desk.call('usp_registry_update', { id, ...wish })
  const row = (id: string) => db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const services = async (id: string) => {
    const rows = db.selectFrom('indexed_services').select('service_id').where('registration_id', '=', id)
    return (await rows.execute()).map(({ service_id }) => service_id)
  }
  afterEach(() => {
    shop.site.answer = undefined
    shop.site.profile = uspProfile()
  })

  test('[REG-028] a listing is changed by its owner to what is said then; what is left out is gone', async () => {
    const { id, created_at, profile_url } = await register(desk, shop)
    const { description: _, ...wish } = listing(profile_url, { name: 'Dusk Studio', categories: ['yoga'] })
    shop.minutesLater(1)
    const { status, data } = await update(id, wish)
    expect([status, data.registration]).toEqual([200, { ...wish, id, created_at, status: 'active' }])
    expect((await get(id)).data.registration).toEqual(data.registration)
  })

  test('[REG-031] a listing is changed while its profile is down, as long as that stays where it was', async () => {
    const { id, profile_url } = await register(desk, shop)
    const { fetched } = shop.site
    shop.site.answer = (_, response) => void response.writeHead(503).end()
    const { data } = await update(id, listing(profile_url, { name: 'Dusk Studio' }))
    expect([data.registration.name, shop.site.fetched]).toEqual(['Dusk Studio', fetched])
  })

  test.each<[string, () => object]>([
    ['profile_url', () => ({ profile_url: shop.address() })],
    ['deployment_mode', () => ({ deployment_mode: 'ucp_native' })],
  ])('[REG-030] another %s has the profile read, and begins the index anew', async (member, wish) => {
    const registration = await register(desk, shop)
    const { id } = registration
    await index(db, id, [fed('svc_old')])
    const read = { feed_cursor: 'somewhere', indexed_at: shop.time.now, next_index_at: new Date('2100-01-01') }
    await db.updateTable('registrations').set(read).where('id', '=', id).execute()
    shop.site.profile =
      member === 'profile_url' ? uspProfile('https://other.example/usp') : ucpProfile('https://other.example/usp')
    const { fetched } = shop.site
    const { data } = await update(id, { ...listing(registration.profile_url), ...wish() })
    expect(data.registration).not.toEqual(registration)
    expect(shop.site.fetched).toBe(fetched + 1)
    expect(await services(id)).toEqual([])
    expect(await row(id)).toMatchObject({
      endpoint: 'https://other.example/usp',
      feed_cursor: null,
      indexed_at: null,
      next_index_at: shop.time.now,
    })
  })

  test('another location has the catalogue read from its beginning, since services are where their business is', async () => {
    const { id, profile_url } = await register(desk, shop)
    const read = { feed_cursor: 'somewhere', next_index_at: new Date('2100-01-01') }
    await db.updateTable('registrations').set(read).where('id', '=', id).execute()
    await update(id, listing(profile_url))
    expect(await row(id)).toMatchObject(read)
    await update(id, listing(profile_url, { location: { coordinates: { lat: 1, lng: 2 } } }))
    expect(await row(id)).toMatchObject({ feed_cursor: null, next_index_at: shop.time.now })
  })

  test.each<[string, () => object, string]>([
    ['an address where nobody is', () => ({ profile_url: 'https://127.0.0.1:1/' }), 'profile_unreachable'],
    ['a mode that its profile has not', () => ({ deployment_mode: 'ucp_native' }), 'profile_malformed'],
    ['an address that is none', () => ({ profile_url: 'http://studio.example/' }), 'invalid_profile_url'],
    ['a zone that is none', () => ({ timezone: 'Nowhere' }), 'validation_error'],
  ])('[REG-030] %s leaves it as it was', async (_what, wish, expected) => {
    const registration = await register(desk, shop)
    await index(db, registration.id, [fed('svc_old')])
    const before = await row(registration.id)
    const { code } = await update(registration.id, { ...listing(registration.profile_url), ...wish() })
    expect(code).toBe(expected)
    expect(await row(registration.id)).toEqual(before)
    expect(await services(registration.id)).toEqual(['svc_old'])
  })

  test('[REG-030] the address of another listing leaves both as they were', async () => {
    const [one, other] = [await register(desk, shop), await register(desk, shop)]
    expect((await update(one.id, listing(other.profile_url))).code).toBe('validation_error')
    expect((await get(one.id)).data.registration).toEqual(one)
    expect((await get(other.id)).data.registration).toEqual(other)
  })

  test('[REG-030] of two that move to one address at once, one stays where it is', async () => {
    const moving = [await register(desk, shop), await register(desk, shop)]
    const address = shop.address()
    const answers = await Promise.all(moving.map(({ id }) => update(id, listing(address))))
    expect(answers.map(({ code }) => code).sort()).toEqual(['validation_error', undefined])
  })

  test('[REG-032] a listing that is not there is not found, whatever is wished', async () => {
    const { fetched } = shop.site
    const { status, rpc, code } = await update('reg_none', listing(shop.address()))
    expect([rpc ?? status, code]).toEqual([desk.binding === 'REST' ? 404 : -32602, 'registration_not_found'])
    expect(shop.site.fetched).toBe(fetched)
  })

  test('[REG-020] a listing loses its location only where no buyer comes to it', async () => {
    const business = uspProfile()
    Object.assign(business.usp.business, { locations: [{ id: 'loc_a', name: 'Soho' }] })
    Object.assign(business.usp, { services: {} })
    shop.site.profile = business
    const { id, profile_url } = await register(desk, shop)
    const { location: _, ...wish } = listing(profile_url)
    expect((await update(id, wish)).code).toBe('validation_error')
    expect((await get(id)).data.registration).toHaveProperty('location')
    shop.site.profile = uspProfile()
    Object.assign(shop.site.profile.usp as object, { services: {} })
    expect((await update(id, wish)).data.registration).not.toHaveProperty('location')
  })
})
