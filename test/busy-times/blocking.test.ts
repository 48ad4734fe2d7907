import { beforeEach, describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { refreshHints } from '../../src/domain/availability/hints/refresh-availability-hints.ts'
import { buyer, type Desk, type Slot } from '../support/desk.ts'
import { connectedShop, hour, salon } from './connected-shop.ts'

const DAY = '2026-11-24'

const startsOf = (slots: Slot[]) => slots.map(({ start }) => start.slice(11, 16))
const onDay = { start_date: DAY, end_date: DAY }
const ofAnn = { ...onDay, resource_id: 'staff_ann' }

const open = await Promise.all([connectedShop(), connectedShop()])

describe.each([
  ['REST', open[0], open[0].rest],
  ['MCP', open[1], open[1].mcp],
] as const)(
  '[busy elsewhere is busy here] over %s',
  (_, { shop, busy, provider, connect, readLater, listed, clear }, desk) => {
    const call = (tool: string, input: object = {}) =>
      desk.call(`usp_business_${tool}`, { ...input }, { as: shop.staff })
    beforeEach(clear)
    const disconnect = (id: string) => call('connected_calendars_disconnect', { source_id: id })

    test('an event takes the time of its person, and of nobody else', async () => {
      const before = startsOf(await desk.slots('svc_cut', ofAnn))
      const { source } = await busy(desk, hour('dentist', DAY, 11))
      const free = startsOf(await desk.slots('svc_cut', ofAnn))
      expect(before.filter((start) => !free.includes(start))).toEqual(['10:30', '11:00', '11:30'])
      expect(startsOf(await desk.slots('svc_cut', { ...onDay, resource_id: 'staff_ben' }))).toEqual(before)
      await disconnect(source.id)
      expect(startsOf(await desk.slots('svc_cut', ofAnn))).toEqual(before)
    })

    test('whichever way a booking comes in', async () => {
      const [slot] = (await desk.slots('svc_cut', ofAnn)).filter(({ start }: Slot) => start.includes('T11:00'))
      const other = (await desk.book((await desk.slots('svc_cut', ofAnn))[0])).data.booking
      const { source } = await busy(desk, hour('dentist', DAY, 11))
      expect((await desk.hold(slot)).code).toBe('slot_unavailable')
      expect((await desk.book(slot)).code).toBe('slot_unavailable')
      expect((await desk.reschedule(other.id, slot)).code).toBe('slot_unavailable')
      const start = `${DAY}T11:00:00-05:00`
      const atDesk = { service_id: 'svc_cut', start, resource_ids: ['staff_ann'], buyer }
      expect((await call('bookings_create', atDesk)).code).toBe('slot_unavailable')
      expect(
        (await call('bookings_reschedule', { booking_id: other.id, start, resource_ids: ['staff_ann'] })).code,
      ).toBe('slot_unavailable')
      const longer = await call('bookings_adjust', { booking_id: other.id, end: `${DAY}T11:30:00-05:00` })
      expect([longer.code, JSON.stringify(longer.data)]).toEqual([
        'slot_unavailable',
        expect.stringContaining('another calendar'),
      ])
      // A block and a class may be there: they offer nothing to anybody.
      const block = { resource_id: 'staff_ann', start, end: `${DAY}T12:00:00-05:00` }
      const { data } = await call('blocks_create', block)
      expect(data.block).toMatchObject({ resource_id: 'staff_ann' })
      await call('blocks_remove', { block_id: data.block.id })
      await disconnect(source.id)
      await desk.cancel(other.id)
    })

    test('a hold that exists already becomes a booking, and a booking that exists already stays', async () => {
      const at = async (time: string) =>
        (await desk.slots('svc_cut', ofAnn)).find(({ start }: Slot) => start.includes(`T${time}`))
      const slot = await at('13:00')
      const { hold } = (await desk.hold(slot)).data
      const kept = (await desk.book(await at('15:00'))).data.booking
      shop.minutesLater(1)
      const { source } = await busy(desk, hour('dentist', DAY, 13), hour('lunch', DAY, 15))
      const { booking } = (await desk.book(slot, { hold_id: hold.id })).data
      expect(booking).toMatchObject({ status: 'confirmed' })
      expect((await desk.get(kept.id)).data.booking.status).toBe('confirmed')
      // What has it already may change within it.
      const longer = await call('bookings_adjust', { booking_id: kept.id, end: `${DAY}T15:30:00-05:00` })
      expect(longer.code).toBeUndefined()
      await disconnect(source.id)
      for (const { id } of [booking, kept]) await desk.cancel(id)
      expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
    })

    test('events may overlap each other, and days of the desk show them as one', async () => {
      const { source } = await busy(desk, hour('one', DAY, 11), hour('two', DAY, 11), hour('three', DAY, 12))
      const start = `${DAY}T11:00:00-05:00`
      const span = { resource_id: 'staff_ann', start, end: `${DAY}T13:00:00-05:00` }
      expect((await call('day', { date: DAY })).data.busy).toEqual([span])
      expect((await call('resources_day', { resource_id: 'staff_ann', date: DAY })).data.busy).toEqual([span])
      expect((await call('resources_day', { resource_id: 'staff_ben', date: DAY })).data.busy).toEqual([])
      expect((await listed(desk, source.id)).busy_soon).toBe(3)
      await disconnect(source.id)
    })

    test('buyers do not learn that the reason is another calendar', async () => {
      const input = { service_id: 'svc_color', start_date: `${DAY}T11:00:00-05:00`, resource_id: 'staff_ann' }
      const explained = async () => JSON.stringify((await desk.call('usp_availability_explain', input)).data.reasons)
      const { booking } = (
        await desk.book((await desk.slots('svc_color', onDay)).find(({ start }) => /T11:00/.test(start)))
      ).data
      const booked = await explained()
      await desk.cancel(booking.id)
      await busy(desk, hour('dentist', DAY, 11))
      expect(await explained()).toBe(booked)
    })

    test('what becomes free goes to those who wait first', async () => {
      for (;;) {
        const [slot] = (await desk.slots('svc_color', onDay)).filter(({ start }: Slot) => !/T1[01]:/.test(start))
        if (!slot) break
        await desk.book(slot)
      }
      const { published } = await busy(desk, hour('dentist', DAY, 10, ['DURATION:PT2H']))
      const input = { service_id: 'svc_color', buyer, preferred_slots: [{ start_date: DAY, end_date: DAY }] }
      const { entry } = (await desk.call('usp_waitlist_join', input)).data
      expect(entry.status).toBe('waiting')
      published.text = published.text.replace('20261124T100000', '20261124T190000')
      await readLater()
      const { data } = await desk.call('usp_waitlist_get', { entry_id: entry.id })
      const offered_slot = { start: expect.stringContaining(`${DAY}T10:00`) }
      expect(data.entry).toMatchObject({ status: 'offered', offered_slot })
      await desk.call('usp_waitlist_leave', { entry_id: entry.id })
    })

    test('hints follow', async () => {
      const hint = async () => {
        await refreshHints(shop.runtime, shop.time.now)
        const row = await shop.runtime.db
          .selectFrom('services')
          .select(['body', 'hint_basis'])
          .where('id', '=', 'svc_color')
          .executeTakeFirstOrThrow()
        const { generated_at: _, valid_until: __, ...rest } = Object(row.body).availability_hint
        return JSON.stringify(rest)
      }
      const before = await hint()
      const { source } = await busy(desk, [
        'BEGIN:VEVENT',
        'UID:away',
        'DTSTART;VALUE=DATE:20261201',
        'DTEND;VALUE=DATE:20261215',
        'END:VEVENT',
      ])
      const away = await hint()
      expect(away).not.toBe(before)
      await disconnect(source.id)
      expect(await hint()).toBe(before)
    })

    test('a person who leaves takes their calendars along', async () => {
      const published = provider.publish('')
      await connect(desk, published, 'staff_ben')
      const others = { ...salon, resources: salon.resources?.filter(({ id }) => id !== 'staff_ben') ?? [] }
      const services = salon.services.map((one) => ({
        ...one,
        resources: [{ type: 'staff' as const, options: ['staff_ann'], selectable: true }],
      }))
      await shop.apply({ ...others, services })
      const { data } = await call('connected_calendars_list')
      expect(data.sources).toEqual([])
      expect(await shop.runtime.db.selectFrom('busy_times').selectAll().execute()).toEqual([])
      await shop.apply(salon)
    })
  },
)

const racing = await connectedShop()

test('[busy elsewhere is busy here] fifty buyers and a calendar at once: who books has booked before it arrived', async () => {
  const { shop, rest, provider, connect, readLater } = racing
  const day = '2026-11-26'
  const slots: Slot[] = await rest.slots('svc_cut', { start_date: day, end_date: day, resource_id: 'staff_ann' })
  const hours = Array.from({ length: 8 }, (_, nth) => hour(`e${nth}`, day, 9 + nth))
  const published = provider.publish(['BEGIN:VCALENDAR', ...hours.flat(), 'END:VCALENDAR'].join('\n'))
  await connect(rest, published)
  const book = (nth: number, desk: Desk = rest) => desk.book(slots[nth % slots.length])
  const reading = readLater(0)
  const answers = await Promise.all(Array.from({ length: 50 }, (_, nth) => book(nth)))
  await reading
  const later = await Promise.all(slots.map((slot) => rest.book(slot)))
  expect(later.map(({ code }) => code)).toEqual(later.map(() => 'slot_unavailable'))
  const booked = answers.filter(({ code }) => code === undefined)
  expect(answers.every(({ code }) => code === undefined || code === 'slot_unavailable')).toBe(true)
  const bookings = await shop.runtime.db.selectFrom('bookings').select('id').execute()
  expect(bookings).toHaveLength(booked.length)
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
})
