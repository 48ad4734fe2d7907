import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { daily, EVERY_DAY, idsOf, on } from './week.ts'

const definition = businessWith(
  [
    service('svc_cut'),
    service('svc_class', { type: 'group', capacity: { max: 8 }, sessions: [{ days: EVERY_DAY, starts: '10:00' }] }),
  ],
  { hours: daily('09:00', '16:00') },
)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    let days = 24
    async function scene(serviceId: string) {
      const day = on(new Date(Date.UTC(2026, 10, days++)).toISOString().slice(0, 10))
      const slots = await desk.slots(serviceId, day)
      const places = async () => (await desk.slots(serviceId, day))[0]?.capacity
      const free = async () => idsOf(await desk.slots(serviceId, day))
      const as = await shop.newPlatform()
      return { slots, slot: slots[0], places, free, as, keyed: { as, idempotencyKey: randomUUID() } }
    }

    test('[HLD-050] a hold that is asked for again is the first, and takes its places once', async () => {
      const { slot, places, keyed } = await scene('svc_class')
      const first = await desk.hold(slot, { spots: 3 }, keyed)
      shop.minutesLater(3)
      const again = await desk.hold(slot, { spots: 3 }, keyed)
      expect([again.status, again.data]).toEqual([first.status, first.data])
      expect(again.data.hold.expires_at).toBe(first.data.hold.expires_at)
      expect(await places()).toEqual({ total: 8, remaining: 5, held: 3 })
      shop.minutesLater(-3)
    })

    test('[HLD-050] so are twins that are sent at once', async () => {
      const { slot, places, keyed } = await scene('svc_class')
      const all = await Promise.all(Array.from({ length: 8 }, () => desk.hold(slot, { spots: 2 }, keyed)))
      expect(new Set(all.map(({ data }) => data.hold.id)).size).toBe(1)
      expect(await places()).toEqual({ total: 8, remaining: 6, held: 2 })
    })

    test('[HLD-051] [LIV-012] a key that was used for one slot holds no other', async () => {
      const { slots, slot, free, keyed } = await scene('svc_cut')
      await desk.hold(slot, {}, keyed)
      const before = await free()
      for (const said of [await desk.hold(slots[4], {}, keyed), await desk.hold(slot, { spots: 2 }, keyed)]) {
        expect(said.code).toBe('idempotency_conflict')
        expect(desk.binding === 'REST' ? said.status : said.rpc).toBe(desk.binding === 'REST' ? 409 : -32602)
      }
      expect(await free()).toEqual(before)
    })

    test('[HLD-052] what was gone stays gone for the key that asked, though it has come free', async () => {
      const { slot, as, keyed } = await scene('svc_cut')
      const { hold } = (await desk.hold(slot, {}, { as: shop.other })).data
      const first = await desk.hold(slot, {}, keyed)
      expect(first.code).toBe('slot_unavailable')
      await desk.release(hold.id, { as: shop.other })
      const again = await desk.hold(slot, {}, keyed)
      expect([again.status, again.data]).toEqual([first.status, first.data])
      expect((await desk.hold(slot, {}, { as, idempotencyKey: randomUUID() })).data.hold.status).toBe('active')
    })
  },
)
