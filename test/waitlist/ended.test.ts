import { expect, test } from 'vitest'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { toldShop } from '../events/told-shop.ts'
import { type Ask, expectProblem, onBothDesks, restDesk, testShop } from '../support/desk.ts'
import { business, CLASS, classOfOne, lineOf, openShop } from './queue.ts'

const definition = { ...business, services: [{ ...classOfOne, waitlist: { limit: 3 } }] }
/** Days of the first class and the second. */
const [TUESDAY, WEDNESDAY] = ['2026-11-24', '2026-11-25']

await onBothDesks(
  () => toldShop(definition),
  (desk, shop) => {
    const { wait, join, fill, entry, leave, list, accept, decline } = lineOf(desk)
    const staff = (what: string, entry_id: string, ask: Ask = {}) =>
      desk.call(`usp_business_waitlist_${what}`, { entry_id }, { as: shop.staff, ...ask })
    const told = async () => (await shop.told()).map(({ event, entry_id, data }) => [event, entry_id, data?.position])
    const expired = async () => (await told()).filter(([event]) => event === 'waitlist.expired').map(([, id]) => id)
    const began = shop.time.now
    async function clear(bookings: { id: string }[]) {
      shop.time.now = began
      for (const { id } of (await list({ status: 'waiting' })).data.entries) await leave(id)
      for (const { id } of (await list({ status: 'offered' })).data.entries) await leave(id)
      for (const { id } of bookings) await desk.cancel(id)
      await told()
    }

    test.each([
      ['its slot begins', (slot_id: string) => ({ slot_id }), `${TUESDAY}T15:00:00Z`],
      [
        'the last of its days is over',
        () => ({ preferred_slots: [{ end_date: '2026-11-22' }, { start_date: TUESDAY, end_date: TUESDAY }] }),
        `${WEDNESDAY}T05:00:00Z`,
      ],
      [
        'the last of its mornings is over',
        () => ({ preferred_slots: [{ end_date: TUESDAY, time_of_day: 'Morning' }] }),
        `${TUESDAY}T17:00:00Z`,
      ],
    ])('[end of an entry whose time has passed] when %s, at that moment and told once', async (_, wish, end) => {
      const bookings = await fill()
      const ann = await wait('Ann', wish(bookings[0].slot.id))
      const [bob, cid] = [await wait('Bob'), await wait('Cid')]
      shop.time.now = new Date(Date.parse(end) - 1)
      expect((await entry(ann.id)).status).toBe('waiting')
      expect((await join('Dan')).code).toBe('waitlist_full')

      shop.time.now = new Date(end)
      expect(await entry(ann.id)).toMatchObject({ status: 'expired', position: 1 })
      expect([(await entry(bob.id)).position, (await entry(cid.id)).position]).toEqual([1, 2])
      expect((await list({ status: 'waiting' })).data.entries.map(({ id }: { id: string }) => id)).toEqual([
        bob.id,
        cid.id,
      ])
      for (const act of [accept, decline]) expect((await act(ann.id)).data.entry).toBeUndefined()
      expect(await expired()).toEqual([])

      expect((await wait('Dan')).position).toBe(3)
      const said = await told()
      expect(said.filter(([event]) => event === 'waitlist.expired')).toEqual([['waitlist.expired', ann.id, 1]])
      expect(said.filter(([event]) => event === 'waitlist.position_changed').sort()).toEqual(
        [
          ['waitlist.position_changed', bob.id, 1],
          ['waitlist.position_changed', cid.id, 2],
        ].sort(),
      )
      await Promise.all([runWaitlist(shop.runtime), runWaitlist(shop.runtime), leave(bob.id)])
      expect(await expired()).toEqual([])
      expect((await entry(ann.id)).status).toBe('expired')
      await clear(bookings)
    })

    test('[end of an entry whose time has passed] many who notice at once tell it once', async () => {
      const bookings = await fill()
      const [ann, bob] = [await wait('Ann', { slot_id: bookings[0].slot.id }), await wait('Bob')]
      shop.time.now = new Date(bookings[0].slot.start)
      await Promise.all([
        ...Array.from({ length: 5 }, () => runWaitlist(shop.runtime)),
        ...Array.from({ length: 5 }, (_, nth) => join(`Guest${nth}`)),
        leave(bob.id),
      ])
      expect(await expired()).toEqual([ann.id])
      await clear(bookings)
    })

    test('[end of an entry whose time has passed] who waits for a class that is canceled is told at once and keeps the last position, the others wait on', async () => {
      const bookings = await fill()
      const { slot } = bookings[0]
      const [ann, bob, cid] = [
        await wait('Ann', { slot_id: slot.id }),
        await wait('Bob'),
        await wait('Cid', { slot_id: slot.id }),
      ]
      await told()
      const input = { start_date: TUESDAY, end_date: TUESDAY, service_id: CLASS }
      const [{ id }] = (await desk.call('usp_business_sessions_list', input, { as: shop.staff })).data.sessions
      await desk.call('usp_business_sessions_cancel', { session_id: id }, { as: shop.staff })
      const positions = [
        [ann.id, 'expired', 1],
        [bob.id, 'waiting', 1],
        [cid.id, 'expired', 3],
      ] as const
      for (const [entry_id, status, position] of positions) {
        expect(await entry(entry_id)).toMatchObject({ status, position })
        expect((await staff('get', entry_id)).data.entry).toMatchObject({ status, position })
      }
      expect((await told()).filter(([event]) => event.startsWith('waitlist.')).sort()).toEqual(
        [
          ['waitlist.expired', ann.id, 1],
          ['waitlist.position_changed', bob.id, 1],
          ['waitlist.expired', cid.id, 3],
        ].sort(),
      )
      expect((await join('Dan', { slot_id: slot.id })).code).toBe('slot_unavailable')
      await clear(bookings.slice(1))
    })

    test('[the staff take somebody out of the line] whose platform is told, and those behind move up', async () => {
      const bookings = await fill()
      const [ann, bob] = [await wait('Ann'), await wait('Bob')]
      const { data } = await staff('remove', ann.id)
      expect(data.entry).toMatchObject({ id: ann.id, status: 'removed', position: 1 })
      expect(await entry(ann.id)).toEqual(data.entry)
      expect((await staff('remove', ann.id)).data.entry).toEqual(data.entry)
      expect((await told()).sort()).toEqual(
        [
          ['waitlist.expired', ann.id, 1],
          ['waitlist.position_changed', bob.id, 1],
        ].sort(),
      )
      const { changes } = (await staff('get', ann.id)).data
      expect(changes.at(-1)).toMatchObject({
        actor: expect.stringMatching(/^staff:/),
        action: 'removed',
        to: 'removed',
      })
      expect((await staff('remove', bob.id, { ifMatch: 'stale' })).code).toBe('revision_mismatch')
      expect((await staff('remove', bob.id, { as: await shop.staffAs('viewer') })).code).toBe('authentication_required')
      expect((await staff('remove', bob.id, { as: shop.platform })).code).toBe('authentication_required')
      expectProblem(await staff('remove', 'wle_none'), 'entry_not_found')
      await clear(bookings)
    })

    test('[the staff take somebody out of the line] what was offered goes to the next, and who has booked stays booked', async () => {
      const bookings = await fill()
      const [ann, bob] = [await wait('Ann'), await wait('Bob')]
      await desk.cancel(bookings[1].id)
      await staff('remove', ann.id)
      expect((await entry(bob.id)).status).toBe('offered')
      const { booking } = (await accept(bob.id)).data
      expect((await staff('remove', bob.id)).code).toBe('invalid_transition')
      await clear([...bookings, booking])
    })

    test('[nothing of an entry grows without an end] of what somebody declined the last hundred are kept', async () => {
      const { db } = shop.runtime
      const bookings = await fill()
      const ann = await wait('Ann')
      const before = Array.from({ length: 100 }, (_, nth) => `slot ${nth}`)
      await db.updateTable('waitlist_entries').set({ declined: before }).where('id', '=', ann.id).execute()
      await desk.cancel(bookings[1].id)
      await decline(ann.id)
      const of = db.selectFrom('waitlist_entries').select('declined').where('id', '=', ann.id)
      expect((await of.executeTakeFirstOrThrow()).declined).toEqual([...before.slice(1), bookings[1].slot.id])
      await clear(bookings.toSpliced(1, 1))
    })

    test('[WTL-050] what the only one in line declines is on sale, and not offered to them again', async () => {
      const bookings = await fill()
      const ann = await wait('Ann')
      await desk.cancel(bookings[1].id)
      expect((await decline(ann.id)).data.entry.status).toBe('waiting')
      await runWaitlist(shop.runtime)
      expect((await entry(ann.id)).status).toBe('waiting')
      const { booking } = (await desk.book({ id: bookings[1].slot.id, service_id: CLASS })).data
      await clear([...bookings, booking])
    })
  },
)

test('[end of an entry whose time has passed] is known from when it joins, where all its times have one', async () => {
  const shop = await openShop()
  const { wait, fill } = lineOf(restDesk(shop))
  const [{ slot }] = await fill()
  await wait('Ann', { slot_id: slot.id })
  await wait('Bob', { preferred_slots: [{ end_date: TUESDAY }, { end_date: WEDNESDAY }] })
  await wait('Cid', { preferred_slots: [{ end_date: TUESDAY }, { start_date: WEDNESDAY }] })
  await wait('Dan')
  const { db } = shop.runtime
  const entries = await db.selectFrom('waitlist_entries').select('ends_at').orderBy('number').execute()
  expect(entries.map(({ ends_at }) => ends_at)).toEqual([
    new Date(slot.start),
    new Date('2026-11-26T05:00:00Z'),
    null,
    null,
  ])
})

test('[end of an entry whose time has passed] nobody is offered anything after that, by the clock alone', async () => {
  const shop = await testShop(business)
  const desk = restDesk(shop)
  const { fill, entry, join } = lineOf(desk)
  const bookings = await fill()
  const { data } = await join('Ann', { preferred_slots: [{ end_date: '2026-11-20' }] })
  shop.time.now = new Date('2026-11-21T12:00:00Z')
  await desk.cancel(bookings[2].id)
  expect((await entry(data.entry.id)).status).toBe('expired')
  expect((await desk.book({ id: bookings[2].slot.id, service_id: CLASS })).code).toBeUndefined()
})

test('[end of an entry whose time has passed] who is offered a place in a class that is canceled has it no more, in another class still', async () => {
  const shop = await openShop(definition)
  const desk = restDesk(shop)
  const { wait, fill, entry } = lineOf(desk)
  const [, second, third] = await fill()
  const [ann, bob] = [await wait('Ann', { slot_id: second.slot.id }), await wait('Bob', { slot_id: third.slot.id })]
  for (const { id } of [second, third]) await desk.cancel(id)
  const statuses = async () => [(await entry(ann.id)).status, (await entry(bob.id)).status]
  expect(await statuses()).toEqual(['offered', 'offered'])
  const day = { start_date: WEDNESDAY, end_date: WEDNESDAY, service_id: CLASS }
  const [{ id }] = (await desk.call('usp_business_sessions_list', day, { as: shop.staff })).data.sessions
  await desk.call('usp_business_sessions_cancel', { session_id: id }, { as: shop.staff })
  expect(await statuses()).toEqual(['expired', 'offered'])
})
