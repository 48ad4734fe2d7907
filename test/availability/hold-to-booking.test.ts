import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, onBothDesks, testShop } from '../support/desk.ts'
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

    test.each([
      ['[HLD-037]', 'has expired', 10],
      ['[HLD-038]', 'was released', 0],
    ])('%s a hold that %s is not booked, though the slot is free', async (_, _what, minutes) => {
      const { slot, free, one, hold } = await scene('svc_cut')
      const { id } = await hold()
      if (minutes === 0) await desk.release(id, one)
      shop.minutesLater(minutes)
      const { status, data } = await desk.book(slot, { hold_id: id }, one)
      expect(status).toBe(200)
      expect(data).not.toHaveProperty('booking')
      expect(data.messages).toMatchObject([{ type: 'error', code: 'hold_expired', severity: 'recoverable' }])
      expect(await free()).toContain(slot.id)
      shop.minutesLater(-minutes)
    })

    test('[HLD-039] a hold that does not exist is not booked', async () => {
      const { slot, free, one } = await scene('svc_cut')
      const { status, data } = await desk.book(slot, { hold_id: 'hold_none' }, one)
      expect([status, data.messages[0].code]).toEqual([200, 'hold_not_found'])
      expect(data).not.toHaveProperty('booking')
      expect(await free()).toContain(slot.id)
    })

    test('[HLD-040] nor is the hold of another, who keeps it', async () => {
      const { slots, slot, one, other, hold } = await scene('svc_cut')
      const { id } = await hold()
      const later = slots.at(-1)
      const { booking } = (await desk.book(later, {}, other)).data
      for (const said of [
        await desk.book(slot, { hold_id: id }, other),
        await desk.reschedule(booking.id, slot, { hold_id: id }, other),
      ])
        expect([said.status, said.code]).toEqual([200, 'hold_not_found'])
      expect((await desk.get(booking.id, other)).data.booking.slot.id).toBe(later.id)
      expect((await desk.book(slot, { hold_id: id }, one)).data.booking.slot.id).toBe(slot.id)
    })

    test('[HLD-040] nor does it serve to accept what the waitlist offers', async () => {
      const { day, slot, one, other, hold, statusOf } = await scene('svc_cut')
      const { id } = await hold()
      const [only] = await desk.slots('svc_queue', day)
      const { booking } = (await desk.book(only, {}, one)).data
      const join = { service_id: 'svc_queue', slot_id: only.id, buyer }
      const { entry } = (await desk.call('usp_waitlist_join', join, other)).data
      await desk.cancel(booking.id, {}, one)
      const accept = { entry_id: entry.id, hold_id: id }
      const { status, code } = await desk.call('usp_waitlist_accept', accept, other)
      expect([status, code]).toEqual([200, 'hold_not_found'])
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

    test('[HLD-041] a hold of another slot or service is not booked, and stays', async () => {
      const { day, slots, slot, one, hold, statusOf } = await scene('svc_cut')
      const { id } = await hold()
      const [, , elsewhere] = await desk.slots('svc_other', day)
      for (const wrong of [slots[1], slots[2], elsewhere]) {
        const { status, code, data } = await desk.book(wrong, { hold_id: id }, one)
        expect([status, code]).toEqual([200, 'validation_error'])
        expect(data).not.toHaveProperty('booking')
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
    ])('[HLD-043] of %i places that were held %i are booked, and the others are free', async (spots, party_size) => {
      const { slot, places, one, hold, statusOf } = await scene('svc_class')
      const { id } = await hold(spots)
      const { booking } = (await desk.book(slot, { hold_id: id, party_size }, one)).data
      expect(booking.party_size).toBe(party_size)
      expect(await places()).toEqual({ total: 8, remaining: 8 - party_size, held: 0 })
      expect(await statusOf(id)).toBe('converted')
    })

    test('[HLD-044] more than were held are booked where there is room', async () => {
      const { slot, places, one, other, hold } = await scene('svc_class')
      const { id } = await hold(3)
      await desk.book(slot, { party_size: 2 }, other)
      const { booking } = (await desk.book(slot, { hold_id: id, party_size: 6 }, one)).data
      expect(booking.party_size).toBe(6)
      expect(await places()).toBeUndefined()
    })

    test('[HLD-044] and where there is none the hold stays', async () => {
      const { slot, places, one, other, hold, statusOf } = await scene('svc_class')
      const { id } = await hold(3)
      await desk.book(slot, { party_size: 4 }, other)
      for (const party_size of [5, 8]) {
        const { status, code } = await desk.book(slot, { hold_id: id, party_size }, one)
        expect([status, code]).toEqual([200, 'capacity_exceeded'])
      }
      expect(await places()).toEqual({ total: 8, remaining: 1, held: 3 })
      expect(await statusOf(id)).toBe('released')
    })

    test('[HLD-043] [HLD-044] a party of another size has another table, if it is free', async () => {
      const { slot, one, other, hold, statusOf } = await scene('svc_table')
      const small = await hold(2)
      expect((await desk.book(slot, { hold_id: small.id, party_size: 4 }, one)).data.booking.resources[0].id).toBe(
        'table_4',
      )
      const again = await hold(1)
      expect((await desk.book(slot, { hold_id: again.id, party_size: 3 }, one)).code).toBe('capacity_exceeded')
      expect((await desk.hold(slot, {}, other)).code).toBe('slot_unavailable')
      expect(await statusOf(again.id)).toBe('released')
    })
  },
)
