import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import { asRecord } from '../../src/infra/util/object-members.ts'
import { linesOf, read } from '../calendar/calendar-file.ts'
import { restDesk } from '../support/desk.ts'
import { staffOf, talkingShop } from './letters-shop.ts'

const shop = await talkingShop()
const desk = restDesk(shop)
const staff = staffOf(desk, shop)
const { db } = shop.runtime
const buyer = { first_name: 'Rosa', last_name: 'Reyes', email: 'rosa@example.com' }
let day = 0

/** Booked by the staff, and again in the weeks after. */
async function series(service_id: string) {
  const start = `2026-12-0${++day}T10:00:00-05:00`
  const wish = { service_id, start, buyer, notes: 'Her knee', override: ['hours', 'booking_window'] }
  const { booking } = (await staff('bookings_create', wish)).data
  const { dates } = (await staff('bookings_series_plan', { booking_id: booking.id, every_weeks: 1, times: 3 })).data
  const starts = dates.map((one: { start: string }) => one.start)
  const { bookings } = (await staff('bookings_series_book', { booking_id: booking.id, starts })).data
  return { first: booking, bookings: bookings as { id: string; slot: { start: string } }[] }
}
const lettersOf = async (all: { id: string }[]) => (await Promise.all(all.map(shop.lettersOf))).flat()
const references = (value = '') => value.split('\n').map((line) => line.split(' · ').at(-1))

test('[one letter] a series that is booked is told once, with all its dates, and enters all of them into the calendar', async () => {
  const { bookings } = await series('svc_spot')
  const all = await lettersOf(bookings)
  expect(all.map(({ kind, audience }) => [kind, audience])).toEqual([['booking.confirmed', 'buyer']])
  const [{ letter } = { letter: undefined }] = all
  expect(letter?.subject).toMatch(/ \(\+2\)$/)
  expect(letter?.paragraphs).toContain('Dates: 3. You can change each of them separately.')
  const when = letter?.rows?.find(([name]) => name === 'When')?.[1]
  expect(new Set(references(when)).size).toBe(3)
  const { calendar, events } = read(letter?.calendar?.text ?? '')
  expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH')
  expect(events.map(({ uid }) => uid)).toEqual(bookings.map(({ id }) => id))
  expect(linesOf(letter?.calendar?.text ?? '').filter((line) => line.startsWith('ATTENDEE'))).toEqual([])
  // Nothing of who else might be named in another of them goes along.
  const subject = `booking ${bookings[0]?.id}`
  const { snapshot } = await db
    .selectFrom('mails')
    .select('snapshot')
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  const others = JSON.stringify(asRecord(snapshot).others)
  expect(others).not.toMatch(/Rosa|rosa@|knee/)
})

test('[one letter] a series is confirmed in the language of its first booking', async () => {
  const { data } = await desk.book((await desk.slots('svc_spot')).at(-1), { buyer })
  const booking_id: string = data.booking.id
  await sql`update bookings set record = (record::jsonb || '{"locale": "de"}')::json where id = ${booking_id}`.execute(
    db,
  )
  const { dates } = (await staff('bookings_series_plan', { booking_id, every_weeks: 1, times: 2 })).data
  const starts = dates.map((one: { start: string }) => one.start)
  const { bookings } = (await staff('bookings_series_book', { booking_id, starts })).data
  const letters = await lettersOf(bookings)
  expect(letters.map(({ audience, locale }) => [audience, locale])).toEqual([['buyer', 'de']])
  expect(letters[0]?.letter.subject).toMatch(/^Gebucht: /)
})

test('[one letter] each of them says who was told, and it is told again from each', async () => {
  const { bookings } = await series('svc_spot')
  const told = async ({ id }: { id: string }) => (await staff('bookings_told', { booking_id: id })).data.told
  const all = await Promise.all(bookings.map(told))
  const mails = all.map((list) =>
    list.filter(({ way }: { way: string }) => way === 'mail').map(({ id }: { id: string }) => id),
  )
  expect(new Set(mails.map(String)).size).toBe(1)
  await db.updateTable('mails').set({ status: 'sent', ended_at: shop.time.now }).where('id', '=', mails[0][0]).execute()
  const again = await staff('bookings_tell_again', { booking_id: bookings[2]?.id, told_id: mails[0][0] })
  expect(again.data.told).toMatchObject({ id: mails[0][0], status: 'waiting' })
})

test('[one letter] what is moved or canceled together is told once, and one alone by itself', async () => {
  const { bookings } = await series('svc_spot')
  const [first, second, third] = bookings
  const moved = new Date(Date.parse(second?.slot.start ?? '') + 3_600_000).toISOString()
  await staff('bookings_series_move', { booking_id: second?.id, start: moved, override: ['hours', 'booking_window'] })
  await staff('bookings_series_cancel', { booking_id: second?.id, reason: 'Closed' })
  await staff('bookings_cancel', { booking_id: first?.id })
  const letters = await lettersOf([first, second, third].flatMap((one) => one ?? []))
  expect(letters.map(({ kind, letter }) => [kind, letter.calendar?.method])).toEqual([
    ['booking.confirmed', 'PUBLISH'],
    ['booking.canceled_by_business', 'CANCEL'],
    ['booking.canceled_by_business', 'PUBLISH'],
    ['booking.moved_by_business', 'PUBLISH'],
  ])
  // The last was moved first, to make room.
  expect(letters[3]?.letter.paragraphs[0]).toMatch(/December 17.*10:00.*December 17.*11:00/)
  const { events } = read(letters[2]?.letter.calendar?.text ?? '')
  expect(events.map(({ uid, status }) => [uid, status])).toEqual([
    [second?.id, 'CANCELLED'],
    [third?.id, 'CANCELLED'],
  ])
})

test('[one letter] what is to be paid is told one by one, and so is each reminded of', async () => {
  const paid = await series('svc_paid')
  expect((await lettersOf(paid.bookings)).map(({ kind }) => kind)).toEqual(Array(3).fill('booking.confirmed'))
  const { bookings } = await series('svc_spot')
  for (const { id, slot } of bookings) {
    shop.time.now = new Date(Date.parse(slot.start) - 24 * 3_600_000)
    await remind(shop.runtime, shop.time.now)
    expect((await shop.lettersOf({ id })).map(({ kind }) => kind)).toContain('booking.reminder')
  }
})
