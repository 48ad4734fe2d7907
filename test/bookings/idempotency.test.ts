import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type Ask, buyer, expectProblem, onBothDesks, type Said, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { shopDefinition } from './shop.ts'

const HOUR = 60

await onBothDesks(
  () => testShop({ ...shopDefinition, limits: { ...shopDefinition.limits, live_holds: 3 } }),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { db } = shop.runtime
    const isRest = desk.binding === 'REST'
    const conflict = [isRest ? 409 : -32602, 'idempotency_conflict']
    const outcome = ({ rpc, status, code }: Said) => [rpc ?? status, code]
    const first = async (serviceId: string) => (await desk.slots(serviceId))[0]
    const booked = async (serviceId: string) => (await desk.book(await first(serviceId))).data.booking
    const keyed = (): Ask => ({ idempotencyKey: randomUUID() })

    test('[BKG-044] [BKG-045] [BKG-057] a create that is repeated with its key gives the first answer', async () => {
      const slot = await first('svc_free')
      const ask = keyed()
      const once = await desk.book(slot, {}, ask)
      const after = await tableContents(db)
      const again = await desk.book(slot, {}, ask)
      expect([again.status, again.data]).toEqual([isRest ? 201 : 200, once.data])
      expect([once, again].map(({ headers }) => headers['idempotency-replayed'])).toEqual([
        undefined,
        isRest ? 'true' : undefined,
      ])
      expect(await tableContents(db)).toEqual(after)
    })

    test('[BKG-046] without a key and a hold it is another booking, for which there is no room', async () => {
      const slot = await first('svc_free')
      expect((await desk.book(slot)).code).toBeUndefined()
      expect((await desk.book(slot)).code).toBe('slot_unavailable')
      const session = await first('svc_class')
      const [one, other] = [await desk.book(session), await desk.book(session)]
      expect(other.data.booking.id).not.toBe(one.data.booking.id)
    })

    test('[BKG-047] [LIV-012] a key used with another body is a conflict, and nothing is done', async () => {
      const [slot, , other] = await desk.slots('svc_free')
      const ask = keyed()
      await desk.book(slot, {}, ask)
      const before = await tableContents(db)
      for (const said of [await desk.book(other, {}, ask), await desk.book(slot, { notes: 'More' }, ask)])
        expect(outcome(said)).toEqual(conflict)
      expect(await tableContents(db)).toEqual(before)
    })

    test('[BKG-048] [LIV-012] so it is on another operation', async () => {
      const [slot, , later] = await desk.slots('svc_paid')
      const ask = keyed()
      const { booking } = (await desk.book(slot, {}, ask)).data
      const before = await tableContents(db)
      for (const said of [
        await desk.cancel(booking.id, {}, ask),
        await desk.reschedule(booking.id, later, {}, ask),
        await desk.pay(booking, {}, ask),
        await desk.update(booking.id, { notes: 'A' }, ask),
        await desk.hold(later, {}, ask),
      ])
        expect(outcome(said)).toEqual(conflict)
      expect(await tableContents(db)).toEqual(before)
    })

    test('[BKG-049] two principals with one key do not meet, be they of one profile or of two', async () => {
      const slots = await desk.slots('svc_class')
      const { idempotencyKey = '' } = keyed()
      const callers = [shop.platform, shop.other, await shop.newPlatform()]
      const all = await Promise.all(callers.map((as) => desk.book(slots[1], {}, { as, idempotencyKey })))
      expect(all.map(({ code }) => code)).toEqual([undefined, undefined, undefined])
      expect(new Set(all.map(({ data }) => data.booking.id)).size).toBe(3)
    })

    test('[BKG-050] another order of members is the same request', async () => {
      const { id: slot_id, service_id } = await first('svc_free')
      const ask = keyed()
      const input = { service_id, slot_id, buyer, party_size: 1 }
      const turned = Object.fromEntries(
        Object.entries({ ...input, buyer: Object.fromEntries(Object.entries(buyer).reverse()) }).reverse(),
      )
      const once = await desk.call('usp_bookings_create', input, ask)
      expect((await desk.call('usp_bookings_create', turned, ask)).data).toEqual(once.data)
    })

    test('[BKG-051] a refusal is kept, even when the slot has become free', async () => {
      const slot = await first('svc_free')
      const { booking } = (await desk.book(slot, {}, { as: shop.other })).data
      const ask = keyed()
      const refused = await desk.book(slot, {}, ask)
      expect(refused.code).toBe('slot_unavailable')
      await desk.cancel(booking.id, {}, { as: shop.other })
      expect((await desk.book(slot, {}, ask)).data).toEqual(refused.data)
      expect((await desk.book(slot, {}, keyed())).code).toBeUndefined()
    })

    test('[BKG-051] [LIV-016] so is that a booking has ended, whatever is asked of it', async () => {
      const { id } = await booked('svc_free')
      const canceled = keyed()
      const once = await desk.cancel(id, {}, canceled)
      const [again, moved] = [keyed(), keyed()]
      const [later] = (await desk.slots('svc_free')).slice(8)
      const refused = [await desk.cancel(id, {}, again), await desk.reschedule(id, later, {}, moved)]
      for (const said of refused) expect(outcome(said)).toEqual([200, 'invalid_transition'])
      const before = await tableContents(db)
      expect((await desk.cancel(id, {}, canceled)).data).toEqual(once.data)
      expect((await desk.cancel(id, {}, again)).data).toEqual(refused[0]?.data)
      expect((await desk.reschedule(id, later, {}, moved)).data).toEqual(refused[1]?.data)
      expect(await tableContents(db)).toEqual(before)
    })

    test('[IDM-027] a replay shows the answer of then, when the booking was moved, canceled or confirmed meanwhile', async () => {
      const [slot, , later] = await desk.slots('svc_free')
      const created = keyed()
      const moved = keyed()
      const once = await desk.book(slot, {}, created)
      const { id } = once.data.booking
      const shifted = await desk.reschedule(id, later, {}, moved)
      expect(shifted.data.booking.slot.start).toBe(later.start)
      expect((await desk.book(slot, {}, created)).data).toEqual(once.data)
      await desk.cancel(id)
      expect((await desk.book(slot, {}, created)).data).toEqual(once.data)
      expect((await desk.reschedule(id, later, {}, moved)).data).toEqual(shifted.data)
      expect((await desk.get(id)).data.booking).toMatchObject({ status: 'canceled', slot: { start: later.start } })

      const asked = await first('svc_asked')
      const ask = keyed()
      const pending = await desk.book(asked, {}, ask)
      await desk.confirm(pending.data.booking.id)
      expect((await desk.book(asked, {}, ask)).data).toEqual(pending.data)
      expect(pending.data.booking.status).toBe('pending')
    })

    test('[BKG-052] a call that could not be processed is not: its key is free for the mended one', async () => {
      const slot = await first('svc_free')
      const ask = keyed()
      const codes = [
        (await desk.book(slot, {}, { ...ask, as: {} })).code,
        (await desk.book(slot, { party_size: 0 }, ask)).code,
        (await desk.book(slot, { buyer: {} }, ask)).code,
      ]
      expect(codes).toEqual(['authentication_required', 'validation_error', 'invalid_request'])
      expect((await desk.book(slot, {}, ask)).code).toBeUndefined()
    })

    test('[BKG-052] nor are a 404, a 422 of the business’s own data, and a 429', async () => {
      const as = await shop.newPlatform()
      const slots = await desk.slots('svc_free')
      const ask = { ...keyed(), as }
      expect((await desk.cancel('bkg_none', {}, ask)).code).toBe('booking_not_found')
      expect((await desk.book(slots[0], { hold_id: 'hold_none' }, ask)).code).toBe('validation_error')
      for (const index of [0, 2, 4]) await desk.hold(slots[index], {}, { as })
      expect((await desk.hold(slots[6], {}, ask)).code).toBe('hold_limit_exceeded')
      expect((await desk.book(slots[8], {}, ask)).code).toBeUndefined()
    })

    test('[BKG-054] [IDM-014] an answer is kept for seven days', async () => {
      const slot = (await desk.slots('svc_cut', { resource_id: 'staff_ben' })).at(-1)
      const ask = keyed()
      const once = await desk.book(slot, {}, ask)
      for (const hours of [24, 7 * 24]) {
        shop.time.now = new Date(START.getTime() + hours * HOUR * 60_000)
        expect((await desk.book(slot, {}, ask)).data).toEqual(once.data)
      }
      shop.minutesLater(1)
      expect((await desk.book(slot, {}, ask)).code).toBe('slot_unavailable')
    })

    describe('[BKG-056] [IDM-001] is done once, however often it is repeated with its key:', () => {
      const repeated: [what: string, prepare: () => Promise<(ask: Ask) => Promise<Said>>][] = [
        [
          'a hold',
          async () => {
            const slot = await first('svc_deposit')
            return (ask) => desk.hold(slot, {}, ask)
          },
        ],
        [
          'a create',
          async () => {
            const slot = await first('svc_class')
            return (ask) => desk.book(slot, {}, ask)
          },
        ],
        [
          'a payment',
          async () => {
            const booking = await booked('svc_paid')
            return (ask) => desk.pay(booking, {}, ask)
          },
        ],
        [
          'a reschedule',
          async () => {
            const { id } = await booked('svc_free')
            const slot = await first('svc_free')
            return (ask) => desk.reschedule(id, slot, {}, ask)
          },
        ],
        [
          'a cancel',
          async () => {
            const { id } = await booked('svc_free')
            return (ask) => desk.cancel(id, { reason: 'Ill' }, ask)
          },
        ],
        [
          'an update',
          async () => {
            const { id } = await booked('svc_free')
            return (ask) => desk.update(id, { notes: 'A' }, ask)
          },
        ],
        [
          'a confirm',
          async () => {
            const { id } = await booked('svc_asked')
            return (ask) => desk.confirm(id, {}, ask)
          },
        ],
      ]

      test.each(repeated)('%s', async (_, prepare) => {
        const call = await prepare()
        const ask = keyed()
        const once = await call(ask)
        expect(once.code).toBeUndefined()
        const after = await tableContents(db)
        for (let count = 0; count < 3; count++) expect((await call(ask)).data).toEqual(once.data)
        expect(await tableContents(db)).toEqual(after)
      })
    })

    test('[BKG-056] a reschedule that is repeated counts once', async () => {
      const [slot, , one, , other] = await desk.slots('svc_cut', { resource_id: 'staff_ann' })
      const { booking } = (await desk.book(slot)).data
      const ask = keyed()
      for (let count = 0; count < 3; count++) await desk.reschedule(booking.id, one, {}, ask)
      expect((await desk.reschedule(booking.id, other)).code).toBeUndefined()
      expect((await desk.reschedule(booking.id, slot)).code).toBe('reschedule_limit_reached')
    })

    test('[BKG-058] [LIV-062] [LIV-063] a hold that is booked twice is one booking, with whatever key', async () => {
      const slot = await first('svc_free')
      const { hold } = (await desk.hold(slot)).data
      const { booking } = (await desk.book(slot, { hold_id: hold.id }, keyed())).data
      const before = await tableContents(db)
      for (const ask of [{}, keyed()]) {
        const again = await desk.book(slot, { hold_id: hold.id, notes: 'Again' }, ask)
        expect([again.status, again.data.booking]).toEqual([200, booking])
        expect(again.data).not.toHaveProperty('booking_scoped_credential')
      }
      expect(await tableContents(db)).toEqual(before)
      const others = await desk.book(slot, { hold_id: hold.id }, { as: shop.other })
      expectProblem(others, 'validation_error', 'hold_id')
      const [, second] = await desk.slots('svc_free')
      const elsewhere = await desk.book(second, { hold_id: hold.id }, keyed())
      expectProblem(elsewhere, 'validation_error', 'hold_id')
      const unknown = await desk.book(slot, { hold_id: hold.id, service_id: 'svc_none' }, keyed())
      expectProblem(unknown, 'validation_error', 'service_id')
      expect(await tableContents(db)).toEqual(before)
    })
  },
)
