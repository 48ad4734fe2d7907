import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, expectProblem, onBothDesks, testShop } from '../support/desk.ts'
import { daily, EVERY_DAY, idsOf, on } from './week.ts'

const definition = businessWith(
  [
    service('svc_cut', { resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }] }),
    service('svc_other', { resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }] }),
    service('svc_class', {
      type: 'group',
      capacity: { max: 8 },
      sessions: [{ days: EVERY_DAY, starts: '10:00' }],
    }),
    service('svc_queue', {
      type: 'group',
      capacity: { max: 1, waitlist: true },
      sessions: [{ days: EVERY_DAY, starts: '12:00' }],
    }),
    service('svc_table', {
      type: 'reservation',
      capacity: { max: 4 },
      resources: [{ type: 'other', options: ['table_2', 'table_4'] }],
    }),
    service('svc_pair', { capacity: { min: 2, max: 3 } }),
    service('svc_visit', { type: 'field_service', channel: { type: 'at_buyer_location' } }),
  ],
  {
    hours: daily('09:00', '16:00'),
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_ben', type: 'staff', name: 'Ben' },
      { id: 'table_2', type: 'table', name: 'Small table', seats: 2 },
      { id: 'table_4', type: 'table', name: 'Large table', seats: 4 },
    ],
  },
)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    let days = 24
    /** A day that no other test looks at, and two platforms that never held anything. */
    async function scene(serviceId: string) {
      const day = on(new Date(Date.UTC(2026, 10, days++)).toISOString().slice(0, 10))
      const slots = await desk.slots(serviceId, day)
      const free = async () => idsOf(await desk.slots(serviceId, day))
      const places = async () => (await desk.slots(serviceId, day))[0]?.capacity
      const [one, other] = [{ as: await shop.newPlatform() }, { as: await shop.newPlatform() }]
      const hold = async (spots = 1, slot = slots[0]) => (await desk.hold(slot, { spots }, one)).data.hold
      const statusOf = async (id: string) => (await desk.release(id, one)).data.hold.status
      return { day, slots, slot: slots[0], free, places, one, other, hold, statusOf }
    }

    test('[HLD-035] a hold becomes the booking, and holds no place any more', async () => {
      const { slot, places, one, hold, statusOf } = await scene('svc_class')
      const { id } = await hold(3)
      const { booking } = (await desk.book(slot, { hold_id: id, party_size: 3 }, one)).data
      expect(booking).toMatchObject({ party_size: 3, status: 'confirmed' })
      expect(await places()).toEqual({ total: 8, remaining: 5, held: 0 })
      expect(await statusOf(id)).toBe('converted')
    })

    test('[HLD-035] and the time of a person is the booking’s', async () => {
      const { slot, free, one, other, hold } = await scene('svc_cut')
      const { booking } = (await desk.book(slot, { hold_id: (await hold()).id }, one)).data
      expect(booking.slot.id).toBe(slot.id)
      shop.minutesLater(10)
      expect(await free()).not.toContain(slot.id)
      expect((await desk.book(slot, {}, other)).code).toBe('slot_unavailable')
      shop.minutesLater(-10)
    })

    describe.each([
      ['svc_cut', 'has expired', 10],
      ['svc_cut', 'was released', 0],
      ['svc_class', 'has expired', 10],
      ['svc_class', 'was released', 0],
    ])('a hold of %s that %s is not booked', (id, _, minutes) => {
      /** A party of three holds its places, or one person a time, until the hold ends. */
      async function ended() {
        const { slot, free, one, other, hold } = await scene(id)
        const party = id === 'svc_class' ? { party_size: 3 } : {}
        const { id: hold_id } = await hold(party.party_size)
        if (minutes === 0) await desk.release(hold_id, one)
        shop.minutesLater(minutes)
        const refuse = async (code: string) => {
          const { status, rpc, data } = await desk.book(slot, { hold_id, ...party }, one)
          expect([status, rpc]).toEqual([200, undefined])
          expect(data).not.toHaveProperty('booking')
          expect(data.messages).toMatchObject([{ type: 'error', code, severity: 'recoverable' }])
        }
        return { slot, free, other, refuse }
      }

      test('[LIV-059] its slot is still free: hold_expired', async () => {
        const { slot, free, refuse } = await ended()
        await refuse('hold_expired')
        expect(await free()).toContain(slot.id)
        shop.minutesLater(-minutes)
      })

      test('[LIV-060] its slot was booked by another buyer: slot_unavailable', async () => {
        const { slot, other, refuse } = await ended()
        await desk.book(slot, id === 'svc_class' ? { party_size: 8 } : {}, other)
        await refuse('slot_unavailable')
        shop.minutesLater(-minutes)
      })

      test('[LIV-060] its slot is held by another buyer: slot_unavailable', async () => {
        const { slot, other, refuse } = await ended()
        await desk.hold(slot, { spots: id === 'svc_class' ? 8 : 1 }, other)
        await refuse('slot_unavailable')
        shop.minutesLater(-minutes)
      })

      test('[LIV-060] its slot has begun: slot_unavailable', async () => {
        const { slot, refuse } = await ended()
        const { now } = shop.time
        shop.time.now = new Date(slot.start)
        await refuse('slot_unavailable')
        shop.time.now = now
        shop.minutesLater(-minutes)
      })
    })

    test.each([
      [3, 'hold_expired'],
      [2, 'slot_unavailable'],
    ])(
      '[LIV-059] [LIV-060] with %i places left a party of three whose hold has expired gets %s',
      async (left, code) => {
        const { slot, one, other, hold } = await scene('svc_class')
        const { id } = await hold(3)
        shop.minutesLater(10)
        await desk.book(slot, { party_size: 8 - left }, other)
        expect((await desk.book(slot, { hold_id: id, party_size: 3 }, one)).code).toBe(code)
        shop.minutesLater(-10)
      },
    )

    test('[LIV-063] a hold that does not exist is not booked', async () => {
      const { slot, free, one } = await scene('svc_cut')
      expectProblem(await desk.book(slot, { hold_id: 'hold_none' }, one), 'validation_error', 'hold_id')
      expect(await free()).toContain(slot.id)
    })

    test('[LIV-063] [HLD-040] nor is the hold of another, who keeps it', async () => {
      const { slots, slot, one, other, hold } = await scene('svc_cut')
      const { id } = await hold()
      const later = slots.at(-1)
      const { booking } = (await desk.book(later, {}, other)).data
      for (const said of [
        await desk.book(slot, { hold_id: id }, other),
        await desk.reschedule(booking.id, slot, { hold_id: id }, other),
      ])
        expectProblem(said, 'validation_error', 'hold_id')
      expect((await desk.get(booking.id, other)).data.booking.slot.id).toBe(later.id)
      expect((await desk.book(slot, { hold_id: id }, one)).data.booking.slot.id).toBe(slot.id)
    })

    test('[LIV-063] [HLD-040] nor does it serve to accept what the waitlist offers', async () => {
      const { day, slot, one, other, hold, statusOf } = await scene('svc_cut')
      const { id } = await hold()
      const [only] = await desk.slots('svc_queue', day)
      const { booking } = (await desk.book(only, {}, one)).data
      const join = { service_id: 'svc_queue', slot_id: only.id, buyer }
      const { entry } = (await desk.call('usp_waitlist_join', join, other)).data
      await desk.cancel(booking.id, {}, one)
      const accept = { entry_id: entry.id, hold_id: id }
      expectProblem(await desk.call('usp_waitlist_accept', accept, other), 'validation_error', 'hold_id')
      expect((await desk.hold(slot, {}, other)).code).toBe('slot_unavailable')
      expect(await statusOf(id)).toBe('released')
      expect((await desk.call('usp_waitlist_accept', { entry_id: entry.id }, other)).data.entry.status).toBe('accepted')
    })

    test('[HLD-040] [HLD-035] a booking moves to what its platform holds, and to nothing else', async () => {
      const { slots, slot, free, one, hold, statusOf } = await scene('svc_cut')
      const { booking } = (await desk.book(slots.at(-1), {}, one)).data
      const held = await hold()
      expect((await desk.reschedule(booking.id, slots[4], { hold_id: held.id }, one)).code).toBe('validation_error')
      const moved = await desk.reschedule(booking.id, slot, { hold_id: held.id }, one)
      expect(moved.data.booking).toMatchObject({ id: booking.id, slot: { id: slot.id } })
      expect(await statusOf(held.id)).toBe('converted')
      expect(await free()).toContain(slots.at(-1).id)
      expect(await free()).not.toContain(slot.id)
    })

    test('[HLD-041] [LIV-011] a hold of another slot or service is not booked, and stays', async () => {
      const { day, slots, slot, one, hold, statusOf } = await scene('svc_cut')
      const { id } = await hold()
      const [, , elsewhere] = await desk.slots('svc_other', day)
      for (const wrong of [slots[1], slots[2], elsewhere]) {
        expectProblem(await desk.book(wrong, { hold_id: id }, one), 'validation_error', 'hold_id')
      }
      expect((await desk.hold(slot, {}, { as: shop.other })).code).toBe('slot_unavailable')
      expect(await statusOf(id)).toBe('released')
    })

    test.each<[string, string, Record<string, unknown>, string]>([
      ['svc_visit', 'no address', {}, 'validation_error'],
      ['svc_pair', 'too few', { party_size: 1 }, 'validation_error'],
      ['svc_pair', 'too many', { party_size: 4 }, 'capacity_exceeded'],
      ['svc_cut', 'somebody else', { resource_id: 'staff_ben' }, 'validation_error'],
      [
        'svc_cut',
        'a bad phone number',
        { buyer: { first_name: 'A', last_name: 'B', email: 'a@b.cc', phone_number: 'x' } },
        'validation_error',
      ],
      ['svc_cut', 'no buyer', { buyer: undefined }, 'invalid_request'],
    ])('[HLD-042] a request for %s with %s is refused, and the hold is as before', async (id, _, wrong, code) => {
      const { slot, one, other, hold } = await scene(id)
      const held = await hold()
      expect((await desk.book(slot, { hold_id: held.id, ...wrong }, one)).code).toBe(code)
      shop.minutesLater(9)
      expect((await desk.hold(slot, {}, other)).code).toBe('slot_unavailable')
      expect((await desk.release(held.id, one)).data.hold).toEqual({ ...held, status: 'released' })
      shop.minutesLater(-9)
    })

    test.each([
      [5, 3],
      [8, 1],
    ])('[LIV-058] of %i places that were held %i are booked, and the others are free', async (spots, party_size) => {
      const { slot, places, one, hold, statusOf } = await scene('svc_class')
      const { id } = await hold(spots)
      const { booking } = (await desk.book(slot, { hold_id: id, party_size }, one)).data
      expect(booking.party_size).toBe(party_size)
      expect(await places()).toEqual({ total: 8, remaining: 8 - party_size, held: 0 })
      expect(await statusOf(id)).toBe('converted')
    })

    test.each([
      ['is room', 0],
      ['is none', 4],
    ])('[LIV-057] more than were held are not booked where there %s, and the hold stays', async (_, others) => {
      const { slot, places, one, other, hold, statusOf } = await scene('svc_class')
      const { id } = await hold(3)
      if (others > 0) await desk.book(slot, { party_size: others }, other)
      for (const party_size of [4, 5, 8]) {
        const { status, rpc, code, data } = await desk.book(slot, { hold_id: id, party_size }, one)
        expect([status, rpc, code]).toEqual([200, undefined, 'capacity_exceeded'])
        expect(data.messages[0].path).toBe('$.party_size')
      }
      expect(await places()).toEqual({ total: 8, remaining: 5 - others, held: 3 })
      expect(await statusOf(id)).toBe('released')
    })

    test('[LIV-057] [LIV-058] a smaller party may get a smaller table, a larger party no other table', async () => {
      const { slot, one, other, hold, statusOf } = await scene('svc_table')
      const large = await hold(4)
      const { booking } = (await desk.book(slot, { hold_id: large.id, party_size: 2 }, one)).data
      expect(booking.resources).toMatchObject([{ id: 'table_2' }])
      const again = await hold(1)
      expect((await desk.book(slot, { hold_id: again.id, party_size: 2 }, one)).code).toBe('capacity_exceeded')
      expect((await desk.hold(slot, {}, other)).code).toBe('slot_unavailable')
      expect(await statusOf(again.id)).toBe('released')
    })

    test.each(['svc_cut', 'svc_class'])(
      '[LIV-061] [LIV-062] a hold of %s and its booking stand or fall together, and the booking is made once',
      async (id) => {
        const { slot, one, hold } = await scene(id)
        const { db } = shop.runtime
        const held = await hold()
        const statuses = async () => {
          const { status } = await db
            .selectFrom('holds')
            .select('status')
            .where('id', '=', held.id)
            .executeTakeFirstOrThrow()
          const made = await db.selectFrom('bookings').select('id').where('hold_id', '=', held.id).execute()
          return [status, made.length]
        }
        for (const table of ['holds', 'bookings', 'changes']) {
          await sql`create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`.execute(
            db,
          )
          await sql`create trigger fail before insert or update on ${sql.table(table)} execute function fail()`.execute(
            db,
          )
          expect((await desk.book(slot, { hold_id: held.id }, one)).code).toBe('server_error')
          await sql`drop function fail cascade`.execute(db)
          expect(await statuses()).toEqual(['active', 0])
        }
        const { booking } = (await desk.book(slot, { hold_id: held.id }, one)).data
        expect(await statuses()).toEqual(['converted', 1])
        const again = await desk.book(slot, { hold_id: held.id }, one)
        expect([again.status, again.code, again.data.booking]).toEqual([200, undefined, booking])
        expect(await statuses()).toEqual(['converted', 1])
      },
    )
  },
)
