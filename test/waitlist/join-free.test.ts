import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { expectProblem, onBothDesks, restDesk } from '../support/desk.ts'
import { CLASS, classOfOne, lineOf, openShop, person } from './queue.ts'

const CHAIR = 'svc_chair'
const definition = businessWith(
  [
    classOfOne,
    service(CHAIR, { capacity: { max: 1, waitlist: true }, resources: [{ type: 'staff', options: ['ann'] }] }),
  ],
  {
    hours: [{ days: ['tuesday', 'wednesday'], opens: '10:00', closes: '11:00' }],
    resources: [{ id: 'ann', type: 'staff', name: 'Ann' }],
  },
)
const [MONDAY, TUESDAY, WEDNESDAY] = ['2026-11-23', '2026-11-24', '2026-11-25']

await onBothDesks(
  () => openShop(definition),
  (desk, shop) => {
    const { wait, join, fill, entry, leave, list, accept } = lineOf(desk)
    const codes = ({ data }: { data: { messages?: { code: string }[] } }) =>
      (data.messages ?? []).map(({ code }) => code)
    async function clear(bookings: { id: string }[] = []) {
      for (const status of ['waiting', 'offered'])
        for (const { id } of (await list({ status })).data.entries) await leave(id)
      for (const { id } of bookings) await desk.cancel(id)
    }

    test.each([CLASS, CHAIR])('[joining a slot that is free] of %s, it is offered at once', async (service_id) => {
      const [slot] = await desk.slots(service_id)
      const said = await join('Ann', { service_id, slot_id: slot.id })
      expect(said.data.entry).toMatchObject({ status: 'offered', position: 1, offered_slot: { slot_id: slot.id } })
      expect(said.data.messages).toMatchObject([{ type: 'info', code: 'slot_available' }])
      expect((await desk.book(slot, {}, { as: shop.other })).code).toBe('slot_unavailable')
      expect((await join('Bob', { service_id, slot_id: slot.id })).data.entry.status).toBe('waiting')
      const { booking } = (await accept(said.data.entry.id)).data
      expect(booking.slot.id).toBe(slot.id)
      await clear([booking])
    })

    test('[joining a slot that is free] whoever waits before them has it first', async () => {
      const bookings = await fill()
      const ann = await wait('Ann', { preferred_slots: [{ start_date: TUESDAY }] })
      await desk.cancel(bookings[0].id)
      const slot_id = bookings[0].slot.id
      expect((await wait('Bob', { slot_id })).status).toBe('waiting')
      await leave(ann.id)
      await clear(bookings)
      const cid = await wait('Cid')
      const dan = await join('Dan', { slot_id })
      expect([dan.data.entry.status, codes(dan)]).toEqual(['waiting', []])
      expect(await entry(cid.id)).toMatchObject({ status: 'offered', offered_slot: { slot_id } })
      await clear()
    })

    test('[joining a slot that is free] who waits for any time is told of the first that is free', async () => {
      const [, free] = await desk.slots(CLASS)
      const said = await join('Ann', { preferred_slots: [{ start_date: WEDNESDAY }] })
      expect(said.data.entry.status).toBe('waiting')
      expect(said.data.messages).toEqual([
        { type: 'info', code: 'slots_available', content: expect.stringContaining(free.start) },
      ])
      const bookings = await fill()
      expect(codes(await join('Bob', { preferred_slots: [{ start_date: TUESDAY, end_date: TUESDAY }] }))).toEqual([])
      await clear(bookings)
    })

    test.each([
      ['reversed', { start_date: WEDNESDAY, end_date: TUESDAY }],
      ['past', { end_date: '2026-11-19' }],
      ['past by the part of the day', { end_date: '2026-11-20', time_of_day: 'morning' }],
    ])('[windows in the past or reversed] one that is %s is refused', async (_, window) => {
      const now = shop.time.now
      shop.time.now = new Date('2026-11-20T17:00:00Z')
      const said = await join('Ann', { preferred_slots: [{ start_date: MONDAY }, window] })
      shop.time.now = now
      expectProblem(said, 'validation_error', 'preferred_slots.1.end_date')
      expect((await list({ status: 'waiting' })).data.entries).toEqual([])
    })

    test('[windows in the past or reversed] are refused beside a slot as well', async () => {
      const [slot] = await desk.slots(CLASS)
      const preferred_slots = [{ start_date: WEDNESDAY, end_date: TUESDAY }]
      const said = await join('Ann', { slot_id: slot.id, preferred_slots })
      expectProblem(said, 'validation_error', 'preferred_slots.0.end_date')
    })

    test('[windows in the past or reversed] nobody joins for a slot that begins too soon, or that there is not', async () => {
      const [slot] = await desk.slots(CLASS)
      const now = shop.time.now
      shop.time.now = new Date(slot.start)
      const late = await join('Ann', { slot_id: slot.id })
      shop.time.now = now
      expect([late.code, late.data.messages[0].path]).toEqual(['booking_window_violated', '$.slot_id'])
      expect((await join('Ann', { slot_id: `${slot.id}x` })).code).toBe('slot_unavailable')
    })

    test('[one entry a buyer and slot] whoever joins again for just the same gets the entry there is', async () => {
      const bookings = await fill()
      const wishes = [
        { slot_id: bookings[0].slot.id },
        {},
        { preferred_slots: [{ start_date: TUESDAY, time_of_day: 'morning' }] },
        { preferred_slots: [{ start_date: WEDNESDAY, time_of_day: 'morning' }] },
      ]
      const ids = []
      for (const wish of wishes) ids.push((await wait('Ann', wish)).id)
      expect(new Set(ids).size).toBe(wishes.length)
      for (const [index, wish] of wishes.entries()) {
        const again = await join('Ann', { ...wish, buyer: { ...person('Ann'), email: 'ANN@example.com' } })
        expect([again.status, again.data.entry.id, codes(again)]).toEqual([200, ids[index], ['already_waiting']])
        expect(again.data.entry).toEqual(await entry(ids[index] ?? ''))
        expect(again.data.booking_scoped_credential).toBeUndefined()
      }
      const theirs = (await join('Ann', {}, { as: shop.other })).data.entry
      expect(theirs.position).toBe(wishes.length + 1)
      expect((await wait('Bob')).position).toBe(wishes.length + 2)
      await leave(ids[1] ?? '')
      expect((await wait('Ann')).id).not.toBe(ids[1])
      await leave(theirs.id, {}, { as: shop.other })
      await clear(bookings)
    })

    test('[one entry a buyer and slot] whatever times stand beside the slot, and no times are none', async () => {
      const bookings = await fill()
      const slot_id = bookings[0].slot.id
      const forSlot = await wait('Ann', { slot_id })
      const forAny = await wait('Ann')
      const again = async (wish: object) => (await wait('Ann', { ...wish })).id
      expect(await again({ slot_id, preferred_slots: [{ start_date: TUESDAY }] })).toBe(forSlot.id)
      expect(await again({ preferred_slots: [] })).toBe(forAny.id)
      await clear(bookings)
    })

    test('[one entry a buyer and slot] thirty who join at once for the same are one', async () => {
      const bookings = await fill()
      const joined = async (): Promise<string> => {
        const { code, data } = await join('Ann')
        return code === 'service_unavailable' ? joined() : data.entry.id
      }
      expect(new Set(await Promise.all(Array.from({ length: 30 }, joined))).size).toBe(1)
      await clear(bookings)
    })

    test('[a party that waits] is told that the entry is for one', async () => {
      const said = await join('Ann', { party_size: 3 })
      expect(said.data.messages).toContainEqual(
        expect.objectContaining({ type: 'warning', code: 'field_ignored', path: '$.party_size' }),
      )
      expect(codes(await join('Bob', { party_size: 1 }))).not.toContain('field_ignored')
      await clear()
    })
  },
)

test('[who joins waits for what others give back before keeping anything they may need]', async () => {
  const shop = await openShop({
    ...definition,
    services: definition.services.map((one) =>
      one.id === CHAIR ? { ...one, resources: [{ type: 'staff', options: ['ann', 'ben'] }] } : one,
    ),
    resources: ['ann', 'ben'].map((id) => ({ id, type: 'staff', name: id })),
  })
  const desk = restDesk(shop)
  const { db } = shop.runtime
  const join = (name: string, slot_id: string) =>
    desk.call('usp_waitlist_join', { service_id: CHAIR, slot_id, buyer: person(name) })
  const [slot] = await desk.slots(CHAIR)
  expect((await join('First', slot.id)).data.entry.status).toBe('offered')
  // That offer lapses, and whoever joins next gives it back.
  shop.minutesLater(31)
  const joined = await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock_shared(hashtextextended('joining the waitlist', 0))`.execute(tx)
    await sql`select lock_resources(array['ben'])`.execute(tx)
    const joining = join('Second', slot.id)
    await setTimeout(700)
    await sql`select lock_resources(array['ann'])`.execute(tx)
    return { joining }
  })
  expect((await joined.joining).data.entry.status).toBe('offered')
})
