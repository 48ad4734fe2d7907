import { expect, test } from 'vitest'
import { confirmAttendance } from '../../../src/domain/bookings/confirm-attendance.ts'
import { studio } from '../../desk/studio.ts'
import { deskSalon } from './receptionist.ts'

const atOnce = {
  ...studio,
  services: studio.services.map((one) =>
    one.id === 'svc_class' ? { ...one, policies: { ...one.policies, payment_timing: 'at_service' as const } } : one,
  ),
}
const { shop, signedIn, booked } = await deskSalon({}, atOnce)
const viewer = await signedIn('viewer')
const attend = (id: string) => shop.runtime.makeChange((tx) => confirmAttendance(tx, id, shop.time.now))

const MARK = /<svg class="icon"[^>]*><path d="m16 11 2 2 4-4"/

/** The card of a booking in the calendar of a day. */
const cardOf = (body: string, id: string) =>
  new RegExp(`<a href="/desk/bookings/${id}">.*?</a>`, 's').exec(body)?.[0] ?? ''

test('[who has confirmed to come] is marked on the card of the day, with a text, and open desks are told', async () => {
  const { booking } = await booked('svc_cut')
  const day = `/desk?date=${booking.slot.start.slice(0, 10)}`
  const before = (await viewer.open(day)).body
  expect(cardOf(before, booking.id)).toContain('Alice Williams')
  expect(cardOf(before, booking.id)).not.toMatch(MARK)
  await attend(booking.id)
  const after = (await viewer.open(day)).body
  expect(cardOf(after, booking.id)).toMatch(MARK)
  expect(cardOf(after, booking.id)).toContain('<span class="sr">Attendance confirmed</span>')
  const newest = (body: string) => /data-newest="([^"]+)"/.exec(body)?.[1]
  expect(newest(after)).not.toBe(newest(before))
})

test('[who has confirmed to come] is marked on the page of the booking, and the history says who and when', async () => {
  const { booking } = await booked('svc_cut')
  const path = `/desk/bookings/${booking.id}`
  expect((await viewer.open(path)).body).not.toContain('Attendance confirmed')
  await attend(booking.id)
  const { body } = await viewer.open(path)
  expect(body).toMatch(
    /<strong>Confirmed<\/strong> · <span class="attending"><svg.*?<\/svg> Attendance confirmed<\/span> · /,
  )
  const [, history = ''] = body.split('<ol class="story">')
  expect(history).toMatch(/<li>Attendance confirmed<br>\s*<span class="soft">[^<]*2026[^<]* · [^<]*Booking pages?/i)
})

test('[who has confirmed to come] is marked in the list of a class', async () => {
  const one = (await booked('svc_class')).booking
  const session = await shop.runtime.db.selectFrom('bookings').select('session_id').where('id', '=', one.id)
  const { session_id } = await session.executeTakeFirstOrThrow()
  const page = `/desk/classes/${session_id}`
  expect((await viewer.open(page)).body).not.toContain('Attendance confirmed')
  await attend(one.id)
  expect((await viewer.open(page)).body).toMatch(
    /Alice Williams<\/strong><\/a> · <span class="attending"><svg.*?<\/svg> Attendance confirmed<\/span>/,
  )
})
