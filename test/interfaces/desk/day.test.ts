import { expect, test } from 'vitest'
import { START } from '../../support/server.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked } = await deskSalon()
const owner = await signedIn('owner')
const columns = (body: string) => [...body.matchAll(/<h2><a href="[^"]+">([^<]+)</g)].map(([, name]) => name)

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
  expect(body).toContain('<summary>Columns 1/3</summary>')
  expect(columns((await (await signedIn('staff')).open(day)).body)).toEqual(['Ann', 'Bob', 'Cat'])
  const foreign = await owner.send('/desk/columns', {}, { origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
  await owner.send('/desk/columns', { query: '//evil.example' })
  expect((await owner.open(day)).body).toContain('Nothing on this day.')
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
