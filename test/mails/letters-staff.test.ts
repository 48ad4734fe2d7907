import { expect, test } from 'vitest'
import { referenceOf } from '../../src/domain/bookings/booking-response.ts'
import { claimPayment } from '../../src/domain/bookings/report-payment-by-buyer.ts'
import { steps } from '../../src/domain/notifications/staff-mail-rows.ts'
import { operations } from '../../src/server/all-operations.ts'
import { buyer, restDesk } from '../support/desk.ts'
import { bookedBy, staffOf, talkingShop } from './letters-shop.ts'

const shop = await talkingShop()
const desk = restDesk(shop)
const staff = staffOf(desk, shop)

async function toldOf(booking: { id: string }) {
  const letter = (await shop.lettersOf(booking)).findLast(({ audience }) => audience === 'staff')?.letter
  return { rows: Object.fromEntries(letter?.rows ?? []), actions: letter?.actions }
}

test('[what the staff read] who comes, to what, when, and what they want noted; and how to speak to them', async () => {
  const who = { ...buyer, email: "o'hara+me&you@example.com", phone_number: '+12125550143' }
  const [slot] = await desk.slots('svc_spot')
  const { booking } = (await desk.book(slot, { buyer: who, notes: 'By the window' })).data
  const { rows, actions } = await toldOf(booking)
  expect(rows).toMatchObject({
    Name: 'Alice Williams',
    Email: who.email,
    Phone: '+12125550143',
    Notes: 'By the window',
    What: 'Service svc_spot',
    Where: 'Main Street, 1 Main St, New York',
    Reference: referenceOf(booking),
    When: expect.stringContaining('November 24, 2026'),
    Price: '$75.00, due at your appointment',
  })
  expect(actions).toEqual([
    { label: 'Open in the calendar', url: `${shop.runtime.config.baseUrl}/desk/bookings/${booking.id}` },
    { label: 'Call Alice Williams', url: 'tel:+12125550143' },
    { label: 'Write to Alice Williams', url: "mailto:o'hara%2Bme%26you@example.com" },
  ])
})

test('[what the staff read] nothing leads to who left neither number nor address', async () => {
  const { data } = await staff('bookings_create', {
    service_id: 'svc_paid',
    slot_id: (await desk.slots('svc_paid'))[0].id,
    buyer: { first_name: 'Walter' },
  })
  await staff('bookings_mark_paid', { booking_id: data.booking.id })
  await staff('bookings_dispute_open', { booking_id: data.booking.id, reason: 'duplicate' })
  expect((await toldOf(data.booking)).actions?.map(({ label }) => label)).toEqual(['Open in the calendar'])
})

test('[what the staff read] what buyers answered stands beside its question', async () => {
  const booking = await bookedBy(desk, 'svc_all')
  const { people } = await shop.runtime.db
    .selectFrom('bookings')
    .select('people')
    .where('id', '=', booking.id)
    .executeTakeFirstOrThrow()
  const answered = JSON.stringify({ ...Object(people), answers: { music: 'Fado' } })
  await shop.runtime.db.updateTable('bookings').set({ people: answered }).where('id', '=', booking.id).execute()
  await shop.runtime.makeChange((tx) => claimPayment(tx, booking.id, shop.time.now))
  expect((await toldOf(booking)).rows).toMatchObject({ 'Which music?': 'Fado' })
})

test('[what the staff read] what has no button at the desk is done by the call that stands there', async () => {
  const unpaid = await bookedBy(desk, 'svc_paid')
  await shop.runtime.makeChange((tx) => claimPayment(tx, unpaid.id, shop.time.now))
  await staff('bookings_mark_paid', { booking_id: unpaid.id })
  await staff('bookings_dispute_open', { booking_id: unpaid.id, reason: 'duplicate' })
  expect((await toldOf(unpaid)).rows).toHaveProperty('View the dispute')
})

test.each(Object.entries(steps))('[what the staff read] to %s is an operation of the staff', (_, rest) => {
  expect(operations.find((one) => one.rest === rest)).toMatchObject({ access: 'business_only' })
})
