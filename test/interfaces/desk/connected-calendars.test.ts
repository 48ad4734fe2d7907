import { afterAll, describe, expect, test } from 'vitest'
import { unseal } from '../../../src/core/keys/encrypt-secrets.ts'
import { startCalendarReader } from '../../../src/domain/busy-times/source-worker.ts'
import { writeDueCalendars } from '../../../src/domain/calendar-writing/calendar-writer.ts'
import { caldavServer, kinds, PASSWORD, USER } from '../../busy-times/caldav-servers.ts'
import { calendarOf } from '../../busy-times/calendar-text.ts'
import { hour, salon } from '../../busy-times/connected-shop.ts'
import { calendarProvider } from '../../busy-times/provider.ts'
import { movedTo } from '../../calendar-writing/writing-shop.ts'
import { restDesk } from '../../support/desk.ts'
import { deskSalon } from './receptionist.ts'

const PATH = '/desk/calendars'
const DAY = '2026-11-24'

const [desk, provider] = [await deskSalon({}, salon), await calendarProvider()]
const { shop } = desk
const worker = startCalendarReader(shop.runtime)
afterAll(() => worker.close())

const textOf = (body: unknown) =>
  String(body)
    .replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('[calendars elsewhere] one form connects a calendar, and says how many busy times it has', async () => {
  const manager = await desk.signedIn('manager')
  expect(textOf((await manager.open(PATH)).body)).toContain('No calendar is connected yet.')
  const published = provider.publish(calendarOf(...hour('a', DAY, 11), ...hour('b', DAY, 13)))
  const answer = await manager.send(PATH, {
    do: 'connect',
    resource: 'staff_ann',
    address: published.address,
    name: '',
  })
  expect(answer.status).toBe(303)
  const page = String((await manager.open(PATH)).body)
  expect(textOf(page)).toMatch(/Ann · 127\.0\.0\.1:\d+ 2 busy times in the next 30 days Read .+, next read /)
  expect(page).not.toContain(new URL(published.address).pathname)
  const [, id = ''] = /<li id="(ccal_[\w-]+)"/.exec(page) ?? []

  // The day and the week show that Ann is busy, and a booking at that time says so.
  for (const view of [`/desk?date=${DAY}`, `/desk?view=week&date=${DAY}`, `/desk?view=week&date=${DAY}&with=staff_ann`])
    expect([view, textOf((await manager.open(view)).body)]).toEqual([
      view,
      expect.stringContaining('Busy in another calendar'),
    ])
  const clicked = new URLSearchParams({ service: 'svc_cut', date: DAY, with: 'staff_ann', at: '11:00' })
  const { body } = await manager.open(`/desk/book?${clicked}`)
  expect(textOf(body)).toMatch(/11:00\s?(AM)?.+12:00\s?PM · Busy in another calendar/)

  Object.assign(published, { status: 404 })
  expect((await manager.send(PATH, { do: 'refresh', source: id })).status).toBe(303)
  expect(textOf((await manager.open(PATH)).body)).toMatch(
    /Cannot be read since .+ The times from the last read stay blocked\. Next attempt .+ The provider no longer gives out/,
  )
  expect((await manager.send(PATH, { do: 'disconnect', source: id })).status).toBe(303)
  expect(textOf((await manager.open(PATH)).body)).toContain('No calendar is connected yet.')
  expect((await manager.send(PATH, { do: 'disconnect', source: id })).status).toBe(303)
})

test('[calendars elsewhere] a refused address is marked at its field, and what was written stays but the address', async () => {
  const manager = await desk.signedIn('manager')
  const form = { do: 'connect', resource: 'staff_ben', address: 'https://10.0.0.1/secret.ics', name: 'Private' }
  const { status, body } = await manager.send(PATH, form)
  expect(status).toBe(409)
  const page = String(body)
  expect(page).toContain('id="address-error"')
  expect(page).toMatch(/<option value="staff_ben" selected>/)
  expect(page).toContain('value="Private"')
  expect(page).not.toContain('secret.ics')
})

test('[calendars elsewhere] a calendar that was never read blocks no times, and its line says so', async () => {
  const manager = await desk.signedIn('manager')
  const published = provider.publish(calendarOf(...hour('a', DAY, 15)))
  Object.assign(published, { status: 404 })
  await manager.send(PATH, { do: 'connect', resource: 'staff_ann', address: published.address, name: 'Gone' })
  const text = textOf((await manager.open(PATH)).body)
  expect(text).toMatch(/Gone .*Cannot be read since .+ It blocks no times yet\. Next attempt /)
  expect(text).not.toMatch(/stay blocked|No busy time/)
  const [, id = ''] = /<li id="([^"]+)"><strong>[^<]+<.strong> · <bdi>Gone/.exec((await manager.open(PATH)).body) ?? []
  expect((await manager.send(PATH, { do: 'disconnect', source: id })).status).toBe(303)
})

test('[calendars elsewhere] an event that cannot be understood is counted', async () => {
  const manager = await desk.signedIn('manager')
  const faulty = ['BEGIN:VEVENT', 'UID:x', 'DTSTART:soon', 'END:VEVENT']
  const published = provider.publish(calendarOf(...faulty))
  await manager.send(PATH, { do: 'connect', resource: 'staff_ann', address: published.address })
  const text = textOf((await manager.open(PATH)).body)
  expect(text).toContain('No busy time in the next 30 days')
  expect(text).toContain('1 event could not be understood and does not block any time.')
})

test('[inbox] a booking that an event overlaps later can be moved, canceled or kept, and its page says so too', async () => {
  const [staff, viewer, platform] = [await desk.signedIn('staff'), await desk.signedIn('viewer'), restDesk(shop)]
  const ofBen = { start_date: DAY, end_date: DAY, resource_id: 'staff_ben' }
  const bookedAt = async (time: string) => {
    const slots = await platform.slots('svc_cut', ofBen)
    return (await platform.book(slots.find(({ start }) => start.includes(`T${time}`)))).data.booking
  }
  const [first, second] = [await bookedAt('11:00'), await bookedAt('13:00')]
  shop.minutesLater(1)
  const published = provider.publish(calendarOf(...hour('a', DAY, 11), ...hour('b', DAY, 13)))
  const manager = await desk.signedIn('manager')
  await manager.send(PATH, { do: 'connect', resource: 'staff_ben', address: published.address })

  const inbox = async (who = staff) => String((await who.open('/desk/inbox')).body)
  const page = await inbox()
  expect(textOf(page)).toMatch(
    /Bookings that overlap another calendar \(2\) .+ Busy in another calendar: Ben \(Tue, Nov 24, 11:00\s?(AM)? – 12:00\s?PM\)/,
  )
  expect(page).toContain(`name="keep" value="${first.id}"`)
  expect(page).toContain('>Keep both<')
  expect(page).toContain(`href="/desk/bookings/${first.id}/move"`)
  expect(page).toMatch(new RegExp(`href="/desk/bookings/${first.id}">Cancel booking<`))
  expect(await inbox(viewer)).toContain('Busy in another calendar: Ben')
  expect(await inbox(viewer)).not.toMatch(/name="keep"|\/move"|Cancel booking/)

  expect((await staff.send('/desk/inbox', { keep: first.id })).status).toBe(303)
  expect(textOf(await inbox())).toContain('Bookings that overlap another calendar (1)')

  const booking = `/desk/bookings/${second.id}`
  const shown = async (who = staff) => String((await who.open(booking)).body)
  expect(textOf(await shown())).toMatch(
    /Busy in another calendar: Ben \(Tue, Nov 24, 1:00\s?(PM)? – 2:00\s?PM\) Keep both/,
  )
  expect(textOf(await shown(viewer))).toContain('Busy in another calendar: Ben')
  expect(await shown(viewer)).not.toContain('value="keep"')
  expect((await viewer.send(booking, { do: 'keep' })).status).toBe(403)
  expect((await staff.send(booking, { do: 'keep' })).status).toBe(303)
  expect(await shown()).not.toContain('Busy in another calendar')
  expect((await staff.send(booking, { do: 'keep' })).status).toBe(409)
  expect(await inbox()).not.toContain('Busy in another calendar')
})

test('[calendars elsewhere] the same form connects an account with a password, and never shows the password', async () => {
  const manager = await desk.signedIn('manager')
  const page = String((await manager.open(PATH)).body)
  expect(page).toContain('<summary>CalDAV account (with a password)</summary>')
  expect(page).toMatch(/<input id="password" name="password" type="password"/)
  const account = { user: 'ann', password: 'secret word', calendars: 'Work, Home', write: 'Work', names: 'on' }
  const form = { do: 'connect', resource: 'staff_ben', ...account }
  const refused = String((await manager.send(PATH, { ...form, address: 'https://10.0.0.1/dav/' })).body)
  expect(refused).toMatch(/<details open><summary>CalDAV account/)
  expect(refused).toContain('name="user" maxlength="200" autocomplete="off" spellcheck="false" dir="ltr" value="ann"')
  expect(refused).toContain('value="Work, Home"')
  expect(refused).toMatch(/<input id="write"[^>]+ value="Work">/)
  expect(refused).toContain('<input type="checkbox" name="names" checked>')
  expect(refused).not.toContain('secret word')

  // The provider of this test has files only.
  const { status } = await manager.send(PATH, { ...form, address: `https://${provider.host}/dav/` })
  expect(status).toBe(303)
  const listed = textOf((await manager.open(PATH)).body)
  expect(listed).toMatch(/Ben · 127\.0\.0\.1:\d+ .+There is no calendar at this address, or none with a chosen name\./)
  const row = await shop.runtime.db
    .selectFrom('calendar_sources')
    .select('address')
    .where('kind', '=', 'caldav')
    .executeTakeFirst()
  expect(JSON.parse(unseal(shop.runtime.calendarKey, row?.address ?? Buffer.alloc(0)))).toEqual({
    address: `https://${provider.host}/dav/`,
    user: 'ann',
    password: 'secret word',
    calendars: ['Work', 'Home'],
  })
})

const caldav = kinds.find(({ python }) => python !== undefined)

describe.skipIf(!caldav)('[bookings in a calendar] (needs Python with a CalDAV server)', async () => {
  const server = caldav && (await caldavServer(caldav))
  if (!server) return

  test('the page shows the calendar, the inbox and the booking ask about a deleted event, and say why one was put back', async () => {
    const [manager, viewer, platform] = [await desk.signedIn('manager'), await desk.signedIn('viewer'), restDesk(shop)]
    await server.makeCalendar('Work')
    const account = { user: USER, password: PASSWORD, write: 'Work' }
    await manager.send(PATH, { do: 'connect', resource: 'staff_ann', address: server.address, ...account })
    const slots = await platform.slots('svc_color', { start_date: DAY, end_date: DAY })
    const bookedAt = async (time: string) =>
      (await platform.book(slots.find(({ start }) => start.includes(`T${time}`)))).data.booking
    const [deleted, moved] = [await bookedAt('09:00'), await bookedAt('15:00')]
    const shown = async (path: string, who = manager) => textOf((await who.open(path)).body)
    expect(await shown(PATH)).toMatch(/\d bookings? (is|are) still to be written into Work/)
    await writeDueCalendars(shop.runtime)
    expect(await shown(PATH)).toMatch(/Bookings are written into Work, last checked /)

    const eventOf = async (id: string) => {
      const event = (await server.objects('Work')).find(({ text }) => text.includes(id))
      if (!event) throw new Error(`There is no event of ${id}.`)
      return event
    }
    await server.erase((await eventOf(deleted.id)).path)
    const other = await eventOf(moved.id)
    await server.edit(other.path, movedTo(other.text, 22))
    shop.minutesLater(10)
    await writeDueCalendars(shop.runtime)
    const inbox = await shown('/desk/inbox')
    expect(inbox).toContain('Bookings changed in another calendar (2)')
    expect(inbox).toContain(
      'The event of this booking was deleted in Work. Cancel the booking, or write the event again.',
    )
    expect(inbox).toMatch(
      /The event of this booking was moved to Tue, Nov 24, 10:00\s?PM in Work\. It was put back\. The time is not free, or outside the working hours\./,
    )
    expect(await shown('/desk/inbox', viewer)).toContain('was deleted in Work')
    expect(String((await viewer.open('/desk/inbox')).body)).not.toContain('name="keep"')

    const page = `/desk/bookings/${deleted.id}`
    expect(await shown(page)).toContain('write the event again. Write the event again')
    expect((await viewer.send(page, { do: 'keep' })).status).toBe(403)
    expect((await manager.send(page, { do: 'keep' })).status).toBe(303)
    expect(await shown(page)).not.toContain('was deleted in Work')
    expect((await manager.send('/desk/inbox', { keep: moved.id })).status).toBe(303)
    expect(await shown('/desk/inbox')).not.toContain('Bookings changed in another calendar')
    await writeDueCalendars(shop.runtime)
    await eventOf(deleted.id)
  })
})
