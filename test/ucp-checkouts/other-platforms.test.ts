import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { codes, onBothUcpBindings } from './both-bindings.ts'
import { tokenShop } from './paid-shop.ts'

await onBothUcpBindings(
  (options) => tokenShop(undefined, options),
  (platform, shop) => {
    /** A platform with another profile, and one with the same profile and another key. */
    const others = async () => {
      const { key } = await addClient(shop.runtime.db, 'Other', shop.time.now)
      return [await shop.newUcpPlatform(), { ...shop.ucp, bearer: key }].map((one) => platform.as(one))
    }

    test.each(['svc_paid', 'svc_spot', 'svc_free'])(
      '[BKG-064] another platform neither completes nor updates a checkout of %s, and learns nothing of it',
      async (service) => {
        const slot = await shop.lastSlot(service)
        const body = await platform.create(slot)
        const asked = shop.stripe.asked.length
        for (const other of await others())
          for (const call of [
            (id: string) => (service === 'svc_paid' ? other.pay(id) : other.complete(id)),
            (id: string) => other.update(id, shop.request(slot, {}, { buyer: { email: 'eve@example.com' } })),
          ]) {
            const foreign = await call(body.id)
            expect([foreign.ucp.status, codes(foreign)]).toEqual(['error', ['not_found']])
            expect(foreign).toEqual(await call('chk_unknown'))
          }
        expect(shop.stripe.asked).toHaveLength(asked)
        expect(await shop.charges(body.id)).toEqual([])
        expect(await platform.get(body.id)).toEqual(body)
        const done = await (service === 'svc_paid' ? platform.pay(body.id) : platform.complete(body.id))
        expect([done.status, done.buyer]).toEqual(['completed', body.buyer])
      },
    )

    test('[BKG-064] another platform learns nothing of a completed checkout either', async () => {
      const body = await platform.create(await shop.lastSlot())
      expect((await platform.pay(body.id)).status).toBe('completed')
      const asked = shop.stripe.asked.length
      for (const other of await others()) expect(codes(await other.pay(body.id))).toEqual(['not_found'])
      expect(shop.stripe.asked).toHaveLength(asked)
      await shop.expectSound()
    })
  },
)
