import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { syncSessions } from '../../src/domain/definition/sync-class-sessions.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { inStudio, studio, tuesday, walkIn } from './studio.ts'

const DAY = '2026-11-24'
const at = (time: string) => `${DAY}T${time}:00-05:00`
const without = (id: string) => studio.services.filter((one) => one.id !== id)
const withResource = (id: string, more: object) =>
  (studio.resources ?? []).map((one) => (one.id === id ? { ...one, ...more } : one))
const withService = (id: string, more: object) =>
  studio.services.map((one) => (one.id === id ? { ...one, ...more } : one))

type Case = [what: string, change: Partial<BusinessDefinition>, service: string, reasons: string[]]
const cases: Case[] = [
  ['a service that is gone', { services: without('svc_counter') }, 'svc_counter', ['no_service']],
  ['a day on which it is closed', { closures: [{ from: DAY, to: DAY }] }, 'svc_cut', ['closed']],
  [
    'a person who has a day off',
    { resources: withResource('staff_ann', { time_off: [{ from: DAY, to: DAY }] }) },
    'svc_cut',
    ['away'],
  ],
  [
    'a day on which it opens late',
    { special_hours: [{ from: DAY, opens: '10:30', closes: '18:00' }] },
    'svc_cut',
    ['closed'],
  ],
  [
    'a person who comes late on one day',
    { resources: withResource('staff_ann', { special_hours: [{ from: DAY, opens: '10:30', closes: '18:00' }] }) },
    'svc_cut',
    ['away'],
  ],
  [
    'a person who does it no more',
    { services: withService('svc_cut', { resources: [{ type: 'staff', selectable: true, options: ['staff_ben'] }] }) },
    'svc_cut',
    ['no_resource'],
  ],
  [
    'a class that begins at another hour',
    {
      services: withService('svc_class', {
        sessions: [{ days: ['tuesday'], starts: '15:00', resources: ['staff_cat', 'room_big'] }],
      }),
    },
    'svc_class',
    ['no_class'],
  ],
]

await inStudio((desk, staff, shop) => {
  const apply = async (change: Partial<BusinessDefinition>, more: object = {}) => {
    const said = await staff('definition_apply', { definition: stringify({ ...studio, ...change }), ...more })
    // Else the one before is trusted for a moment.
    await shop.runtime.business.seenBy(shop.runtime.db)
    return said
  }
  const book = async (service_id: string, time = '10:00') => {
    const who = service_id === 'svc_cut' ? { resource_ids: ['staff_ann'] } : {}
    if (service_id !== 'svc_class')
      return (await staff('bookings_create', { service_id, start: tuesday(time), buyer: walkIn, ...who })).data.booking
    const slot = (await desk.slots('svc_class')).find(({ start }) => start === at('16:00'))
    return (await desk.book(slot)).data.booking
  }

  test.each(cases)(
    '[stranded] %s is told of with the bookings that it strands',
    async (_, change, service, reasons) => {
      const booking = await book(service)
      const told = { total: 1, bookings: [expect.objectContaining({ id: booking.id, service_id: service, reasons })] }
      const { data } = await apply(change, { dry_run: true })
      expect(data.stranded).toEqual(told)
      expect(JSON.stringify(data.stranded)).not.toContain(walkIn.last_name)
      expect((await apply(change)).data.stranded).toEqual(told)
      // What is so already is not told again, and what is as before strands nobody.
      expect((await apply({ ...change, website: { welcome: 'Come in.' } })).data.stranded.total).toBe(0)
      expect((await apply({})).data.stranded).toEqual({ total: 0, bookings: [] })
      await staff('bookings_cancel', { booking_id: booking.id })
    },
  )

  test('[stranded] what the staff set outside hours is not stranded by another change, and what is canceled never is', async () => {
    const start = at('05:00')
    const wish = { service_id: 'svc_cut', resource_ids: ['staff_ann'], start, buyer: walkIn, override: ['hours'] }
    const { booking } = (await staff('bookings_create', wish)).data
    expect((await apply({ website: { welcome: 'Come in.' } })).data.stranded.total).toBe(0)
    await staff('bookings_cancel', { booking_id: booking.id })
    expect((await apply({ services: without('svc_cut') }, { dry_run: true })).data.stranded.total).toBe(0)
    await apply({})
    expect(parse((await staff('definition_get')).data.definition).services).toHaveLength(studio.services.length)
  })

  test('[stranded] a booking waits until it is moved, canceled or kept, and waits again when it is moved back', async () => {
    const [cut, counter] = [await book('svc_cut'), await book('svc_counter')]
    // A class that somebody canceled their part in is closed on that day, too.
    expect((await apply({ closures: [{ from: DAY, to: DAY }] })).data.stranded.total).toBe(2)
    const waiting = async () => {
      const { total, stranded } = (await staff('stranded_list')).data
      expect(stranded).toHaveLength(total)
      return stranded.map(({ booking }: { booking: { id: string } }) => booking.id).toSorted()
    }
    expect(await waiting()).toEqual([cut.id, counter.id].toSorted())
    const move = (start: string) =>
      staff('bookings_reschedule', { booking_id: cut.id, resource_ids: ['staff_ann'], start, override: ['hours'] })
    await move('2026-11-25T10:00:00-05:00')
    expect(await waiting()).toEqual([counter.id])
    await move(at('10:00'))
    expect(await waiting()).toHaveLength(2)
    expect((await staff('bookings_keep', { booking_id: counter.id })).data.booking.id).toBe(counter.id)
    expect((await staff('bookings_keep', { booking_id: counter.id })).code).toBe('invalid_transition')
    expect(await waiting()).toEqual([cut.id])
    await staff('bookings_cancel', { booking_id: cut.id })
    expect(await waiting()).toEqual([])
    await apply({})
    await staff('bookings_cancel', { booking_id: counter.id })
  })

  /** As when the rules of the zone changed: a class and its booking are where they were, an hour off the clocks of the business. */
  async function shiftClass({ id }: { id: string }) {
    const { db } = shop.runtime
    const { session_id: session } = await db
      .selectFrom('bookings')
      .select('session_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const hour = sql`interval '1 hour'`
    const earlier = sql`starts_at = starts_at - ${hour}, ends_at = ends_at - ${hour}`
    await sql`update sessions set ${earlier} where id = ${session}`.execute(db)
    await sql`update bookings set ${earlier} where session_id = ${session}`.execute(db)
    await sql`update claims set during = tstzrange(lower(during) - ${hour}, upper(during) - ${hour})
      where holder_id = ${session}`.execute(db)
    return session
  }
  const bookClassOn = async (day: string) => {
    const wish = { service_id: 'svc_class', start: `${day}T16:00:00-05:00`, buyer: walkIn }
    return (await staff('bookings_create', wish)).data.booking
  }
  const statusOf = async (session: string | null) =>
    (await staff('sessions_get', { session_id: session })).data.session.status
  const waiting = async () => (await staff('stranded_list')).data.stranded
  const inbox = async () => (await staff('inbox')).data.inbox.stranded

  test.each([
    ['moves it to the class that is held instead', 'bookings_reschedule', '2026-11-25'],
    ['cancels it', 'bookings_cancel', '2026-11-26'],
    ['keeps it', 'bookings_keep', '2026-11-27'],
  ])(
    "[a zone's rules change] the booking of a class that was closed waits in the inbox until somebody %s",
    async (_, what, day) => {
      const start = `${day}T16:00:00-05:00`
      const booking = await bookClassOn(day)
      const session = await shiftClass(booking)
      await syncSessions(shop.runtime, shop.time.now)
      expect(await statusOf(session)).toBe('closed')
      expect(await waiting()).toMatchObject([{ booking: { id: booking.id }, reasons: ['no_class'] }])
      expect(await inbox()).toBe(1)
      const closing = await sql`
        select from changes where action = 'close' and subject = ${`session ${session}`}`.execute(shop.runtime.db)
      expect(closing.rows).toHaveLength(1)
      expect((await desk.slots('svc_class')).map((slot) => slot.start)).toContain(start)
      const { data } = await staff(what, { booking_id: booking.id, ...(what === 'bookings_reschedule' && { start }) })
      expect(data.booking.id).toBe(booking.id)
      // Neither the next run nor another definition notes it again.
      await syncSessions(shop.runtime, shop.time.now)
      await apply({ website: { welcome: what } })
      expect([await waiting(), await inbox()]).toEqual([[], 0])
      expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
      if (what !== 'bookings_cancel') await staff('bookings_cancel', { booking_id: booking.id })
      await staff('sessions_cancel', { session_id: session })
      await apply({})
    },
  )

  test("[a zone's rules change] a class that is held at its time again is open again, and its bookings wait no more", async () => {
    const booking = await bookClassOn('2026-11-28')
    const session = await shiftClass(booking)
    await syncSessions(shop.runtime, shop.time.now)
    expect(await inbox()).toBe(1)
    await apply({
      services: withService('svc_class', {
        sessions: [{ days: ['saturday'], starts: '15:00', resources: ['staff_cat', 'room_big'] }],
      }),
    })
    expect([await statusOf(session), await inbox()]).toEqual(['open', 0])
    await staff('bookings_cancel', { booking_id: booking.id })
    await apply({})
  })

  test('[stranded] another time zone of the business closes its booked classes, and their bookings wait in the inbox', async () => {
    const booking = await bookClassOn('2026-11-29')
    const { data } = await apply({ business: { ...studio.business, timezone: 'America/Chicago' } })
    expect(data.stranded).toMatchObject({ total: 1, bookings: [{ id: booking.id, reasons: ['no_class'] }] })
    expect(await waiting()).toMatchObject([{ booking: { id: booking.id } }])
    await apply({})
    expect(await waiting()).toEqual([])
    await staff('bookings_cancel', { booking_id: booking.id })
  })
})
