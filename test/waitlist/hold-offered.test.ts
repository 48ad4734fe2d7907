import { describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks } from '../support/desk.ts'
import { CLASS, classOfOne, lineOf, openShop } from './queue.ts'

const CHAIR = 'svc_chair'
/** One hour a day of one person: what is claimed is her time, and not a place. */
const chair = service(CHAIR, {
  capacity: { max: 1, waitlist: true },
  resources: [{ type: 'staff', options: ['ann'] }],
})
const salon = businessWith([classOfOne, chair], {
  hours: [{ days: ['tuesday', 'wednesday', 'thursday'], opens: '10:00', closes: '11:00' }],
  resources: [{ id: 'ann', type: 'staff', name: 'Ann' }],
})

await onBothDesks(
  () => openShop(salon),
  (desk, shop) => {
    const { join, entry, accept, leave, decline } = lineOf(desk)

    /** Somebody who waited is offered the first slot of the service, which nobody else can have. */
    async function offered(service_id: string, name: string) {
      const [slot] = await desk.slots(service_id)
      const { booking } = (await desk.book(slot)).data
      const { data } = await join(name, { service_id, slot_id: slot.id })
      await desk.cancel(booking.id)
      expect((await entry(data.entry.id)).status).toBe('offered')
      return { slot, id: data.entry.id as string }
    }
    const statusOf = async (hold: { id: string }) => (await desk.release(hold.id)).data.hold.status

    describe.each([
      ['the last place of a class', CLASS],
      ['the time of a person', CHAIR],
    ])('%s', (_, service_id) => {
      test('[WTL-045] the caller who is offered it can hold it, and accept with the hold', async () => {
        const { slot, id } = await offered(service_id, 'Ann')
        expect((await desk.hold(slot, {}, { as: shop.other })).code).toBe('slot_unavailable')
        const held = await desk.hold(slot)
        expect(held.data.hold).toMatchObject({ slot_id: slot.id, status: 'active', spots: 1 })
        expect((await desk.hold(slot)).code).toBe('slot_unavailable')
        expect((await entry(id)).status).toBe('offered')
        const said = await accept(id, { hold_id: held.data.hold.id })
        expect(said.data.entry).toMatchObject({ id, status: 'accepted' })
        expect(said.data.booking).toMatchObject({ slot: { id: slot.id }, status: 'confirmed' })
        expect(await statusOf(held.data.hold)).toBe('converted')
        expect((await desk.hold(slot)).code).toBe('slot_unavailable')
        await desk.cancel(said.data.booking.id)
      })

      test('the hold books nothing but the offer', async () => {
        const { slot, id } = await offered(service_id, 'Bob')
        const { hold } = (await desk.hold(slot)).data
        const refused = await desk.book(slot, { hold_id: hold.id })
        expect(refused.code).toBe('validation_error')
        expect(JSON.stringify(refused.data)).toContain('Accept the offer with this hold.')
        const { booking } = (await accept(id, { hold_id: hold.id })).data
        await desk.cancel(booking.id)
      })

      test('[LIV-059] a hold that has ended does not serve to accept, and the offer stays', async () => {
        const { slot, id } = await offered(service_id, 'Eve')
        const { hold } = (await desk.hold(slot)).data
        await desk.release(hold.id)
        const refused = await accept(id, { hold_id: hold.id })
        expect([refused.status, refused.rpc, refused.code]).toEqual([200, undefined, 'hold_expired'])
        expect((await entry(id)).status).toBe('offered')
        const { booking } = (await accept(id)).data
        await desk.cancel(booking.id)
      })

      test('the offer outlives a hold that was released, and needs none', async () => {
        const { slot, id } = await offered(service_id, 'Cid')
        const { hold } = (await desk.hold(slot)).data
        expect((await desk.release(hold.id)).data.hold.status).toBe('released')
        expect((await entry(id)).status).toBe('offered')
        expect((await desk.hold(slot, {}, { as: shop.other })).code).toBe('slot_unavailable')
        const again = (await desk.hold(slot)).data.hold
        const { booking } = (await accept(id)).data
        expect(booking.slot.id).toBe(slot.id)
        expect(await statusOf(again)).toBe('released')
        await desk.cancel(booking.id)
      })

      test.each([
        ['declined', decline],
        ['left', leave],
      ])('the hold ends when the offer is %s, and the slot is free', async (_, end) => {
        const { slot, id } = await offered(service_id, 'Dan')
        const { hold } = (await desk.hold(slot)).data
        await end(id)
        if ((await entry(id)).status === 'waiting') await leave(id)
        expect(await statusOf(hold)).toBe('released')
        const { booking } = (await desk.book(slot)).data
        expect(booking.status).toBe('confirmed')
        await desk.cancel(booking.id)
      })
    })

    test('nothing is claimed twice by all that', async () => {
      expect((await verify(shop.runtime.db, shop.time.now)).findings).toEqual({ listed: [], count: 0 })
    })
  },
)
