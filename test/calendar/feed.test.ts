import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { buyer, type Desk, onBothDesks, type Shop, testShop } from '../support/desk.ts'
import { linesOf, read } from './calendar-file.ts'

const salon = parse(readFileSync('examples/glamour-salon.yaml', 'utf8'))
const DAY = 24 * 60

const pathOf = (url: string) => new URL(url).pathname
const follow = (shop: Shop, url: string, headers = {}) => shop.raw({ method: 'GET', url: pathOf(url), headers })

async function newCalendar(desk: Desk, shop: Shop, more = {}) {
  const { data } = await desk.call('usp_business_calendars_create', more, { as: shop.staff })
  return data as { calendar: { id: string; resource_id?: string }; url: string }
}

async function eventsOf(shop: Shop, url: string) {
  const { status, headers, body } = await follow(shop, url)
  expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  return read(body).events
}

await onBothDesks(
  () => testShop(salon),
  (desk, shop) => {
    const withWhom = async (service: string, resource: string, more = {}) => {
      const [slot] = await desk.slots(service, { resource_id: resource })
      const { data } = await desk.book(slot, more)
      return data.booking
    }

    test('a calendar of the business names its people, and one of a resource shows what that one does', async () => {
      const alices = await withWhom('svc_haircut', 'staff_jane', { notes: 'Short, please' })
      const bobs = await withWhom('svc_haircut', 'staff_alex', { buyer: { ...buyer, first_name: 'Bob' } })
      const [all, janes] = [await newCalendar(desk, shop), await newCalendar(desk, shop, { resource_id: 'staff_jane' })]
      const summaries = async (url: string) =>
        Object.fromEntries((await eventsOf(shop, url)).map(({ uid, summary }) => [uid, summary]))
      expect(await summaries(all.url)).toMatchObject({
        [alices.id]: 'Women’s Haircut & Style: Alice Williams',
        [bobs.id]: 'Women’s Haircut & Style: Bob Williams',
      })
      const own = await summaries(janes.url)
      expect(own).toHaveProperty([alices.id])
      expect(own).not.toHaveProperty([bobs.id])
      const event = (await eventsOf(shop, janes.url)).find(({ uid }) => uid === alices.id)
      expect(event?.description).toContain('Short, please')
      expect(event?.location).toContain('Glamour Salon')
    })

    test('one that waits is tentative, and one that is canceled is gone', async () => {
      const { url } = await newCalendar(desk, shop)
      const [slot] = await desk.slots('svc_consult')
      const { booking } = (await desk.book(slot)).data
      const statusOf = async () => (await eventsOf(shop, url)).find(({ uid }) => uid === booking.id)?.status
      expect(await statusOf()).toBe('TENTATIVE')
      await desk.confirm(booking.id)
      expect(await statusOf()).toBe('CONFIRMED')
      await desk.cancel(booking.id)
      expect(await statusOf()).toBeUndefined()
    })

    test('a class is one event of its teacher, with everybody who comes', async () => {
      const { url } = await newCalendar(desk, shop, { resource_id: 'staff_priya' })
      const [slot] = await desk.slots('svc_yoga')
      const booked = await desk.book(slot, { party_size: 2 })
      await desk.pay(booked.data.booking)
      const other = await desk.book(slot, { buyer: { ...buyer, first_name: 'Bob' } })
      await desk.pay(other.data.booking)
      const starts = new Date(slot.start).toISOString().replace('.000', '')
      const held = (await eventsOf(shop, url)).filter(({ start }) => start === starts)
      expect(held.map(({ summary, description }) => [summary, String(description).split('\n').sort()])).toEqual([
        [expect.stringMatching(/ \(3 of 8\)$/), ['Alice Williams (2)', 'Bob Williams']],
      ])
    })

    test('the event of a class is as new as the latest change of its bookings', async () => {
      const { url } = await newCalendar(desk, shop, { resource_id: 'staff_priya' })
      const slot = (await desk.slots('svc_yoga')).at(-1)
      const { now } = shop.time
      for (const first_name of ['Zacharias', 'Yolanda']) {
        shop.minutesLater(5)
        await desk.book(slot, { buyer: { ...buyer, first_name } })
        const { event } =
          (await eventsOf(shop, url)).find(({ description }) => String(description).includes(first_name)) ?? {}
        const [stamp, modified] = ['dtstamp', 'last-modified'].map((name) => String(event?.getFirstPropertyValue(name)))
        expect([stamp, modified].map((one) => Date.parse(String(one)))).toEqual(Array(2).fill(shop.time.now.getTime()))
      }
      shop.time.now = now
    })

    test('[what is stored is bounded] of a name that goes on and on a calendar shows the beginning', async () => {
      const { url } = await newCalendar(desk, shop)
      const endless = { ...buyer, first_name: 'A'.repeat(1_000), last_name: 'B'.repeat(1_000) }
      const { id } = await withWhom('svc_haircut', 'staff_jane', { buyer: endless })
      const { summary } = (await eventsOf(shop, url)).find(({ uid }) => uid === id) ?? {}
      expect(summary).toMatch(/: A{200}…$/)
    })

    test('it tells its name, its colour, where it is from and when to look again, in RFC 7986 and the older way', async () => {
      const { url } = await newCalendar(desk, shop, { resource_id: 'staff_jane' })
      const lines = linesOf((await follow(shop, url)).body)
      expect(lines).toEqual(
        expect.arrayContaining([
          'NAME:Jane Smith\\, Glamour Salon',
          'X-WR-CALNAME:Jane Smith\\, Glamour Salon',
          'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
          `SOURCE;VALUE=URI:${url}`,
          expect.stringMatching(/^COLOR:[a-z]+$/),
        ]),
      )
    })

    test('who has the calendar already gets nothing until something changes', async () => {
      const { url } = await newCalendar(desk, shop)
      const { headers } = await follow(shop, url)
      expect(headers['cache-control']).toBe('private, no-cache')
      const known = { 'if-none-match': headers.etag ?? '' }
      const again = await follow(shop, url, known)
      expect([again.status, again.body]).toEqual([304, ''])
      await withWhom('svc_haircut', 'staff_jane')
      expect((await follow(shop, url, known)).status).toBe(200)
    })

    test('the past is kept for thirty days', async () => {
      const { url } = await newCalendar(desk, shop)
      const booking = await withWhom('svc_haircut', 'staff_jane')
      const { now } = shop.time
      const has = async () => (await eventsOf(shop, url)).some(({ uid }) => uid === booking.id)
      shop.time.now = new Date(booking.slot.end)
      shop.minutesLater(30 * DAY - 1)
      expect(await has()).toBe(true)
      shop.minutesLater(2)
      expect(await has()).toBe(false)
      shop.time.now = now
    })

    test('[ICS-010] no name adds a property or an event', async () => {
      const { url } = await newCalendar(desk, shop)
      const first_name = 'Eve\r\nEND:VEVENT\r\nBEGIN:VEVENT\nATTENDEE:mailto:x@example.com'
      const evil = await withWhom('svc_haircut', 'staff_jane', { buyer: { ...buyer, first_name }, notes: first_name })
      const events = await eventsOf(shop, url)
      expect(events.filter(({ summary }) => String(summary).includes('Eve')).map(({ uid }) => uid)).toEqual([evil.id])
      expect(events.flatMap(({ names }) => names)).not.toContain('attendee')
    })

    test('a revoked address answers as one that never was, and the list names what is left', async () => {
      const { calendar, url } = await newCalendar(desk, shop, { resource_id: 'staff_mei' })
      const listed = async () =>
        (await desk.call('usp_business_calendars_list', {}, { as: shop.staff })).data.calendars.map(
          ({ id }: { id: string }) => id,
        )
      expect(await listed()).toContain(calendar.id)
      const revoke = () => desk.call('usp_business_calendars_revoke', { calendar_id: calendar.id }, { as: shop.staff })
      expect((await revoke()).data.calendar).toEqual(calendar)
      const gone = await follow(shop, url)
      const never = await follow(shop, url.replace(/.{6}\.ics$/, 'xxxxxx.ics'))
      const plain = ({ instance: _, ...body }: { instance?: string }) => body
      expect([gone.status, plain(gone.body)]).toEqual([404, plain(never.body)])
      expect(await listed()).not.toContain(calendar.id)
      expect((await revoke()).code).toBe('not_found')
    })

    test('the address is told once, and neither the database nor the log has it', async () => {
      const { url, calendar } = await newCalendar(desk, shop)
      const token = pathOf(url).slice('/calendar/'.length, -'.ics'.length)
      await follow(shop, url)
      await follow(shop, url.replace('.ics', '.txt'))
      await shop.raw({ method: 'POST', url: pathOf(url) })
      expect(shop.logged.join('')).not.toContain(token)
      const list = await desk.call('usp_business_calendars_list', {}, { as: shop.staff })
      expect(list.data.calendars).toContainEqual(calendar)
      expect(JSON.stringify(list.data)).not.toContain(token)
      const kept = await shop.runtime.db.selectFrom('calendar_feeds').selectAll().execute()
      expect(kept.map((row) => JSON.stringify({ ...row, token_hash: String(row.token_hash) })).join()).not.toContain(
        token,
      )
    })

    test('when who made it leaves, the address ends', async () => {
      const { url } = await newCalendar(desk, shop)
      const { db } = shop.runtime
      const leaver = await shop.staffAs('staff')
      const { data } = await desk.call('usp_business_calendars_create', {}, { as: leaver })
      expect((await follow(shop, data.url)).status).toBe(200)
      const { staff_id } = await db
        .selectFrom('calendar_feeds')
        .select('staff_id')
        .where('id', '=', data.calendar.id)
        .executeTakeFirstOrThrow()
      await db.deleteFrom('staff').where('id', '=', staff_id).execute()
      expect((await follow(shop, data.url)).status).toBe(404)
      expect((await follow(shop, url)).status).toBe(200)
    })

    describe('is for the staff', () => {
      test.each(['usp_business_calendars_create', 'usp_business_calendars_list'])(
        'no platform calls %s',
        async (tool) => {
          expect((await desk.call(tool)).code).toBe('authentication_required')
        },
      )

      test('a viewer makes none', async () => {
        const as = await shop.staffAs('viewer')
        expect((await desk.call('usp_business_calendars_create', {}, { as })).code).toBe('authentication_required')
      })

      test('there is none of a resource that does not exist', async () => {
        const said = await desk.call('usp_business_calendars_create', { resource_id: 'staff_none' }, { as: shop.staff })
        expect([said.code, said.data.errors[0].field]).toEqual(['validation_error', 'resource_id'])
      })
    })

    test('so many requests of one address are answered in a minute, whatever they ask for', async () => {
      shop.minutesLater(1)
      await shop.apply({ ...salon, limits: { other: 2 } })
      const { db } = shop.runtime
      await db.deleteFrom('rate_limits').execute()
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      const guess = () => shop.raw({ method: 'GET', url: '/calendar/ics_guess.ics', remoteAddress: '192.0.2.7' })
      const statuses = [(await guess()).status, (await guess()).status, (await guess()).status]
      expect(statuses).toEqual([404, 404, 429])
      await shop.apply(salon)
    })
  },
)
