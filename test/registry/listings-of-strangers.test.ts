import { expect, test } from 'vitest'
import { newcomer, onBothDesks, type Who } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { published } from '../support/sign.ts'
import { listing, listingShop, withRegistry } from './listing-shop.ts'

const MOST = 3
const plain = await testPlatform()
const key = testKey('ES256')
const known = await testPlatform({ keys: [published('one', key)] })
const others = Array.from({ length: MOST - 1 }, (_, nth) => newcomer(plain.url, `203.0.113.${nth}`))
const [first, last] = [newcomer(plain.url, '198.51.100.1'), newcomer(plain.url, '198.51.100.2')]
const REGISTER = 'usp_registry_register'
const UPDATE = 'usp_registry_update'
const definition = { ...withRegistry, limits: { strangers: { listings: MOST } } }

await onBothDesks(
  () => listingShop(definition),
  (desk, shop) => {
    const register = (address: string, as: Who) => desk.call(REGISTER, { ...listing(address) }, { as })

    test('[a listing costs others a search] callers whose key nobody publishes list few businesses at a domain', async () => {
      for (const as of [first, ...others])
        expect((await register(shop.address(), as)).data.registration.status).toBe('active')
      const { data } = await register(shop.address(), last)
      expect(data.code).toBe('rate_limited')
      expect(JSON.stringify(data)).toContain('list your key')
      expect(await shop.listed()).toHaveLength(MOST)

      const [id] = await shop.listed()
      const moved = await desk.call(UPDATE, { id, ...listing(shop.address()) }, { as: first })
      expect(moved.data.registration.id).toBe(id)

      for (const as of [shop.other, { key, profile: known.url }])
        expect((await register(shop.address(), as)).data.registration.status).toBe('active')
    })

    test('[names below a domain cost nothing] whoever lists at one meets those of all the others', async () => {
      const { db } = shop.runtime
      await db.updateTable('registrations').set({ stranger_site: 'many.example' }).execute()
      const { data } = await register('https://new.shops.many.example/usp', last)
      expect(data.code).toBe('rate_limited')
    })
  },
)
