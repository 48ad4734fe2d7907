import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { calendarOf } from '../busy-times/calendar-text.ts'
import { salon } from '../busy-times/connected-shop.ts'
import { service } from '../support/definitions.ts'
import { START } from '../support/server.ts'
import { DAY, kinds, movedTo, writingShop } from './writing-shop.ts'

const salonWithYoga = {
  ...salon,
  services: [
    ...salon.services,
    service('svc_yoga', {
      name: 'Yoga',
      type: 'group',
      capacity: { max: 3 },
      sessions: [{ days: salon.hours?.[0]?.days ?? [], starts: '16:00', resources: ['staff_ann'] }],
    }),
  ],
}

describe.each(kinds)('[bookings in a CalDAV calendar] at $name', (kind) => {
  describe.skipIf(kind.python === undefined)(`(needs Python with ${kind.name.toLowerCase()})`, async () => {
    const on = kind.python ? await writingShop(kind, { definition: salonWithYoga }) : undefined
    if (!on) return test('is not installed', () => {})
    const { shop, server, desk, connect, bookAt, write, writeLater, written, stranded, booking } = on
    const { db } = shop.runtime
    let nth = 0
    let [work, home] = ['', '']
    beforeEach(async () => {
      server.intercept = undefined
      await on.clear()
      await sql`delete from mails`.execute(db)
      shop.time.now = START
      nth++
      ;[work, home] = [`work${nth}`, `home${nth}`]
      for (const name of [work, home]) await server.makeCalendar(name)
    })

    test('a booking is one event with the service only, and with the name of the customer if the owner wants it', async () => {
      const earlier = await bookAt(9)
      const source = await connect(work)
      await write()
      await bookAt(11)
      await write()
      const events = await written(work)
      expect(events.map(({ hours, summary }) => [hours, summary])).toEqual([
        ['24 09-10', 'Service svc_cut'],
        ['24 11-12', 'Service svc_cut'],
      ])
      const [first] = events
      expect(first?.text).toContain(`X-USP-BOOKING:${earlier.id}`)
      expect(first?.text).toMatch(new RegExp(`UID:${earlier.id}\\.[0-9a-f]{16}`))
      expect(first?.text).not.toMatch(/Alice|Williams|alice@|LOCATION|DESCRIPTION|ATTENDEE/)
      expect((await on.listed(source.id)).writes).toMatchObject({ calendar: work, names: false, waiting: 0 })

      const again = await connect(work, { names: true })
      expect(again.id).toBe(source.id)
      await write()
      expect((await written(work)).map(({ summary }) => summary)).toEqual([
        'Service svc_cut: Alice Williams',
        'Service svc_cut: Alice Williams',
      ])
    })

    test('[cal.diy 3027] an edit never makes a second event: moved, given to another person, canceled', async () => {
      await connect(work)
      await connect(home, { resource_id: 'staff_ben' })
      const { id } = await bookAt(9)
      await write()
      const [{ path } = { path: '' }] = await written(work)
      await desk('bookings_reschedule', { booking_id: id, start: `${DAY}T13:00:00-05:00` })
      await write()
      expect((await written(work)).map((one) => [one.path, one.hours])).toEqual([[path, '24 13-14']])
      await desk('bookings_reschedule', {
        booking_id: id,
        start: `${DAY}T13:00:00-05:00`,
        resource_ids: ['staff_ben'],
      })
      await write()
      expect(await written(work)).toEqual([])
      expect((await written(home)).map(({ hours }) => hours)).toEqual(['24 13-14'])
      await desk('bookings_cancel', { booking_id: id })
      await write()
      expect(await written(home)).toEqual([])
      expect(await on.waiting()).toBe(0)
    })

    test('[Easy!Appointments 1388] [calcurse 232] what comes back blocks nothing: from the account, or from its ICS address of another person', async () => {
      await connect(work)
      const { id } = await bookAt(9)
      await write()
      await readDueCalendars(shop.runtime)
      expect(await on.busy()).toEqual([])
      const [event] = await written(work)
      const text = event?.text ?? ''
      const copy = text.replace(/^UID:.*$/m, 'UID:a-copy@elsewhere')
      const published = on.provider.publish(text)
      await desk('connected_calendars_connect', { resource_id: 'staff_ben', address: published.address })
      await readDueCalendars(shop.runtime)
      expect(await on.busy()).toEqual([])
      published.text = copy
      await on.read()
      expect(await on.busy()).toEqual([])
      published.text = calendarOf(
        ...['BEGIN:VEVENT', 'UID:other', `DTSTART:20261124T150000Z`, 'DURATION:PT1H', 'END:VEVENT'],
      )
      await on.read()
      expect(await on.busy()).toEqual(['11-24 10'])
      expect((await booking(id)).details).not.toHaveProperty('busy')
    })

    test('a move there moves the booking, mails the buyer, and ends: no further call changes anything', async () => {
      await connect(work)
      const { id } = await bookAt(9)
      await write()
      await sql`delete from mails`.execute(db)
      const [event] = await written(work)
      await server.edit(event?.path ?? '', movedTo(event?.text ?? '', 14))
      await writeLater()
      const after = await booking(id)
      expect(after.booking.slot.start).toBe(`${DAY}T14:00:00-05:00`)
      expect(after.changes.at(-1)).toMatchObject({ action: 'reschedule', actor: 'staff:calendar' })
      const mails = await db.selectFrom('mails').select(['kind', 'recipient']).execute()
      expect(mails).toEqual([{ kind: 'booking.moved_by_business', recipient: 'alice@example.com' }])
      expect((await written(work)).map(({ hours }) => hours)).toEqual(['24 14-15'])
      expect(await stranded()).toEqual([])
      server.calls.length = 0
      await writeLater()
      await writeLater()
      expect(server.calls.filter((call) => /^(PUT|DELETE)/.test(call))).toEqual([])
    })

    test('a change of texts there stays', async () => {
      await connect(work)
      await bookAt(9)
      await write()
      const [event] = await written(work)
      await server.edit(event?.path ?? '', (event?.text ?? '').replace(/^SUMMARY:.*$/m, 'SUMMARY:Bring the scissors'))
      await writeLater()
      expect((await written(work)).map(({ summary }) => summary)).toEqual(['Bring the scissors'])
      expect(await stranded()).toEqual([])
    })

    test.each([
      ['outside the hours', 18, {}],
      ['to the time of another booking', 11, {}],
      ['to another length', 13, { to: 16 }],
    ])('a move there %s is put back, and the inbox says why', async (_, from, { to = from + 1 }: { to?: number }) => {
      const source = await connect(work)
      const { id } = await bookAt(9)
      await bookAt(11)
      await write()
      const [event] = await written(work)
      await server.edit(event?.path ?? '', movedTo(event?.text ?? '', from, to))
      await writeLater()
      expect((await written(work)).map(({ hours }) => hours)).toEqual(['24 09-10', '24 11-12'])
      expect((await booking(id)).booking.slot.start).toBe(`${DAY}T09:00:00-05:00`)
      const [listed] = await stranded()
      const tried = `${DAY}T${from}:00:00-05:00`
      expect(listed).toMatchObject({
        booking: { id },
        reasons: [],
        events: [{ resource_id: 'staff_ann', calendar: work, change: 'put_back', tried, code: expect.any(String) }],
      })
      expect((await booking(id)).details.events).toHaveLength(1)
      expect((await desk('inbox', {})).data.inbox).toMatchObject({ stranded: 1 })
      expect((await desk('bookings_keep', { booking_id: id })).status).toBe(200)
      expect(await stranded()).toEqual([])
      expect((await desk('bookings_keep', { booking_id: id })).code).toBe('invalid_transition')
      await writeLater()
      expect((await on.listed(source.id)).writes).toMatchObject({ waiting: 0 })
    })

    test('an event that is made to repeat there is put back', async () => {
      await connect(work)
      const { id } = await bookAt(9)
      await write()
      const [event] = await written(work)
      await server.edit(
        event?.path ?? '',
        (event?.text ?? '').replace(/^END:VEVENT/m, 'RRULE:FREQ=DAILY;COUNT=3\r\nEND:VEVENT'),
      )
      await writeLater()
      const [after] = await written(work)
      expect(after?.text).not.toContain('RRULE')
      expect(await stranded()).toMatchObject([{ booking: { id }, events: [{ change: 'put_back' }] }])
    })

    test('a booking that moves here and there at once has the time of here', async () => {
      await connect(work)
      const { id } = await bookAt(9)
      await write()
      const [event] = await written(work)
      await server.edit(event?.path ?? '', movedTo(event?.text ?? '', 14))
      await desk('bookings_reschedule', { booking_id: id, start: `${DAY}T12:00:00-05:00` })
      await write()
      expect((await booking(id)).booking.slot.start).toBe(`${DAY}T12:00:00-05:00`)
      expect((await written(work)).map(({ hours }) => hours)).toEqual(['24 12-13'])
    })

    test.each(['deleted', 'marked as canceled'])(
      'an event that is %s there is a question, and keeping the booking writes it again',
      async (how) => {
        await connect(work)
        const { id } = await bookAt(9)
        await write()
        const remove = async () => {
          const [event] = await written(work)
          if (how === 'deleted') await server.erase(event?.path ?? '')
          else await server.edit(event?.path ?? '', (event?.text ?? '').replace('STATUS:CONFIRMED', 'STATUS:CANCELLED'))
        }
        await remove()
        await writeLater()
        await writeLater()
        expect((await booking(id)).booking.status).toBe('confirmed')
        expect(await stranded()).toMatchObject([
          { booking: { id }, events: [{ resource_id: 'staff_ann', calendar: work, change: 'deleted' }] },
        ])
        expect((await written(work)).filter(({ text }) => text.includes('STATUS:CONFIRMED'))).toEqual([])
        expect((await desk('bookings_keep', { booking_id: id })).status).toBe(200)
        await write()
        const again = await written(work)
        expect(again.map(({ hours }) => hours)).toEqual(['24 09-10'])
        expect(again[0]?.text).toContain('STATUS:CONFIRMED')
        expect(await stranded()).toEqual([])

        await remove()
        await writeLater()
        expect(await stranded()).toHaveLength(1)
        await desk('bookings_cancel', { booking_id: id })
        await write()
        expect(await stranded()).toEqual([])
        expect(await written(work)).toEqual([])
        expect(await on.waiting()).toBe(0)
      },
    )

    test('a deleted event is written again if the booking moves here, and the question ends', async () => {
      await connect(work)
      const { id } = await bookAt(9)
      await write()
      await server.erase((await written(work))[0]?.path ?? '')
      await writeLater()
      expect(await stranded()).toHaveLength(1)
      await desk('bookings_reschedule', { booking_id: id, start: `${DAY}T12:00:00-05:00` })
      await write()
      expect((await written(work)).map(({ hours }) => hours)).toEqual(['24 12-13'])
      expect(await stranded()).toEqual([])
    })

    test('[OutlookGoogleCalendarSync 2022] an answer that is cut off, lacks events, or fails infers nothing', async () => {
      const source = await connect(work)
      for (const hour of [9, 11]) await bookAt(hour)
      await write()
      await server.put(work, 'other', ...['BEGIN:VEVENT', 'UID:other', 'DTSTART:20261201T150000Z', 'END:VEVENT'])
      const answers: [number, string][] = [
        [207, '<d:multistatus xmlns:d="DAV:"><d:response><d:href>/x</d:href>'],
        [207, '<d:multistatus xmlns:d="DAV:"/>'],
        [200, '<html><body>Please sign in</body></html>'],
        [503, ''],
        [404, ''],
      ]
      for (const [status, text] of answers) {
        server.intercept = (_, body, response) => {
          if (!body.includes('multiget')) return false
          response.writeHead(status, { 'content-type': 'application/xml' }).end(text)
          return true
        }
        await writeLater(60)
        expect((await on.listed(source.id)).writes).toMatchObject({ problem: expect.any(String) })
        expect(await stranded()).toEqual([])
      }
      server.intercept = (_, __, response) => response.writeHead(404).end() !== undefined
      await writeLater(60)
      expect(await stranded()).toEqual([])
      server.intercept = undefined
      await writeLater(60)
      const { writes } = await on.listed(source.id)
      expect(writes).not.toHaveProperty('problem')
      expect(await stranded()).toEqual([])
      expect(await written(work)).toHaveLength(3)
    })

    test('a calendar that is gone, or may not be written, is reported, and all is written once it works', async () => {
      const source = await connect('nowhere')
      await bookAt(9)
      await write()
      expect((await on.listed(source.id)).writes).toMatchObject({ problem: 'no_calendar', waiting: 1 })
      await connect(work)
      server.intercept = ({ method }, _, response) => method === 'PUT' && response.writeHead(403).end() !== undefined
      await write()
      expect((await on.listed(source.id)).writes).toMatchObject({ problem: 'not_writable', waiting: 1 })
      server.intercept = undefined
      await write()
      expect(await written(work)).toEqual([])
      await writeLater(1)
      expect(await written(work)).toHaveLength(1)
      expect((await on.listed(source.id)).writes).not.toHaveProperty('problem')
    })

    test('[cal.diy 2786] [cal.diy 479] a server that hangs delays neither a booking nor another calendar', async () => {
      await connect(work)
      await connect(home, { resource_id: 'staff_ben' })
      await write()
      const hanging: { end(): unknown }[] = []
      server.intercept = ({ url, method }, _, response) => {
        if (method !== 'PUT' || !url?.includes(work)) return false
        hanging.push({ end: () => response.writeHead(503).end() })
        return true
      }
      await bookAt(9)
      const writing = write()
      await expect.poll(() => hanging.length).toBe(1)
      await bookAt(11, 'staff_ben')
      const other = write()
      await expect.poll(async () => (await written(home)).length).toBe(1)
      for (const one of hanging) one.end()
      await Promise.all([writing, other])
    })

    test.each<[string, string, Record<string, unknown>]>([
      ['is canceled', 'bookings_cancel', {}],
      ['gets another person', 'bookings_reschedule', { start: `${DAY}T09:00:00-05:00`, resource_ids: ['staff_ben'] }],
    ])('an event whose answer was lost is deleted if its booking %s before the next attempt', async (_, tool, more) => {
      await connect(work)
      const { id } = await bookAt(9)
      server.intercept = ({ method, url = '' }, body, response) => {
        if (method !== 'PUT') return false
        void server.edit(url, body).then(() => response.destroy())
        return true
      }
      await write()
      server.intercept = undefined
      expect(await written(work)).toHaveLength(1)
      expect((await desk(tool, { booking_id: id, ...more })).code).toBeUndefined()
      await writeLater()
      expect(await written(work)).toEqual([])
      expect(await on.waiting()).toBe(0)
    })

    test('what was done but not stored is done once: the event is taken over', async () => {
      await connect(work)
      const { id } = await bookAt(9)
      await write()
      for (const forget of [
        sql`delete from written_events`,
        sql`update written_events set etag = '"old"', digest = ''`,
        sql`update written_events set etag = null, digest = ''`,
      ]) {
        await forget.execute(db)
        await sql`insert into calendar_writes (writer_id, subject) select id, ${id} from calendar_writers`.execute(db)
        await write()
        expect(await written(work)).toHaveLength(1)
        expect(await on.waiting()).toBe(0)
      }
      await server.erase((await written(work))[0]?.path ?? '')
      await desk('bookings_cancel', { booking_id: id })
      await write()
      expect(await on.waiting()).toBe(0)
      expect(await db.selectFrom('written_events').selectAll().execute()).toEqual([])
    })

    test('past bookings are left alone', async () => {
      await connect(work)
      const { id } = await bookAt(9)
      await write()
      const [event] = await written(work)
      shop.time.now = new Date(`${DAY}T20:00:00-05:00`)
      await server.edit(event?.path ?? '', movedTo(event?.text ?? '', 14))
      await writeLater()
      await desk('bookings_complete', { booking_id: id })
      await write()
      expect((await written(work)).map(({ hours }) => hours)).toEqual(['24 14-15'])
      await server.erase(event?.path ?? '')
      await writeLater()
      expect(await written(work)).toEqual([])
      expect(await stranded()).toEqual([])
    })

    test('a class is one event for all its bookings, and is always written again', async () => {
      await connect(work, { names: true })
      const [slot] = await on.rest.slots('svc_yoga', { start_date: DAY, end_date: DAY })
      const [first, second] = [await on.rest.book(slot), await on.rest.book(slot)].map(({ data }) => data.booking.id)
      await write()
      const shown = async () => (await written(work)).map(({ hours, summary }) => [hours, summary])
      expect(await shown()).toEqual([['24 16-17', 'Yoga']])
      const [event] = await written(work)
      await server.edit(event?.path ?? '', movedTo(event?.text ?? '', 14))
      await writeLater()
      expect(await shown()).toEqual([['24 16-17', 'Yoga']])
      expect((await stranded()).map(({ booking: { id } }: { booking: { id: string } }) => id).toSorted()).toEqual(
        [first, second].toSorted(),
      )
      expect((await desk('bookings_keep', { booking_id: first })).status).toBe(200)
      expect(await stranded()).toEqual([])
      await server.erase(event?.path ?? '')
      await writeLater()
      expect(await shown()).toEqual([['24 16-17', 'Yoga']])
      expect(await stranded()).toEqual([])
      await desk('bookings_cancel', { booking_id: first })
      await write()
      expect(await shown()).toEqual([['24 16-17', 'Yoga']])
      await desk('bookings_cancel', { booking_id: second })
      await write()
      expect(await shown()).toEqual([])
    })

    test('another calendar: the events move there. No calendar: the coming events go', async () => {
      const source = await connect(work)
      await bookAt(9)
      await write()
      await connect(home)
      await write()
      expect(await written(work)).toEqual([])
      expect(await written(home)).toHaveLength(1)
      await connect(undefined)
      await write()
      expect(await written(home)).toEqual([])
      expect(await on.listed(source.id)).not.toHaveProperty('writes')
      expect(await db.selectFrom('calendar_writers').selectAll().execute()).toEqual([])
    })

    test('disconnected: the events stay, and connecting again takes them over', async () => {
      const source = await connect(work)
      const { id } = await bookAt(9)
      await write()
      await desk('connected_calendars_disconnect', { source_id: source.id })
      await desk('bookings_reschedule', { booking_id: id, start: `${DAY}T12:00:00-05:00` })
      await write()
      expect((await written(work)).map(({ hours }) => hours)).toEqual(['24 09-10'])
      expect(await on.waiting()).toBe(0)
      await connect(work)
      await write()
      expect((await written(work)).map(({ hours }) => hours)).toEqual(['24 12-13'])
    })

    test('a person who leaves the business leaves the events, and nothing is kept here', async () => {
      await connect(work, { resource_id: 'staff_ben' })
      await bookAt(9, 'staff_ben')
      await write()
      const definition = await shop.runtime.business.get()
      if (!definition) throw new Error('no definition')
      const without = JSON.parse(JSON.stringify(definition).replaceAll(',"staff_ben"', ''))
      without.resources = without.resources.filter(({ id }: { id: string }) => id !== 'staff_ben')
      await shop.apply(without)
      for (const table of ['calendar_writers', 'calendar_writes', 'written_events'] as const)
        expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
      expect(await written(work)).toHaveLength(1)
      await shop.apply(definition)
    })

    test('an erased buyer leaves the events, also those of past bookings', async () => {
      await connect(work, { names: true })
      await bookAt(9)
      await bookAt(10, 'staff_ann', '2026-11-25')
      await write()
      expect((await written(work)).every(({ summary }) => summary.includes('Alice'))).toBe(true)
      shop.time.now = new Date(`${DAY}T20:00:00-05:00`)
      await desk('buyers_erase', { email: 'alice@example.com' }, await shop.staffAs('owner'))
      await write()
      expect((await written(work)).map(({ summary }) => summary)).toEqual(['Service svc_cut', 'Service svc_cut'])
      expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
    })
  })
})
