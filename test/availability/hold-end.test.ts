import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { expectProblem, onBothDesks, testShop } from '../support/desk.ts'
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
    /** A slot of a day that no other test looks at, and two platforms that never held anything. */
    async function scene(serviceId = 'svc_cut') {
      const day = on(new Date(Date.UTC(2026, 10, days++)).toISOString().slice(0, 10))
      const [slot] = await desk.slots(serviceId, day)
      const isFree = async () => idsOf(await desk.slots(serviceId, day)).includes(slot.id)
      const [one, other] = [{ as: await shop.newPlatform() }, { as: await shop.newPlatform() }]
      return { day, slot, isFree, one, other }
    }
    const later = async (minutes: number, then: () => Promise<void>) => {
      const { now } = shop.time
      shop.minutesLater(minutes)
      await then()
      shop.time.now = now
    }

    test.each([
      [9.999, 'slot_unavailable'],
      [10, undefined],
    ])('[HLD-023] [HLD-024] after %d minutes another who holds the slot is told %s', async (minutes, code) => {
      const { slot, isFree, one, other } = await scene()
      await desk.hold(slot, {}, one)
      await later(minutes, async () => {
        expect(await isFree()).toBe(code === undefined)
        expect((await desk.hold(slot, {}, other)).code).toBe(code)
      })
    })

    test('[HLD-024] or books it', async () => {
      const { slot, one, other } = await scene()
      await desk.hold(slot, {}, one)
      await later(10, async () => {
        expect((await desk.book(slot, {}, other)).data.booking.slot.id).toBe(slot.id)
        expect((await desk.hold(slot, {}, one)).code).toBe('slot_unavailable')
      })
    })

    test('[HLD-024] the places of a class that lapsed are another’s at once', async () => {
      const { slot, one, other } = await scene('svc_class')
      await desk.hold(slot, { spots: 8 }, one)
      await later(10, async () => {
        expect((await desk.book(slot, { party_size: 8 }, other)).data.booking.party_size).toBe(8)
      })
    })

    test('[HLD-025] [HLD-026] [HLD-027] [HLD-034] what is released is free at once, and released for good', async () => {
      const { slot, isFree, one, other } = await scene()
      const { hold } = (await desk.hold(slot, {}, one)).data
      const { status, data } = await desk.release(hold.id, one)
      expect([status, data.hold]).toEqual([200, { ...hold, status: 'released' }])
      expect(await isFree()).toBe(true)
      expect((await desk.hold(slot, {}, other)).data.hold.status).toBe('active')
      const again = await desk.release(hold.id, one)
      expect([again.status, again.data.hold]).toEqual([200, { ...hold, status: 'released' }])
      expect(await isFree()).toBe(false)
    })

    test('[HLD-026] what is released can be booked by another at once', async () => {
      const { slot, one, other } = await scene('svc_class')
      const { hold } = (await desk.hold(slot, { spots: 8 }, one)).data
      await desk.release(hold.id, one)
      expect((await desk.book(slot, { party_size: 8 }, other)).data.booking.party_size).toBe(8)
    })

    test('[HLD-028] a hold that lapsed cannot be released any more, and takes nothing back', async () => {
      const { slot, isFree, one, other } = await scene()
      const { hold } = (await desk.hold(slot, {}, one)).data
      await later(10, async () => {
        await desk.hold(slot, {}, other)
        const { status, data } = await desk.release(hold.id, one)
        expect([status, data.hold]).toEqual([200, { ...hold, status: 'expired' }])
        expect(await isFree()).toBe(false)
      })
    })

    test('[HLD-029] nor one that was booked, and the booking stays', async () => {
      const { slot, isFree, one } = await scene()
      const { hold } = (await desk.hold(slot, {}, one)).data
      const { booking } = (await desk.book(slot, { hold_id: hold.id }, one)).data
      const { status, data } = await desk.release(hold.id, one)
      expect([status, data.hold]).toEqual([200, { ...hold, status: 'converted' }])
      expect((await desk.get(booking.id, one)).data.booking).toEqual(booking)
      expect(await isFree()).toBe(false)
    })

    test('[LIV-002] [LIV-006] a hold that does not exist is not found', async () => {
      expectProblem(await desk.release('hold_none'), 'not_found')
    })

    test('[HLD-031] [LIV-006] to everybody else a hold does not exist either', async () => {
      const { slot, isFree, one, other } = await scene()
      const { hold } = (await desk.hold(slot, {}, one)).data
      const nobodys = await desk.release(`${hold.id.slice(0, -1)}_`, other)
      for (const ask of [other, { as: shop.other }]) {
        const said = await desk.release(hold.id, ask)
        expectProblem(said, 'not_found')
        const { instance: _, ...told } = said.data
        expect(nobodys.data).toMatchObject(told)
      }
      expect(await isFree()).toBe(false)
      expect((await desk.release(hold.id, one)).data.hold.status).toBe('released')
    })

    test.each(['"1"', 'W/"stale"', '*', 'not quoted, and, many', '', '"'])(
      '[HLD-033] a hold is released whatever revision is named: %j',
      async (ifMatch) => {
        const { slot, one } = await scene()
        const { hold } = (await desk.hold(slot, {}, one)).data
        expect((await desk.release(hold.id, { ...one, ifMatch })).data.hold.status).toBe('released')
      },
    )
  },
)
