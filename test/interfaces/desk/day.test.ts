import { expect, test } from 'vitest'
import { englishLocalizer } from '../../../src/infra/i18n/localizer.ts'
import { HOUR } from '../../../src/infra/time/time-units.ts'
import { html } from '../../../src/infra/util/html-template.ts'
import type { DayEntry } from '../../../src/interfaces/desk/day-entries.ts'
import { grid } from '../../../src/interfaces/desk/day-grid.ts'
import { studio } from '../../desk/studio.ts'
import { START } from '../../support/server.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked } = await deskSalon()
const owner = await signedIn('owner')
const columns = (body: string) => [...body.matchAll(/<span class="name">([^<]+)</g)].map(([, name]) => name)

test('whoever is not ticked is left out of the day, in this browser until they are ticked again', async () => {
  const day = '/desk?date=2026-12-08'
  expect(columns((await owner.open(day)).body)).toEqual(['Ann', 'Bob', 'Cat'])
  const form = new URLSearchParams({ query: 'date=2026-12-08', type: 'staff', column: 'staff_cat' })
  const { status, headers } = await owner.send('/desk/columns', Object.fromEntries(form))
  expect([status, headers.location]).toEqual([303, day])
  const [cookie] = [headers['set-cookie']].flat()
  expect(cookie).toMatch(/^usp_desk_columns=~staff_ann~staff_bob; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  const { body } = await owner.open(day)
  expect(columns(body)).toEqual(['Cat'])
  expect(body).toContain('>Columns 1/3</span></summary>')
  expect(columns((await (await signedIn('staff')).open(day)).body)).toEqual(['Ann', 'Bob', 'Cat'])
  const foreign = await owner.send('/desk/columns', {}, { origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
  await owner.send('/desk/columns', { query: '//evil.example' })
  expect((await owner.open(day)).body).toContain('Nothing is booked on this day.')
})

test('[density] the calendar is compact after the press, in this browser until the other button is pressed', async () => {
  const jo = await signedIn('staff')
  const { booking } = await booked('svc_auto')
  const date = booking.slot.start.slice(0, 10)
  const pages = [`date=${date}`, `date=${date}&view=week`, `date=${date}&view=week&with=staff_ann`]
  const shown = async (query: string) => {
    const { body } = await jo.open(`/desk?${query}`)
    const [, columns] = /<div class="columns( [^"]*)?" tabindex/.exec(body) ?? []
    const [, other, name] = /name="density" value="(\w+)" title="([^"]+)"/.exec(body) ?? []
    return [columns?.includes(' compact') ?? false, other, name]
  }
  const all = () => Promise.all(pages.map(shown))
  const roomy = [false, 'compact', 'Compact calendar']
  expect(await all()).toEqual([roomy, roomy, roomy])
  for (const query of pages) {
    const { status, headers } = await jo.send('/desk/density', { query, density: 'compact' })
    expect([status, headers.location]).toEqual([303, `/desk?${query}`])
    expect([headers['set-cookie']].flat()[0]).toMatch(
      /^usp_desk_density=compact; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
    )
  }
  const compact = [true, 'roomy', 'Roomy calendar']
  expect(await all()).toEqual([compact, compact, compact])
  // The buttons with the free times of a booking to move need the height of the roomy calendar.
  expect(await shown(`date=${date}&put=${booking.id}`)).toEqual([false, undefined, undefined])
  const other = await signedIn('staff')
  expect((await other.open(`/desk?date=${date}`)).body).not.toContain('columns compact')
  for (const density of ['roomy', 'huge', '']) {
    await jo.send('/desk/density', { density: 'compact' })
    const { headers } = await jo.send('/desk/density', { query: '//evil.example', density })
    expect([headers['set-cookie']].flat()[0]).toContain('Max-Age=0')
    expect(new URL(String(headers.location), 'https://desk.example').origin).toBe('https://desk.example')
    expect(await all()).toEqual([roomy, roomy, roomy])
  }
  const foreign = await jo.send('/desk/density', { density: 'compact' }, { origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
})

test('a week shows what everybody has, or one person’s as a grid, and leads to other weeks and to its days', async () => {
  const jo = await signedIn('staff')
  const { booking } = await booked('svc_auto')
  const date = booking.slot.start.slice(0, 10)
  const [{ id }] = booking.resources
  const all = (await jo.open(`/desk?view=week&date=${date}`)).body
  expect(all).toMatch(new RegExp(`<a href="/desk/bookings/${booking.id}">.*Alice Williams`))
  expect([...all.matchAll(/<h2><a href="\/desk\?date=([\d-]+)"/g)].map(([, day]) => day)).toEqual(
    ['22', '23', '24', '25', '26', '27', '28'].map((day) => `2026-11-${day}`),
  )
  expect(all).toContain('href="/desk?date=2026-12-01&amp;view=week"')
  const own = (await jo.open(`/desk?view=week&with=${id}&date=${date}`)).body
  expect(own).toMatch(new RegExp(`data-day="${date}"[^>]*data-to="${id}"|data-to="${id}"[^>]*data-day="${date}"`))
  expect(own).toContain(`data-move="${booking.id}"`)
  const other = id === 'staff_ann' ? 'staff_bob' : 'staff_ann'
  expect((await jo.open(`/desk?view=week&with=${other}&date=${date}`)).body).not.toContain(booking.id)
  expect((await jo.open('/desk?view=week&with=nobody&date=soon')).status).toBe(200)
  const viewer = await signedIn('viewer')
  const seen = (await viewer.open(`/desk?view=week&with=${id}&date=${date}`)).body
  expect([seen.includes('data-taken'), seen.includes('data-book')]).toEqual([false, false])
})

test('a line marks the current time in the columns of today, if the day shows its hour', async () => {
  const jo = await signedIn('staff')
  const lines = async (date: string) => [...(await jo.open(`/desk?date=${date}`)).body.matchAll(/class="now ([^"]*)"/g)]
  // Cat works from 9:00 to 18:00, so the day shows these nine hours in rows of five minutes.
  const day = '2026-12-01'
  try {
    for (const [clock, row] of [
      ['08:59', undefined],
      ['09:00', 'at0 for0'],
      ['13:30', 'at54 for0'],
      ['18:00', 'at108 for0'],
      ['18:01', undefined],
    ] as const) {
      shop.time.now = new Date(`${day}T${clock}:00-05:00`)
      const found = (await lines(day)).map(([, place]) => place)
      expect([clock, found]).toEqual([clock, row === undefined ? [] : [row, row, row]])
      for (const other of ['2026-11-30', '2026-12-02'])
        expect([clock, other, await lines(other)]).toEqual([clock, other, []])
    }
  } finally {
    shop.time.now = START
  }
})

test('[the hours of a day] are those from nine to five, and those outside in which somebody works or comes', async () => {
  const { shop: other, platform, signedIn: signedInThere } = await deskSalon({}, studio)
  const jo = await signedInThere('staff')
  const staff = (what: string, input: Record<string, unknown>) =>
    platform.call(`usp_business_${what}`, input, { as: other.staff })
  const hours = async (url: string, as = jo) => {
    const { body } = await as.open(url)
    const [, list = ''] = /<section class="hours"[^>]*>.*?<ol class="h\d+">(.*?)<\/ol>/s.exec(body) ?? []
    return [...list.matchAll(/<li class="([^"]*)">([^<]*)</g)].map(([, place, text]) => `${place} ${text}`)
  }
  const from = (first: number, last: number) =>
    Array.from(
      { length: last - first },
      (_, nth) => `at${nth * 12} for12 ${((first + nth - 1) % 12) + 1}:00 ${first + nth < 12 ? 'AM' : 'PM'}`,
    )
  const day = (date: string) => `/desk?date=${date}`
  // The salon is open around the clock but for Cat, who is not there, and the studio from nine to six.
  expect(await hours(day('2026-12-02'), await signedIn('staff'))).toEqual(from(9, 17))
  expect(await hours(day('2026-12-01'))).toEqual(from(9, 18))
  const time = (date: string, clock: string) => `${date}T${clock}:00-05:00`
  const buyer = { first_name: 'Early' }
  const early = { service_id: 'svc_cut', start: time('2026-12-02', '06:30'), buyer, override: ['hours'] }
  const late = { ...early, start: time('2026-12-03', '19:30') }
  for (const wish of [early, late]) expect((await staff('bookings_create', wish)).data).toHaveProperty('booking')
  expect(await hours(day('2026-12-02'))).toEqual(from(6, 18))
  expect(await hours(day('2026-12-03'))).toEqual(from(9, 21))
  expect(await hours(`/desk?view=week&with=staff_ann&date=2026-12-02`)).toEqual(from(6, 21))
  // Whoever is away until late in the morning, or from the evening on, is not shown to be so all night.
  const away = { resource_id: 'staff_ann', start: time('2026-12-04', '00:00'), end: time('2026-12-04', '10:00') }
  await staff('blocks_create', away)
  await staff('blocks_create', { ...away, start: time('2026-12-04', '17:00'), end: time('2026-12-05', '00:00') })
  expect(await hours(day('2026-12-04'))).toEqual(from(9, 18))
  await staff('blocks_create', {
    ...away,
    start: time('2026-12-04', '20:15'),
    end: time('2026-12-04', '21:00'),
    resource_id: 'staff_ben',
  })
  expect(await hours(day('2026-12-04'))).toEqual(from(9, 21))
})

test('[a week of one person] has their bookings, classes, absences and held times, and those of nobody else', async () => {
  const { shop: other, platform, signedIn: signedInThere } = await deskSalon({}, studio)
  const jo = await signedInThere('staff')
  const day = '2026-11-25'
  const [slot] = await platform.slots('svc_cut', { resource_id: 'staff_ann', start_date: day, end_date: day })
  const { booking } = (await platform.book(slot)).data
  const held = await platform.slots('svc_cut', { resource_id: 'staff_ben', start_date: day, end_date: day })
  await platform.hold(held[0])
  const [yoga] = await platform.slots('svc_class', { start_date: day, end_date: day })
  await platform.book(yoga, { party_size: 2 })
  const away = {
    resource_id: 'staff_ben',
    start: `${day}T16:00:00-05:00`,
    end: `${day}T17:00:00-05:00`,
    reason: 'Dentist',
  }
  await platform.call('usp_business_blocks_create', away, { as: other.staff })
  const shown = async (person: string) => {
    const { body } = await jo.open(`/desk?view=week&date=${day}${person && `&with=${person}`}`)
    const things = {
      booking: `/desk/bookings/${booking.id}`,
      hold: 'On hold',
      class: '/desk/classes/ses_',
      away: 'Dentist',
    }
    return Object.entries(things).flatMap(([name, text]) => (body.includes(text) ? name : []))
  }
  expect(await shown('')).toEqual(['booking', 'hold', 'class', 'away'])
  expect(await shown('staff_ann')).toEqual(['booking'])
  expect(await shown('staff_ben')).toEqual(['hold', 'away'])
  expect(await shown('staff_cat')).toEqual(['class'])
  expect(await shown('room_big')).toEqual(['class'])
  expect(await shown('bike_1')).toEqual([])
})

test('[a week of all] has who does it, and what nobody does; without the columns that are not ticked', async () => {
  const jo = await signedIn('staff')
  const { booking: cats } = await booked('svc_cat')
  const { booking: anns } = await booked('svc_auto')
  const { booking: nobodys } = await booked('svc_paid')
  const week = `/desk?view=week&date=${cats.slot.start.slice(0, 10)}`
  const lines = async () => {
    const { body } = await jo.open(week)
    return [cats, anns, nobodys].map(
      ({ id }) =>
        new RegExp(
          `<li class="[^"]*"><a href="/desk/bookings/${id}">.*?<span class="line soft">([^<]*)</span></li>`,
        ).exec(body)?.[1],
    )
  }
  expect(await lines()).toEqual(['Cat', anns.resources[0].name, ''])
  await jo.send('/desk/columns', { query: 'view=week', type: 'staff', column: 'staff_cat' })
  expect(await lines()).toEqual(['Cat', undefined, ''])
})

test('[what stands in a day] says how many come if they are several, and how it stands if it is not just booked', async () => {
  const { shop: other, platform, booked: bookedThere, signedIn: signedInThere } = await deskSalon({}, studio)
  const jo = await signedInThere('staff')
  const textOf = async ({ id, slot }: { id: string; slot: { start: string } }) => {
    const { body } = await jo.open(`/desk?date=${slot.start.slice(0, 10)}`)
    const [, text = ''] = new RegExp(`<a href="/desk/bookings/${id}">(.*?)</a>`).exec(body) ?? []
    return [/<span class="state" title="([^"]*)"/.exec(text)?.[1], / · (\d+ \w+)</.exec(text)?.[1]]
  }
  const { booking: one } = await bookedThere('svc_cut')
  expect(await textOf(one)).toEqual([undefined, undefined])
  await platform.call('usp_business_bookings_start', { booking_id: one.id }, { as: other.staff })
  expect(await textOf(one)).toEqual(['Arrived', undefined])
  const { booking: three } = await bookedThere('svc_table', { party_size: 3 })
  expect(await textOf(three)).toEqual([undefined, '3 people'])
})

test('[the bar of the calendar] marks the shown view, and "Today" stays in it', async () => {
  const current = (body: string) =>
    [...body.matchAll(/<a href="[^"]*" aria-current="page">(Day|Week)</g)].map(([, name]) => name)
  const today = (body: string) => /<a class="button plain today" href="([^"]*)"/.exec(body)?.[1]
  const day = (await owner.open('/desk?date=2026-12-08')).body
  expect([current(day), today(day)]).toEqual([['Day'], '/desk'])
  const week = (await owner.open('/desk?view=week&with=staff_ann&date=2026-12-08')).body
  expect(current(week)).toEqual(['Week'])
  expect(today(week)).toMatch(/^\/desk\?date=2026-11-\d\d&amp;view=week&amp;with=staff_ann$/)
})

test('[the calendar on a phone] has a link to each person, and none if there is only one', async () => {
  const names = (body: string) => (/<nav class="people"[^>]*>(.*?)<\/nav>/s.exec(body)?.[1] ?? '').match(/>[^<]+</g)
  const boss = await signedIn('owner')
  expect(names((await boss.open('/desk?date=2026-12-08')).body)).toEqual(['>Ann<', '>Bob<', '>Cat<'])
  await boss.send('/desk/columns', { query: 'date=2026-12-08', type: 'staff', column: 'staff_cat' })
  expect((await boss.open('/desk?date=2026-12-08')).body).not.toContain('<nav class="people"')
})

test('[entries that overlap] stand side by side, and all others of the column have its whole width', async () => {
  const at = (hour: number) => Date.parse('2026-12-08T00:00:00Z') + hour * HOUR
  const entry = (kind: string, from: number, to: number): DayEntry => {
    return { kind, from: at(from), to: at(to), before: 0, after: 0, resources: ['staff_ann'], body: kind }
  }
  const aloneIn = async (...entries: DayEntry[]) => {
    const column = { date: '2026-12-08', name: 'Ann', heading: 'Ann', workingTimes: undefined, entries }
    const context = { label: 'Day', zone: 'UTC', now: at(0), localizer: englishLocalizer(), density: 'roomy' } as const
    return [...html`${await grid([column], context)}`.text.matchAll(/class="thing (\w+) alone /g)].map(
      ([, kind]) => kind,
    )
  }
  const [booked, busy, next] = [entry('confirmed', 9, 10), entry('busy', 9.5, 11), entry('pending', 11, 12)]
  expect(await aloneIn(booked, busy, next)).toEqual(['pending'])
  expect(await aloneIn(booked, next)).toEqual(['confirmed', 'pending'])
  // The long entry also overlaps the last one, which begins after the end of the second one.
  expect(await aloneIn(entry('block', 9, 13), booked, next)).toEqual([])
})
