import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, onBothDesks, type Shop, testShop } from '../support/desk.ts'

const usual = service('svc_cut')
const cut = service('svc_cut', {
  resources: [{ type: 'staff', options: ['staff_ann'], selectable: true }],
  policies: {
    ...usual.policies,
    booking_window: { min_advance: 'PT2H', max_advance: 'P60D', slot_interval: 'PT60M' },
  },
})
const yoga = service('svc_yoga', {
  type: 'group',
  capacity: { max: 2 },
  sessions: [{ days: ['thursday'], starts: '18:00', until: '2026-12-03' }],
  policies: usual.policies,
})
const asked = service('svc_asked', {
  ...cut,
  id: 'svc_asked',
  policies: { ...cut.policies, confirmation_mode: 'manual' },
  resources: [{ type: 'staff', options: ['staff_ben'], selectable: true }],
})
const retired = service('svc_retired', { status: 'archived' })
const definition = businessWith([cut, yoga, asked, retired], {
  hours: [
    { days: ['tuesday', 'wednesday'], opens: '09:00', closes: '11:00' },
    { days: ['thursday'], opens: '17:00', closes: '20:00' },
  ],
  resources: [
    { id: 'staff_ann', type: 'staff', name: 'Ann' },
    { id: 'staff_ben', type: 'staff', name: 'Ben' },
  ],
})

const nobody = { as: {} }
const hintOf = async (desk: Desk, id = 'svc_cut') =>
  (await desk.call('usp_services_get', { service_id: id }, nobody)).data.service.availability_hint
const feedOf = async (desk: Desk) => (await desk.call('usp_services_feed', {}, nobody)).data
const movedSince = async (desk: Desk, cursor: string) =>
  (await desk.call('usp_services_feed', { cursor }, nobody)).data.items.map(
    ({ data }: { data: { id: string } }) => data.id,
  )

/** As the clock of the server goes on: housekeeping looks a minute later at the soonest. */
async function later(shop: Shop, minutes = 1) {
  shop.minutesLater(minutes)
  await runHousekeeping(shop.runtime)
}

async function fill(desk: Desk, serviceId: string, date: string) {
  const bookings = []
  for (;;) {
    const [slot] = await desk.slots(serviceId, { start_date: date, end_date: date })
    if (!slot) return bookings
    bookings.push((await desk.book(slot)).data.booking)
  }
}

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    test('[CAT-082] every service that can be booked has a hint wherever it is shown, and no other', async () => {
      await later(shop)
      const hint = await hintOf(desk)
      expect(hint).toEqual({
        summary: 'The next free time is on Tuesday, Nov 24. Usually free from Tuesday to Thursday.',
        generated_at: '2026-11-20T07:01:00-05:00',
        valid_until: '2026-11-22T07:01:00-05:00',
        next_available_date: '2026-11-24',
        slot_bitmaps: [expect.objectContaining({ duration: 'PT60M' })],
      })
      const ids = ['svc_cut', 'svc_yoga', 'svc_asked', 'svc_retired']
      const list = (await desk.call('usp_services_list', {}, nobody)).data.services
      const looked = (await desk.call('usp_services_lookup', { ids }, nobody)).data.services
      const fed = (await feedOf(desk)).items.map(({ data }: { data: object }) => data)
      for (const services of [list, looked, fed]) {
        const hints = new Map(
          services.map((one: { id: string; availability_hint?: object }) => [one.id, one.availability_hint]),
        )
        expect(hints.get('svc_cut')).toEqual(hint)
        expect(hints.get('svc_yoga')).toMatchObject({ next_available_date: '2026-11-26' })
        expect(hints.get('svc_retired')).toBeUndefined()
      }
    })

    test.each(['svc_cut', 'svc_yoga', 'svc_asked'])(
      '[CAT-083] the day that the hint of %s names is the first on which a query finds something to book',
      async (id) => {
        const { next_available_date: date } = await hintOf(desk, id)
        const slots = await desk.slots(id, { start_date: '2026-11-20', end_date: date })
        expect(new Set(slots.map(({ start }) => start.slice(0, 10)))).toEqual(new Set([date]))
        const { booking } = (await desk.book(slots[0])).data
        expect(booking).toMatchObject({ service_id: id, slot: { id: slots[0].id } })
        await desk.cancel(booking.id)
      },
    )

    test('[CAT-084] a hint is made anew before it is six hours old, and the same words do not move the service', async () => {
      const before = await hintOf(desk)
      const { pagination } = await feedOf(desk)
      await later(shop, 3 * 60)
      expect(await hintOf(desk)).toEqual(before)
      await later(shop, 2 * 60)
      const after = await hintOf(desk)
      expect(after).toEqual({
        ...before,
        generated_at: '2026-11-20T12:01:00-05:00',
        valid_until: '2026-11-22T12:01:00-05:00',
      })
      expect(await movedSince(desk, pagination.next_cursor)).toEqual([])
    })

    test('[CAT-085] when the day it names fills up it names another within a minute, and the day again when it frees', async () => {
      const { pagination } = await feedOf(desk)
      const bookings = await fill(desk, 'svc_cut', '2026-11-24')
      await later(shop)
      expect(await hintOf(desk)).toMatchObject({
        summary: expect.stringMatching(
          /^Fully booked until Tuesday, Nov 24\. The next free time is on Wednesday, Nov 25\./,
        ),
        next_available_date: '2026-11-25',
      })
      expect(await movedSince(desk, pagination.next_cursor)).toEqual(['svc_cut'])
      await desk.cancel(bookings[0].id)
      await later(shop)
      expect(await hintOf(desk)).toMatchObject({ next_available_date: '2026-11-24' })
      await desk.cancel(bookings[1].id)
    })

    test('[CAT-085] a hold that lapses frees the day, whether or not anybody notices', async () => {
      const held = []
      for (const slot of await desk.slots('svc_cut', { start_date: '2026-11-24', end_date: '2026-11-24' }))
        held.push((await desk.hold(slot)).code)
      expect(held).toEqual([undefined, undefined])
      await later(shop)
      expect(await hintOf(desk)).toMatchObject({ next_available_date: '2026-11-25' })
      await later(shop, 10)
      expect(await hintOf(desk)).toMatchObject({ next_available_date: '2026-11-24' })
    })

    test('[CAT-086] of classes that are full it is said so, and no day is named', async () => {
      await fill(desk, 'svc_yoga', '2026-11-26')
      await later(shop)
      expect(await hintOf(desk, 'svc_yoga')).toMatchObject({
        summary: expect.stringContaining('Fully booked until Thursday, Nov 26.'),
        next_available_date: '2026-12-03',
      })
      await fill(desk, 'svc_yoga', '2026-12-03')
      await later(shop)
      const { summary, next_available_date } = await hintOf(desk, 'svc_yoga')
      expect([summary, next_available_date]).toEqual(['Fully booked as far ahead as can be booked.', undefined])
    })

    test('[CAT-087] a wrong hint changes neither what is free nor what can be booked', async () => {
      const { db } = shop.runtime
      const before = await desk.slots('svc_asked')
      const { body } = await db
        .selectFrom('services')
        .select('body')
        .where('id', '=', 'svc_asked')
        .executeTakeFirstOrThrow()
      const availability_hint = {
        summary: 'Fully booked.',
        generated_at: shop.time.now.toISOString(),
        next_available_date: '2027-05-01',
      }
      await db
        .updateTable('services')
        .set({ body: JSON.stringify({ ...Object(body), availability_hint }) })
        .where('id', '=', 'svc_asked')
        .execute()
      expect(await hintOf(desk, 'svc_asked')).toEqual(availability_hint)
      expect(await desk.slots('svc_asked')).toEqual(before)
      expect((await desk.book(before[0])).data.booking).toMatchObject({ slot: { id: before[0].id } })
    })

    test('another definition keeps the hint until there is a better one, and who can no longer be booked has none', async () => {
      await later(shop)
      const before = await hintOf(desk)
      const renamed = { ...cut, name: 'Cut and dry' }
      await shop.apply({ ...definition, services: [renamed, yoga, asked, retired] })
      expect(await hintOf(desk)).toEqual(before)
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      await shop.apply({
        ...definition,
        services: [renamed, yoga, asked, retired],
        closures: [{ from: '2026-11-24', to: '2026-11-30' }],
      })
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      await later(shop)
      expect(await hintOf(desk)).toMatchObject({ next_available_date: '2026-12-01' })
      await shop.apply({ ...definition, services: [{ ...cut, status: 'suspended' }, yoga, asked, retired] })
      expect(await hintOf(desk)).toBeUndefined()
    })

    test('a new hint is no event', async () => {
      const events = await shop.runtime.db
        .selectFrom('events')
        .select('type')
        .where('subject', 'like', 'service %')
        .execute()
      expect(events).toEqual([])
    })
  },
)
