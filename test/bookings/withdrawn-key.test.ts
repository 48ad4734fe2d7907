import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { published } from '../support/sign.ts'

await onBothDesks(
  () => testShop(businessWith([service('svc_a')])),
  (desk, shop) => {
    test('[AUT-056] a booking made with a key that the profile no longer publishes is reached by its other keys', async () => {
      const [old, young, foreign] = [testKey(), testKey(), testKey()]
      const platform = await testPlatform({ keys: [published('old', old), published('young', young)] })
      const asKey = (key: typeof old) => ({ as: { key, profile: platform.url } })
      const [slot] = await desk.slots('svc_a')
      const { id } = (await desk.book(slot, {}, asKey(old))).data.booking
      platform.profile = { ...platform.profile, keys: [published('young', young)] }
      shop.minutesLater(4)
      expect((await desk.get(id, asKey(foreign))).code).toBe('booking_not_found')
      expect((await desk.get(id, asKey(young))).data.booking.id).toBe(id)
      expect((await desk.cancel(id, {}, asKey(young))).data.booking.status).toBe('canceled')
    })
  },
)
