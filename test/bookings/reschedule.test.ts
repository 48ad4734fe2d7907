import { afterEach, expect, test } from 'vitest'
import { expectProblem, onBothDesks, type Said, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { placesOf, statusSet } from './booking-rows.ts'
import { shopDefinition } from './shop.ts'

const HOUR = 3_600_000

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime
    const ids = async (serviceId: string) => (await desk.slots(serviceId)).map(({ id }) => id)
    const isRest = desk.binding === 'REST'

    /** A booking of the first free slot, and a later one that it does not touch. */
    async function booked(serviceId: string) {
      const [slot, , , , later] = await desk.slots(serviceId)
      return { slot, later, booking: (await desk.book(slot)).data.booking }
    }

    /** Refused, and the booking still has its time, which nobody else can get. */
    async function expectKept(id: string, call: () => Promise<Said>, code: string) {
      const { booking } = (await desk.get(id)).data
      const [before, places] = [await tableContents(db), await placesOf(db, id)]
      const said = await call()
      if (code === 'validation_error') expectProblem(said, code, 'hold_id')
      else expect(said).toMatchObject({ status: 200, rpc: undefined, code })
      expect(await tableContents(db)).toEqual(before)
      expect((await desk.get(id)).data.booking).toEqual(booking)
      expect(await placesOf(db, id)).toEqual(places)
      const others = { service_id: booking.service_id, slot_id: booking.slot.id, party_size: 6 }
      expect((await desk.book(booking.slot, others, { as: shop.other })).code).toMatch(/^(slot_unav|capacity_exc)/)
    }

    test('[BKG-104] [BKG-106] a booking moves and stays the same', async () => {
      const { booking, later } = await booked('svc_cut')
      shop.minutesLater(5)
      const { status, data } = await desk.reschedule(booking.id, later)
      expect([status, Object.keys(data).sort()]).toEqual([200, ['booking', 'booking_scoped_credential', 'usp']])
      const { revision, updated_at, ...whole } = booking
      expect(data.booking).toMatchObject({
        ...whole,
        slot: { id: later.id, start: later.start, end: later.end, duration: later.duration },
        resources: later.resources,
        status: 'confirmed',
      })
      expect(new Date(data.booking.updated_at)).toEqual(shop.time.now)
      expect((await desk.get(booking.id)).data.booking).toEqual(data.booking)
    })

    test.each(['svc_cut', 'svc_free', 'svc_asked'])(
      '[BKG-105] its old time in %s is offered again, and the new one no longer',
      async (serviceId) => {
        const { booking, slot, later } = await booked(serviceId)
        expect(await ids(serviceId)).not.toContain(slot.id)
        await desk.reschedule(booking.id, later)
        const offered = await ids(serviceId)
        expect(offered).toContain(slot.id)
        expect(offered).not.toContain(later.id)
      },
    )

    test('[BKG-105] a party takes its places along from one class to another', async () => {
      const [one, other] = await desk.slots('svc_class')
      const { booking } = (await desk.book(one, { party_size: 4 })).data
      expect((await desk.reschedule(booking.id, other)).data.booking.party_size).toBe(4)
      const [after, afterOther] = await desk.slots('svc_class')
      expect([after.capacity.remaining, afterOther.capacity.remaining]).toEqual([6, 2])
      expect(await placesOf(db, booking.id)).toEqual({ resources: [], spots: 4 })
    })

    test('[LIV-067] one that waits for the business waits on', async () => {
      const { booking, later } = await booked('svc_asked')
      const moved = (await desk.reschedule(booking.id, later)).data.booking
      expect(moved).toMatchObject({ status: 'pending', slot: { id: later.id } })
      expect((await desk.confirm(booking.id)).data.booking).toMatchObject({
        status: 'confirmed',
        slot: { id: later.id },
      })
    })

    test('[LIV-067] one that waits for the business and may never move says that its status does not allow it', async () => {
      const { booking, later } = await booked('svc_asked_fixed')
      await expectKept(booking.id, () => desk.reschedule(booking.id, later), 'invalid_transition')
    })

    test('[LIV-067] one that is to be paid first stays where it is', async () => {
      const { booking, later } = await booked('svc_paid')
      await expectKept(booking.id, () => desk.reschedule(booking.id, later), 'invalid_transition')
    })

    test.each(['canceled', 'completed', 'no_show', 'in_progress'] as const)(
      '[LIV-016] [LIV-066] one that is %s does not move',
      async (status) => {
        const { booking, later } = await booked('svc_free')
        if (status === 'canceled') await desk.cancel(booking.id)
        else await statusSet(db, booking.id, status)
        const before = await tableContents(db)
        const said = await desk.reschedule(booking.id, later)
        expect([said.status, said.rpc, said.code]).toEqual([200, undefined, 'invalid_transition'])
        expect(said.severity).toBe('unrecoverable')
        expect(await tableContents(db)).toEqual(before)
      },
    )

    test('[BKG-111] a move has somewhere to go', async () => {
      const { booking } = await booked('svc_free')
      const said = await desk.call('usp_bookings_reschedule', { booking_id: booking.id })
      expect([said.rpc ?? said.status, said.code]).toEqual([isRest ? 400 : -32600, 'invalid_request'])
    })

    test.each(['svc_cut', 'svc_free'])(
      '[BKG-112] [LIV-077] to a slot of %s that is taken it does not move',
      async (serviceId) => {
        const { booking, later } = await booked(serviceId)
        await desk.book(later, {}, { as: shop.other })
        await expectKept(booking.id, () => desk.reschedule(booking.id, later), 'slot_unavailable')
      },
    )

    test('[BKG-112] [LIV-077] nor to a class that is full, or has too little room', async () => {
      const [one, other] = await desk.slots('svc_class')
      const { booking } = (await desk.book(one, { party_size: 3 })).data
      await desk.book(other, { party_size: 4 })
      await expectKept(booking.id, () => desk.reschedule(booking.id, other), 'capacity_exceeded')
      await desk.book(other, { party_size: 2 })
      await expectKept(booking.id, () => desk.reschedule(booking.id, other), 'slot_unavailable')
    })

    test('[BKG-113] [LIV-077] nor outside the booking window', async () => {
      const { booking } = await booked('svc_free')
      const [soon] = await desk.slots('svc_free', { start_date: '2026-11-20', end_date: '2026-11-20' })
      const [far] = await desk.slots('svc_free', { start_date: '2027-01-18', end_date: '2027-01-18' })
      shop.minutesLater(60)
      await expectKept(booking.id, () => desk.reschedule(booking.id, soon), 'booking_window_violated')
      shop.minutesLater(-3 * 24 * 60)
      await expectKept(booking.id, () => desk.reschedule(booking.id, far), 'booking_window_violated')
    })

    test('[BKG-114] [LIV-077] nor to a slot of another service, or one that is none', async () => {
      const { booking, later } = await booked('svc_free')
      const [other] = await desk.slots('svc_phone')
      for (const slot of [other, { id: `${later.id}x` }, { id: 'slot_none' }])
        await expectKept(booking.id, () => desk.reschedule(booking.id, slot), 'slot_unavailable')
    })

    test.each(['svc_free', 'svc_cut', 'svc_asked', 'svc_table'])(
      '[BKG-115] its own time in %s is in nobody’s way but others’',
      async (serviceId) => {
        const { slot, booking } = await booked(serviceId)
        const [end, who] = [new Date(slot.end).getTime(), JSON.stringify(slot.resources)]
        await desk.cancel(booking.id)
        const overlapping = (await desk.slots(serviceId)).find(
          (one) => one.id !== slot.id && new Date(one.start).getTime() < end && JSON.stringify(one.resources) === who,
        )
        const again = (await desk.book(slot)).data.booking
        const moved = await desk.reschedule(again.id, overlapping)
        expect(moved.data.booking.slot).toMatchObject({ id: overlapping.id })
        expect((await placesOf(db, again.id)).resources).toHaveLength(1)
      },
    )

    test.each(['svc_cut', 'svc_paid', 'svc_class', 'svc_asked'])(
      '[BKG-104] [BKG-121] where it is already a booking of %s stays as it is, and that costs and counts nothing',
      async (serviceId) => {
        const { slot, booking } = await booked(serviceId)
        const { id, status } = (await desk.pay(booking)).data.booking ?? booking
        if (status !== 'pending') shop.time.now = new Date(Date.parse(slot.start) - 3 * HOUR)
        const [before, kept] = [await tableContents(db), (await desk.get(id)).data.booking]
        for (let count = 0; count < 3; count++) expect((await desk.reschedule(id, slot)).data.booking).toEqual(kept)
        expect(kept.status).toBe(status)
        expect(await tableContents(db)).toEqual(before)
      },
    )

    test('[BKG-119] to stay where it is is a move, too, where the terms forbid any', async () => {
      const { slot, booking } = await booked('svc_firm')
      await expectKept(booking.id, () => desk.reschedule(booking.id, slot), 'reschedule_not_allowed')
    })

    test('a buyer moves nothing that has begun, and the staff do', async () => {
      const { slot, booking } = await booked('svc_free')
      shop.time.now = new Date(slot.start)
      const [later] = await desk.slots('svc_free', { start_date: '2026-11-26' })
      expect((await desk.reschedule(booking.id, later)).code).toBe('reschedule_not_allowed')
      expect((await desk.get(booking.id)).data.booking).toEqual(booking)
      const move = { booking_id: booking.id, slot_id: later.id }
      const moved = await desk.call('usp_business_bookings_reschedule', move, { as: shop.staff })
      expect(moved.data.booking.slot.id).toBe(later.id)
    })

    test('[BKG-117] a hold on the new slot becomes the booking’s', async () => {
      const { booking, slot, later } = await booked('svc_free')
      const { hold } = (await desk.hold(later)).data
      expect((await desk.reschedule(booking.id, later)).code).toBe('slot_unavailable')
      const moved = (await desk.reschedule(booking.id, later, { hold_id: hold.id })).data.booking
      expect(moved.slot.id).toBe(later.id)
      expect((await desk.release(hold.id)).data.hold.status).toBe('converted')
      expect(await placesOf(db, hold.id)).toEqual({ resources: [], spots: 0 })
      shop.minutesLater(11)
      expect((await desk.book(later, {}, { as: shop.other })).code).toBe('slot_unavailable')
      expectProblem(await desk.book(slot, { hold_id: hold.id }), 'validation_error', 'hold_id')
      expect((await desk.book(later, { hold_id: hold.id })).code).toBe('slot_unavailable')
    })

    test('[BKG-117] and a move by a hold that was made before is answered as it was then', async () => {
      const { booking, later } = await booked('svc_free')
      const { hold } = (await desk.hold(later)).data
      const first = await desk.reschedule(booking.id, later, { hold_id: hold.id })
      const before = await tableContents(db)
      const again = await desk.reschedule(booking.id, later, { hold_id: hold.id })
      expect(again.data.booking).toEqual(first.data.booking)
      expect(await tableContents(db)).toEqual(before)
    })

    test('[LIV-077] [LIV-061] a hold outlasts a move that is refused', async () => {
      const { slot, later, booking } = await booked('svc_firm')
      const { hold } = (await desk.hold(later)).data
      await expectKept(
        booking.id,
        () => desk.reschedule(booking.id, later, { hold_id: hold.id }),
        'reschedule_not_allowed',
      )
      await expectKept(
        booking.id,
        () => desk.reschedule(booking.id, slot, { hold_id: hold.id }),
        'reschedule_not_allowed',
      )
      expect((await desk.book(later, { hold_id: hold.id })).data.booking.slot.id).toBe(later.id)
    })

    test('[LIV-077] [LIV-057] so does one for fewer than the party', async () => {
      const [one, other] = (await desk.slots('svc_class')).slice(-2)
      const { booking } = (await desk.book(one, { party_size: 3 })).data
      const { hold } = (await desk.hold(other, { spots: 2 })).data
      await expectKept(booking.id, () => desk.reschedule(booking.id, other, { hold_id: hold.id }), 'capacity_exceeded')
      expect((await desk.release(hold.id)).data.hold.status).toBe('released')
    })

    test('[BKG-117] [LIV-059] [LIV-060] [LIV-063] [LIV-077] one that has ended, is of another slot or of somebody else does not', async () => {
      const { booking, slot, later } = await booked('svc_free')
      const [held] = (await desk.slots('svc_free')).slice(8)
      const { hold } = (await desk.hold(held)).data
      const others = (await desk.hold(later, {}, { as: shop.other })).data.hold
      const move = (to: typeof slot, hold_id: string) => () => desk.reschedule(booking.id, to, { hold_id })
      await expectKept(booking.id, move(slot, hold.id), 'validation_error')
      await expectKept(booking.id, move(later, others.id), 'validation_error')
      await expectKept(booking.id, move(later, 'hold_none'), 'validation_error')
      shop.minutesLater(10)
      await expectKept(booking.id, move(held, hold.id), 'hold_expired')
      await desk.book(held, {}, { as: shop.other })
      await expectKept(booking.id, move(held, hold.id), 'slot_unavailable')
    })
  },
)
