import { beforeEach, describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { refreshHints } from '../../src/domain/availability/hints/refresh-availability-hints.ts'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { deskSalon } from '../interfaces/desk/receptionist.ts'
import { service } from '../support/definitions.ts'
import { buyer, type Slot } from '../support/desk.ts'
import { calendarOf } from './calendar-text.ts'
import { connectedShop, hour, salon } from './connected-shop.ts'
import { calendarProvider } from './provider.ts'

const DAY = '2026-11-24'
const YOGA = 'svc_yoga'
const everyDay = salon.hours?.[0]?.days ?? []
const classAt = (id: string, starts: string, waitlist: boolean) =>
  service(id, {
    type: 'group',
    capacity: { max: 2, waitlist },
    sessions: [{ days: everyDay, starts, resources: ['staff_ann'] }],
  })
const studio = {
  ...salon,
  services: [...salon.services, classAt(YOGA, '10:00', true), classAt('svc_unqueued', '12:00', false)],
}

const open = await Promise.all([connectedShop(studio), connectedShop(studio)])

describe.each([
  ['REST', open[0], open[0].rest],
  ['MCP', open[1], open[1].mcp],
] as const)(
  '[a class whose teacher is busy elsewhere] over %s',
  (_, { shop, busy, connect, readLater, clear, provider }, desk) => {
    const call = (tool: string, input: object = {}) =>
      desk.call(`usp_business_${tool}`, { ...input }, { as: shop.staff })
    const { db } = shop.runtime
    beforeEach(clear)
    const onDay = { start_date: DAY, end_date: DAY }
    const offered = async () => (await desk.slots(YOGA, onDay)).map(({ state }: Slot) => state)
    /** The class, even if it is not offered. */
    const theClass = async () => {
      const { data } = await call('sessions_list', { service_id: YOGA, start_date: DAY, end_date: DAY })
      return data.sessions[0]
    }
    const slotOfClass = async () => (await desk.slots(YOGA, onDay))[0]
    const listed = async () => (await call('stranded_list')).data.stranded
    const waiting = async () => (await call('inbox')).data.inbox.stranded
    const dentist = hour('dentist', DAY, 10)
    const span = { resource_id: 'staff_ann', start: `${DAY}T10:00:00-05:00`, end: `${DAY}T11:00:00-05:00` }
    const endsSound = async () => expect((await verify(db, shop.time.now)).findings.listed).toEqual([])

    test('without bookings it counts as full, and is no question for the staff', async () => {
      const slot = await slotOfClass()
      expect(slot.state).toBe('available')
      const { published } = await busy(desk, dentist)
      expect(await offered()).toEqual(['waitlist'])
      for (const answer of [await desk.book(slot), await desk.hold(slot)]) {
        expect(answer.code).toBe('slot_unavailable')
        expect(JSON.stringify(answer.data)).not.toMatch(/calendar|busy/i)
      }
      expect([await listed(), await waiting()]).toEqual([[], 0])
      expect((await call('sessions_get', { session_id: (await theClass()).id })).data.busy).toEqual([span])
      await endsSound()
      published.text = calendarOf()
      await readLater()
      expect(await offered()).toEqual(['available'])
      expect((await desk.book(slot)).code).toBeUndefined()
      await endsSound()
    })

    test('without a waitlist it is not offered, and buyers are told that it is full', async () => {
      expect(await desk.slots('svc_unqueued', onDay)).toHaveLength(1)
      await busy(desk, hour('dentist', DAY, 12))
      expect(await desk.slots('svc_unqueued', onDay)).toEqual([])
      const wish = { service_id: 'svc_unqueued', start_date: `${DAY}T12:00:00-05:00` }
      const { reasons } = (await desk.call('usp_availability_explain', wish)).data
      expect(reasons.map(({ code }: { code: string }) => code)).toEqual(['fully_booked'])
      expect(JSON.stringify(reasons)).not.toMatch(/calendar|busy/i)
    })

    test('with bookings it stays, and the staff are asked about each of them until they keep the class', async () => {
      const slot = await slotOfClass()
      const first = (await desk.book(slot)).data.booking
      shop.minutesLater(1)
      await busy(desk, dentist)
      const { id: session_id } = await theClass()
      expect(await listed()).toEqual([
        {
          booking: expect.objectContaining({ id: first.id, status: 'confirmed' }),
          session_id,
          reasons: [],
          busy: [span],
        },
      ])
      expect(await waiting()).toBe(1)
      expect((await call('bookings_get', { booking_id: first.id })).data.details.busy).toEqual([span])
      expect((await theClass()).status).toBe('open')
      expect((await desk.book(slot)).code).toBe('slot_unavailable')
      expect((await call('bookings_keep', { booking_id: first.id })).data.booking.id).toBe(first.id)
      expect([await listed(), await waiting()]).toEqual([[], 0])
      expect((await call('sessions_get', { session_id })).data.busy).toBeUndefined()
      const second = (await desk.book(slot)).data.booking
      expect(second.status).toBe('confirmed')
      expect(await listed()).toEqual([])
      expect((await call('bookings_keep', { booking_id: second.id })).code).toBe('invalid_transition')
      await endsSound()
    })

    test('one decision is for all its bookings, and holds until the event moves', async () => {
      const slot = await slotOfClass()
      const ids: string[] = []
      for (const _ of ['first', 'second']) ids.push((await desk.book(slot)).data.booking.id)
      const { published } = await busy(desk, dentist)
      const asked = async () =>
        (await listed()).map(({ booking }: { booking: { id: string } }) => booking.id).toSorted()
      expect(await asked()).toEqual(ids.toSorted())
      await call('bookings_keep', { booking_id: ids[1] ?? '' })
      expect(await asked()).toEqual([])
      published.text = calendarOf(...dentist, ...hour('far', DAY, 15))
      await readLater()
      expect(await asked()).toEqual([])
      published.text = published.text.replace('T100000', 'T093000')
      await readLater()
      expect(await asked()).toEqual(ids.toSorted())
      await endsSound()
    })

    test('the question ends when the class is canceled, and when the calendar is disconnected', async () => {
      const slot = await slotOfClass()
      await desk.book(slot)
      const { source } = await busy(desk, dentist)
      expect(await waiting()).toBe(1)
      await call('connected_calendars_disconnect', { source_id: source.id })
      expect([await waiting(), await offered()]).toEqual([0, ['available']])
      await connect(desk, provider.publish(calendarOf(...dentist)))
      await readLater(0)
      expect(await waiting()).toBe(1)
      await desk.cancel((await listed())[0].booking.id)
      expect([await waiting(), await offered()]).toEqual([0, ['waitlist']])
      await endsSound()
    })

    test('a hold that exists already becomes a booking, and a booking may change within the class', async () => {
      const slot = await slotOfClass()
      const { hold } = (await desk.hold(slot)).data
      await busy(desk, dentist)
      const { booking } = (await desk.book(slot, { hold_id: hold.id })).data
      expect(booking.status).toBe('confirmed')
      expect(await waiting()).toBe(1)
      const larger = await call('bookings_correct', { booking_id: booking.id, party_size: 2 })
      expect([larger.code, larger.data.booking?.party_size]).toEqual([undefined, 2])
      await endsSound()
    })

    test('the staff learn that another calendar is in the way of a class, and a buyer does not', async () => {
      const slot = await slotOfClass()
      await busy(desk, dentist)
      const wish = { service_id: YOGA, start: span.start, buyer }
      const refused = await call('bookings_create', wish)
      expect(refused.code).toBe('slot_unavailable')
      expect(refused.data.messages).toEqual([
        expect.objectContaining({
          content: expect.stringContaining(`Busy in another calendar: staff_ann (${span.start} to ${span.end})`),
          taken_by: [{ kind: 'busy', ...span }],
        }),
      ])
      const elsewhere = (await desk.slots(YOGA)).at(-1)
      const { booking } = (await desk.book(elsewhere)).data
      expect((await desk.reschedule(booking.id, slot)).code).toBe('slot_unavailable')
      expect((await call('bookings_reschedule', { booking_id: booking.id, start: span.start })).data.messages).toEqual([
        expect.objectContaining({ taken_by: [{ kind: 'busy', ...span }] }),
      ])
      await desk.cancel(booking.id)
    })

    test('a class that the business adds while its teacher is busy counts as full at once', async () => {
      const { published } = await busy(desk, hour('dentist', DAY, 14))
      await shop.apply({ ...studio, services: [...studio.services, classAt('svc_pilates', '14:00', true)] })
      const listedNow = async () =>
        (await desk.call('usp_availability_query', { service_id: 'svc_pilates', ...onDay })).data.slots ?? []
      const states = async () => (await listedNow()).map(({ state }: Slot) => state)
      await expect.poll(states).not.toEqual([])
      expect(await states()).toEqual(['waitlist'])
      await endsSound()
      published.text = calendarOf()
      await readLater()
      expect(await states()).toEqual(['available'])
    })

    test('`usp verify` finds a class whose conflict is not stored', async () => {
      const { source } = await busy(desk, dentist)
      const { id } = await theClass()
      await endsSound()
      await db.deleteFrom('calendar_conflicts').execute()
      expect((await verify(db, shop.time.now)).findings.listed).toEqual([
        `class ${id} overlaps a busy time of calendar ${source.id}, and the staff cannot see that.`,
      ])
    })

    test('hints follow, also when the staff keep the class', async () => {
      const hint = async () => {
        await refreshHints(shop.runtime, shop.time.now)
        const row = db.selectFrom('services').select('body').where('id', '=', YOGA)
        const {
          generated_at: _,
          valid_until: __,
          ...rest
        } = Object((await row.executeTakeFirstOrThrow()).body).availability_hint
        return JSON.stringify(rest)
      }
      const { booking } = (await desk.book(await slotOfClass())).data
      const before = await hint()
      await busy(desk, dentist)
      expect(await hint()).not.toBe(before)
      await call('bookings_keep', { booking_id: booking.id })
      expect(await hint()).toBe(before)
    })

    const joinWaitlist = async () => {
      const input = { service_id: YOGA, slot_id: (await slotOfClass()).id, buyer }
      const { entry } = (await desk.call('usp_waitlist_join', input)).data
      expect(entry.status).toBe('waiting')
      return entry
    }

    test('the seats of a class that is free again go to those who wait first', async () => {
      const { published } = await busy(desk, dentist)
      const entry = await joinWaitlist()
      const statusOf = async () => (await desk.call('usp_waitlist_get', { entry_id: entry.id })).data.entry.status
      published.text = calendarOf(...hour('dentist', DAY, 15))
      await readLater()
      expect(await statusOf()).toBe('offered')
      await desk.call('usp_waitlist_leave', { entry_id: entry.id })
      await endsSound()
    })

    test('the seats of a class that the staff keep go to those who wait first', async () => {
      const { booking } = (await desk.book(await slotOfClass())).data
      await busy(desk, dentist)
      const entry = await joinWaitlist()
      await call('bookings_keep', { booking_id: booking.id })
      const { data } = await desk.call('usp_waitlist_get', { entry_id: entry.id })
      expect(data.entry.status).toBe('offered')
      await desk.call('usp_waitlist_leave', { entry_id: entry.id })
      await endsSound()
    })
  },
)

test('[a class whose teacher is busy elsewhere] the inbox asks once for the whole class, and its page says who is busy', async () => {
  const [{ shop, platform, signedIn }, provider] = [await deskSalon({}, studio), await calendarProvider()]
  const [slot] = await platform.slots(YOGA, { start_date: DAY, end_date: DAY })
  for (const _ of ['first', 'second']) await platform.book(slot)
  const { address } = provider.publish(calendarOf(...hour('dentist', DAY, 10)))
  const source = { resource_id: 'staff_ann', address }
  await platform.call('usp_business_connected_calendars_connect', source, { as: shop.staff })
  await readDueCalendars(shop.runtime)
  const day = { service_id: YOGA, start_date: DAY, end_date: DAY }
  const { data } = await platform.call('usp_business_sessions_list', day, { as: shop.staff })
  const page = `/desk/classes/${data.sessions[0].id}`
  const jo = await signedIn('manager')
  const open = async (url: string) => String((await jo.open(url)).body)
  const inbox = await open('/desk/inbox')
  expect(inbox.split(`href="${page}"><strong>Service svc_yoga</strong>`)).toHaveLength(2)
  expect(inbox.match(/name="keep"/g)).toHaveLength(1)
  expect(inbox).toContain('<h2>Bookings that overlap another calendar (1)</h2>')
  expect(inbox).toMatch(/Busy in another calendar: Ann \(Tue, Nov 24, 10:00/)
  expect(await open(page)).toMatch(/class="note wrong">Busy in another calendar: Ann \(Tue, Nov 24, 10:00/)
  const [, keep = ''] = /name="keep" value="([^"]+)"/.exec(inbox) ?? []
  expect((await jo.send('/desk/inbox', { keep })).headers.location).toBe('/desk/inbox')
  for (const url of ['/desk/inbox', page]) expect(await open(url)).not.toContain('Busy in another calendar')
})
