import { expect, test } from 'vitest'
import { newcomer, onBothDesks } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { published } from '../support/sign.ts'
import { listing, listingShop } from './listing-shop.ts'

const plain = await testPlatform()
const key = testKey('ES256')
const known = await testPlatform({ keys: [published('one', key)] })
const REGISTER = 'usp_registry_register'
const UPDATE = 'usp_registry_update'

await onBothDesks(listingShop, (desk, shop) => {
  test('[a listing costs others a search] callers whose key nobody publishes list ten businesses at a host', async () => {
    const strangers = Array.from({ length: 11 }, (_, nth) => newcomer(plain.url, `203.0.113.${nth}`))
    const register = (as: object) => desk.call(REGISTER, { ...listing(shop.address()) }, { as })
    for (const as of strangers.slice(0, 10)) expect((await register(as)).data.registration.status).toBe('active')
    const { data } = await register(strangers[10] ?? {})
    expect(data.code).toBe('rate_limited')
    expect(JSON.stringify(data)).toContain('list your key')
    expect(await shop.listed()).toHaveLength(10)

    const first = strangers[0] ?? {}
    const [id] = await shop.listed()
    const moved = await desk.call(UPDATE, { id, ...listing(shop.address()) }, { as: first })
    expect(moved.data.registration.id).toBe(id)

    for (const as of [shop.other, { key, profile: known.url }]) {
      const { data: own } = await register(as)
      expect(own.registration.status).toBe('active')
    }
  })
})
