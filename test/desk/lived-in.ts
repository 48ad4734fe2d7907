import { freshDatabase } from '../support/database.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { studio, tuesday, walkIn } from './studio.ts'

/** A studio that has seen a little of everything. */
export async function livedIn() {
  const databaseUrl = await freshDatabase()
  const shop = await testShop(studio, { databaseUrl })
  const desk = restDesk(shop)
  const staff = (what: string, input: Record<string, unknown>) =>
    desk.call(`usp_business_${what}`, input, { as: shop.staff })
  const [first, , third, , , , later] = await desk.slots('svc_cut')
  const held = await desk.hold(first)
  const { data } = await desk.book(first, { hold_id: held.data.hold.id })
  await desk.reschedule(data.booking.id, third)
  await desk.release((await desk.hold(later)).data.hold.id)
  const over = await staff('bookings_create', {
    service_id: 'svc_table',
    start: tuesday('10:00'),
    party_size: 3,
    buyer: walkIn,
  })
  await staff('bookings_start', { booking_id: over.data.booking.id })
  await staff('bookings_complete', { booking_id: over.data.booking.id })
  await desk.book((await desk.slots('svc_room'))[0])
  const [early, late] = await desk.slots('svc_class')
  const attended = await desk.book(early, { party_size: 1 })
  await desk.pay(attended.data.booking)
  await desk.book(early, { party_size: 2 })
  const leaving = await desk.book(late, { party_size: 3 })
  await desk.cancel(leaving.data.booking.id)
  await desk.hold(late, { spots: 2 })
  await staff('blocks_create', { resource_id: 'bike_1', start: tuesday('09:00'), end: tuesday('12:00') })
  const sessions = await staff('sessions_list', { start_date: '2026-11-24', end_date: '2026-11-30' })
  await staff('sessions_cancel', { session_id: sessions.data.sessions[3].id })
  await staff('sessions_resize', { session_id: sessions.data.sessions[4].id, capacity: 9 })
  // What was not paid lapses; one of them nobody has looked at since.
  await desk.book((await desk.slots('svc_flat'))[0])
  shop.minutesLater(20)
  await desk.hold((await desk.slots('svc_late'))[0])
  return { databaseUrl, shop, booking: data.booking.id }
}
