import { afterEach, expect, test } from 'vitest'
import { expectProblem, onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { statusSet } from './booking-rows.ts'
import { shopDefinition } from './shop.ts'

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime
    const booked = async (serviceId: string) => (await desk.book((await desk.slots(serviceId))[0])).data.booking

    test('[BKG-073] [BKG-080] the business confirms what waits for it, and names no platform', async () => {
      const { id, created_at } = await booked('svc_asked')
      const { status, data } = await desk.confirm(id)
      expect(status).toBe(200)
      expect(data.booking).toMatchObject({ id, status: 'confirmed', confirmation_mode: 'manual', created_at })
      expect((await desk.get(id)).data.booking).toEqual(data.booking)
      // It stands for good: its time does not lapse a day later.
      shop.minutesLater(25 * 60)
      expect((await desk.get(id)).data.booking.status).toBe('confirmed')
      expect(
        (await desk.book(data.booking.slot, { service_id: 'svc_asked', slot_id: data.booking.slot.id })).code,
      ).toBe('slot_unavailable')
    })

    test('[BKG-074] what has to be paid digitally is asked for then', async () => {
      const { id } = await booked('svc_asked_paid')
      const { status, data } = await desk.confirm(id)
      expect([status, data.booking.status]).toEqual([200, 'requires_action'])
      expect(data.booking.actions).toEqual([expect.objectContaining({ type: 'payment', status: 'pending' })])
      expect((await desk.pay(data.booking)).data.booking.status).toBe('confirmed')
    })

    test('[BKG-075] [LIV-070] a booking that waits for the buyer alone is not the business’s to confirm', async () => {
      const { id } = await booked('svc_paid')
      const before = await tableContents(db)
      const { status, rpc, code, data } = await desk.confirm(id)
      expect([status, rpc, code, data.messages[0].type]).toEqual([200, undefined, 'invalid_transition', 'error'])
      expect(await tableContents(db)).toEqual(before)
    })

    test.each(['svc_free', 'svc_asked'])(
      '[BKG-076] [LIV-070] a confirmed booking of %s is returned as it is',
      async (serviceId) => {
        const { id } = await booked(serviceId)
        const once = (await desk.confirm(id)).data
        const before = await tableContents(db)
        expect((await desk.confirm(id)).data).toEqual(once)
        expect((await desk.get(id)).data.booking).toEqual(once.booking)
        expect(await tableContents(db)).toEqual(before)
      },
    )

    test.each(['requires_action', 'in_progress', 'completed', 'no_show', 'canceled'] as const)(
      '[LIV-070] one that asked first and is %s by now is not confirmed any more',
      async (status) => {
        const { id } = await booked('svc_asked')
        if (status === 'canceled') await desk.cancel(id)
        else await statusSet(db, id, status)
        const before = await tableContents(db)
        const said = await desk.confirm(id)
        expect([said.status, said.rpc, said.code]).toEqual([200, undefined, 'invalid_transition'])
        expect(await tableContents(db)).toEqual(before)
      },
    )

    test('[BKG-075] [LIV-070] a pending booking that needs no agreement is not the business’s to confirm', async () => {
      const { id } = await booked('svc_free')
      await statusSet(db, id, 'pending')
      const before = await tableContents(db)
      const { status, rpc, code, severity } = await desk.confirm(id)
      expect([status, rpc, code, severity]).toEqual([200, undefined, 'invalid_transition', 'unrecoverable'])
      expect(await tableContents(db)).toEqual(before)
    })

    test('[LIV-003] [LIV-004] of an unknown booking there is nothing to confirm', async () => {
      expectProblem(await desk.confirm('bkg_none'), 'booking_not_found')
    })

    test('[BKG-082] a word of the business reaches the buyer', async () => {
      const { id } = await booked('svc_asked')
      const notes = 'Please arrive ten minutes early.'
      await desk.confirm(id, { notes })
      expect((await desk.get(id)).data.booking.messages).toEqual([
        { type: 'info', code: 'business_note', content: notes },
      ])
    })
  },
)
