import { beforeEach, expect, test } from 'vitest'
import { registrationsLease } from '../../src/domain/registry/listings/registration-check-queries.ts'
import { checkRegistrations } from '../../src/domain/registry/listings/run-registration-checks.ts'
import { onBothDesks } from '../support/desk.ts'
import { uspProfile } from '../support/listed-business.ts'
import { type ListingShop, listing, listingShop, register, withRegistry } from './listing-shop.ts'

const HOUR = 60
const DAY = 24 * HOUR

await onBothDesks(listingShop, (desk, shop) => {
  const { db } = shop.runtime
  const look = () => checkRegistrations(shop.runtime, shop.time.now)
  const row = (id: string) => db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const get = async (id: string) => (await desk.call('usp_registry_get', { id }, { as: {} })).data
  /** Lets time go by until the next look is due, and looks. Answers after how many hours that was. */
  const nextLook = async (id: string) => {
    const wait = ((await row(id)).next_check_at.getTime() - shop.time.now.getTime()) / 60_000
    shop.minutesLater(wait)
    await look()
    return wait / HOUR
  }
  const fail = () => {
    shop.site.answer = (_, response) => void response.writeHead(503).end()
  }
  const mend = () => {
    shop.site.answer = undefined
    shop.site.profile = uspProfile()
  }
  beforeEach(async () => {
    mend()
    await db.deleteFrom('registrations').execute()
  })

  test('[REG-093] the profile of a listed business is looked at about once a day', async () => {
    const { id } = await register(desk, shop)
    const { fetched } = shop.site
    shop.minutesLater(20 * HOUR)
    await look()
    expect(shop.site.fetched).toBe(fetched)
    for (const times of [1, 2, 3]) {
      const hours = await nextLook(id)
      expect(hours + (times === 1 ? 20 : 0)).toBeGreaterThan(21)
      expect(hours + (times === 1 ? 20 : 0)).toBeLessThan(27)
      expect(shop.site.fetched).toBe(fetched + times)
      expect((await row(id)).checked_at).toEqual(shop.time.now)
    }
    expect(await get(id)).toMatchObject({ registration: { status: 'active' } })
  })

  test.each<[string, () => void, RegExp]>([
    ['cannot be reached', fail, /answered with status 503/],
    ['is not valid any more', () => void Object.assign(shop.site, { profile: {} }), /no valid USP business profile/],
  ])(
    '[REG-093] a business whose profile %s for more than a day is inactive, and its listing says why',
    async (_what, spoil, reason) => {
      const { id } = await register(desk, shop)
      spoil()
      const waits: number[] = [await nextLook(id)]
      let hours = 0
      while ((await get(id)).registration.status === 'active') {
        const wait = await nextLook(id)
        waits.push(wait)
        hours += wait
      }
      expect(hours).toBeGreaterThan(24)
      expect(hours).toBeLessThan(48)
      expect(waits.slice(1)).toEqual([1, 2, 4, 8, 16])
      const { registration, messages } = await get(id)
      expect(registration).toMatchObject({ id, status: 'inactive' })
      expect(messages).toMatchObject([
        { type: 'warning', code: 'registration_inactive', content: expect.stringMatching(reason) },
      ])
    },
  )

  test('[REG-093] one that comes back within the day was never away', async () => {
    const { id } = await register(desk, shop)
    fail()
    for (const _ of [1, 2, 3]) await nextLook(id)
    expect(await row(id)).toMatchObject({ status: 'active', failures: 3 })
    mend()
    await nextLook(id)
    expect(await row(id)).toMatchObject({ status: 'active', failures: 0, problem: null, checked_at: shop.time.now })
  })

  test('[REG-093] one that was left out is looked at daily, and is back when it answers', async () => {
    const { id } = await register(desk, shop)
    fail()
    while ((await row(id)).status === 'active') await nextLook(id)
    expect([await nextLook(id), await nextLook(id)]).toEqual([24, 24])
    await db
      .updateTable('registrations')
      .set({ next_index_at: new Date('2100-01-01') })
      .execute()
    mend()
    await nextLook(id)
    expect(await row(id)).toMatchObject({ status: 'active', failures: 0, problem: null, next_index_at: shop.time.now })
    expect(await get(id)).not.toHaveProperty('messages')
  })

  test('an owner that mends its business need not wait for that: any change brings the next look', async () => {
    const { id, profile_url } = await register(desk, shop)
    fail()
    while ((await row(id)).status === 'active') await nextLook(id)
    mend()
    const { data } = await desk.call('usp_registry_update', { id, ...listing(profile_url) })
    expect(data).toMatchObject({ registration: { status: 'inactive' }, messages: [{ type: 'warning' }] })
    await look()
    expect((await get(id)).registration.status).toBe('active')
  })

  test('a business that now answers elsewhere is read there, from the beginning', async () => {
    const { id } = await register(desk, shop)
    await db
      .updateTable('registrations')
      .set({ feed_cursor: 'somewhere', next_index_at: new Date('2100-01-01') })
      .execute()
    shop.site.profile = uspProfile('https://elsewhere.example/usp')
    await nextLook(id)
    expect(await row(id)).toMatchObject({ endpoint: 'https://elsewhere.example/usp', feed_cursor: null })
  })

  test('servers that look at the same time look at each business once', async () => {
    const count = 120
    for (let one = 0; one < count; one++) {
      shop.minutesLater(1)
      await register(desk, shop)
    }
    shop.minutesLater(2 * DAY)
    const { fetched } = shop.site
    await Promise.all([look(), look(), look()])
    expect(shop.site.fetched - fetched).toBe(count)
  })

  test('a look that was begun by a server that died is done by another as soon as its lease ends', async () => {
    const { id } = await register(desk, shop)
    shop.minutesLater(2 * DAY)
    expect(await registrationsLease(db, 10, shop.time.now)).toHaveLength(1)
    await look()
    expect((await row(id)).checked_at).not.toEqual(shop.time.now)
    await db
      .updateTable('registrations')
      .set({ check_leased_until: new Date(0) })
      .execute()
    await look()
    expect((await row(id)).checked_at).toEqual(shop.time.now)
  })

  test('what its owner changes meanwhile is not undone by a look at the former profile', async () => {
    const { id } = await register(desk, shop)
    shop.minutesLater(2 * DAY)
    const answered = Promise.withResolvers<void>()
    const begun = new Promise<void>((resolve) => {
      shop.site.answer = async (_, response) => {
        resolve()
        await answered.promise
        response.writeHead(503).end()
      }
    })
    const looking = look()
    await begun
    mend()
    await desk.call('usp_registry_update', { id, ...listing(shop.address()) })
    const before = await row(id)
    answered.resolve()
    await looking
    expect(await row(id)).toEqual(before)
  })
})

test('they are looked at, unless the registry is switched off', async () => {
  const shop: ListingShop = await listingShop()
  const { db } = shop.runtime
  const as = shop.platform
  const headers = { 'usp-agent': `profile="${as.profile}"`, authorization: `Bearer ${as.bearer}` }
  await shop.rest('POST', '/registry/businesses', listing(shop.address()), headers)
  const { fetched } = shop.site
  const { registry: _, ...without } = withRegistry
  await shop.apply(without)
  await expect.poll(async () => (await shop.runtime.business.get())?.registry).toBeUndefined()
  shop.minutesLater(2 * DAY)
  await checkRegistrations(shop.runtime, shop.time.now)
  expect(shop.site.fetched).toBe(fetched)
  await shop.apply(withRegistry)
  await expect.poll(async () => (await shop.runtime.business.get())?.registry).toBeDefined()
  shop.minutesLater(1)
  await checkRegistrations(shop.runtime, shop.time.now)
  expect(shop.site.fetched).toBe(fetched + 1)
  expect(await db.selectFrom('registrations').select('failures').execute()).toEqual([{ failures: 0 }])
})
