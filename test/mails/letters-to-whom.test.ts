import { afterEach, describe, expect, test } from 'vitest'
import { referenceOf } from '../../src/domain/bookings/booking-response.ts'
import type { BookingRow } from '../../src/domain/bookings/booking-row.ts'
import { createBooking } from '../../src/domain/bookings/create-booking.ts'
import { endings } from '../../src/domain/bookings/lifecycle.ts'
import {
  type BookingNotificationKind,
  notificationOf,
  notificationRules,
  scheduledNotifications,
} from '../../src/domain/bookings/notification-rules.ts'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import { toBuyer } from '../../src/domain/notifications/buyer-notifications.ts'
import { toStaff } from '../../src/domain/notifications/staff-notifications.ts'
import en from '../../src/infra/i18n/texts/en.json' with { type: 'json' }
import { callAsVisitor } from '../../src/pipeline/call-operation-from-page.ts'
import { buyer, restDesk } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { bookedBy, staffOf, talking, talkingShop } from './letters-shop.ts'

const inLanguage = (platform_buyers: 'none' | 'needed' | 'all') =>
  talkingShop({ mails: { ...talking.mails, platform_buyers } })
const [shop, needy, silent] = await Promise.all([inLanguage('all'), inLanguage('needed'), inLanguage('none')])
const desk = restDesk(shop)
const staff = staffOf(desk, shop)
const kindsTo = (audience: string) => async (of: typeof shop, booking: { id: string }) =>
  (await of.lettersOf(booking)).filter((one) => one.audience === audience).map(({ kind }) => kind)
const buyersKinds = kindsTo('buyer')

afterEach(() => {
  for (const { time } of [shop, needy, silent]) time.now = START
})

test('each kind of letter has its words, and words are there for no other', () => {
  const said = (kinds: object, to: string) =>
    Object.keys(kinds).flatMap((kind) => [`${to}${kind}.subject`, `${to}${kind}.heading`])
  const kinds = [...said(toBuyer, 'letter.'), ...said(toStaff, 'letter.staff.')]
  const known = Object.keys(en).filter((key) => /^letter\.(staff\.)?booking\.\w+\.(subject|heading)$/.test(key))
  expect(known.toSorted()).toEqual(kinds.toSorted())
  const ruled = (audience: 'buyer' | 'staff') =>
    new Set<string>(notificationRules.filter((rule) => rule[audience]).map(({ kind }) => kind))
  // What nobody does to a booking is no rule of the table.
  expect(Object.keys(toBuyer).filter((kind) => !ruled('buyer').has(kind))).toEqual(scheduledNotifications)
  expect(Object.keys(toStaff).filter((kind) => !ruled('staff').has(kind))).toEqual(['booking.refund_refused'])
  expect([...ruled('buyer')].filter((kind) => !Object.hasOwn(toBuyer, kind))).toEqual([])
  expect([...ruled('staff')].filter((kind) => !Object.hasOwn(toStaff, kind))).toEqual([])
})

describe('whoever booked through a platform', () => {
  const forPlatforms: [
    what: string,
    act: (of: typeof shop) => Promise<{ id: string }>,
    needed: BookingNotificationKind[],
  ][] = [
    ['stands at once', (of) => bookedBy(restDesk(of), 'svc_spot'), []],
    ['asks the business', (of) => bookedBy(restDesk(of), 'svc_asked'), []],
    ['has to pay', (of) => bookedBy(restDesk(of), 'svc_paid'), ['booking.to_complete']],
    [
      'has to pay once it is agreed to',
      async (of) => (await restDesk(of).confirm((await bookedBy(restDesk(of), 'svc_asked')).id)).data.booking,
      ['booking.approved'],
    ],
    [
      'is agreed to',
      async (of) => (await restDesk(of).confirm((await bookedBy(restDesk(of), 'svc_free_asked')).id)).data.booking,
      [],
    ],
    [
      'is canceled by the business',
      async (of) => {
        const booking = await bookedBy(restDesk(of), 'svc_spot')
        await staffOf(restDesk(of), of)('bookings_cancel', { booking_id: booking.id })
        return booking
      },
      ['booking.canceled_by_business'],
    ],
    [
      'cancels there',
      async (of) => (await restDesk(of).cancel((await bookedBy(restDesk(of), 'svc_spot')).id)).data.booking,
      [],
    ],
  ]
  test.each(forPlatforms)(
    'and %s is told no more than is needed, or nothing, as the business wants',
    async (_, act, needed) => {
      expect(await buyersKinds(needy, await act(needy))).toEqual(needed)
      expect(await buyersKinds(silent, await act(silent))).toEqual([])
      expect((await buyersKinds(shop, await act(shop))).length).toBeGreaterThan(0)
    },
  )

  test('is reminded, and has no event in the calendar from us beside that of the platform', async () => {
    const booking = await bookedBy(restDesk(needy), 'svc_spot')
    await staffOf(restDesk(needy), needy)('bookings_reschedule', {
      booking_id: booking.id,
      slot_id: (await restDesk(needy).slots('svc_spot'))[0].id,
    })
    needy.time.now = new Date('2026-11-23T14:00:00Z')
    await remind(needy.runtime, needy.time.now)
    const letters = await needy.lettersOf(booking)
    const told = letters.filter(({ audience }) => audience === 'buyer')
    expect(told.map(({ kind }) => kind)).toEqual(['booking.moved_by_business', 'booking.reminder'])
    expect(letters.map(({ letter }) => letter.calendar)).toEqual(letters.map(() => undefined))
  })
})

test('whom the staff book for is told as who books on the pages, and the staff are not', async () => {
  const atDesk = async (who: object) => {
    const [slot] = await restDesk(silent).slots('svc_spot')
    const input = { service_id: 'svc_spot', slot_id: slot.id, buyer: who }
    return (await staffOf(restDesk(silent), silent)('bookings_create', input)).data.booking
  }
  const known = await atDesk(buyer)
  expect((await silent.lettersOf(known)).map(({ kind, recipient }) => [kind, recipient])).toEqual([
    ['booking.confirmed', 'alice@example.com'],
  ])
  expect(await silent.lettersOf(await atDesk({ first_name: 'Walk', last_name: 'In' }))).toEqual([])
})

test('what the staff book before it is paid says how to pay', async () => {
  const slot = (await desk.slots('svc_paid'))[3]
  const { booking } = (await staff('bookings_create', { service_id: 'svc_paid', slot_id: slot.id, buyer })).data
  const [{ letter } = { letter: undefined }] = await shop.lettersOf(booking)
  expect(letter?.paragraphs.join(' ')).toContain('Transfer $75.00')
  expect(letter?.rows).toContainEqual(['Reference', referenceOf(booking)])
})

test('who books on a page is written to in the language of the page', async () => {
  const [slot] = await restDesk(silent).slots('svc_spot', { start_date: '2026-11-26' })
  const input = { service_id: 'svc_spot', slot_id: slot.id, buyer }
  const visit = { visitor: 'somebody', peer: { address: '203.0.113.7' }, locale: 'en-GB' }
  const answer = await callAsVisitor(createBooking, input, visit, silent.runtime)
  const letters = await silent.lettersOf('result' in answer ? answer.result.booking : { id: '' })
  expect(letters.map(({ kind, audience, locale }) => [kind, audience, locale])).toEqual([
    ['booking.confirmed', 'buyer', 'en-GB'],
    ['booking.confirmed', 'staff', 'en'],
  ])
  expect(letters[0]?.letter.subject).toBe('Booked: Service svc_spot, Thu 26 Nov, 9:00')
})

test('nobody is told what concerns somebody who is forgotten', async () => {
  const booking = await bookedBy(desk, 'svc_spot', -3)
  const rows = () =>
    shop.runtime.db.selectFrom('mails').select('id').where('subject', '=', `booking ${booking.id}`).execute()
  const before = await rows()
  expect(before).toHaveLength(2)
  await staff('bookings_erase', { booking_id: booking.id })
  await staff('bookings_cancel', { booking_id: booking.id, reason: 'Not needed' })
  expect(await rows()).toEqual(before)
  expect(await shop.lettersOf(booking)).toEqual([])
})

test('a booking is found by its reference, however it is written', async () => {
  const booking = await bookedBy(desk, 'svc_spot', -4)
  const reference = referenceOf(booking)
  expect(reference).toMatch(/^[B-DF-HJ-NP-TV-Z]{4}-[B-DF-HJ-NP-TV-Z]{4}$/)
  for (const query of [reference, reference.toLowerCase(), reference.replace('-', ''), reference.replace('-', ' ')]) {
    const { bookings } = (await staff('bookings_list', { query })).data
    expect(bookings.map(({ id }: { id: string }) => id)).toEqual([booking.id])
  }
  expect((await staff('bookings_get', { booking_id: booking.id })).data.details.reference).toBe(reference)
})

test('a step of any kind is told in one letter, and a calendar is never called off before it was asked', () => {
  const statuses = ['pending', 'requires_action', 'confirmed', 'in_progress', ...endings] as const
  const row = (status: string, confirmation_mode: string): BookingRow =>
    ({
      status,
      starts_at: START,
      ends_at: START,
      people: { buyer },
      record: { slot_id: 'a', confirmation_mode, reschedules: 0, cancellation: { canceled_by: 'buyer' } },
    }) as unknown as BookingRow
  for (const mode of ['auto', 'manual'])
    for (const from of statuses)
      for (const to of statuses) {
        const letter = notificationOf({ before: row(from, mode), after: row(to, mode), byStaff: false })
        const wasAsked =
          from === 'confirmed' || from === 'in_progress' || (from === 'requires_action' && mode === 'manual')
        if (letter?.calendar === 'CANCEL') expect([from, wasAsked]).toEqual([from, true])
      }
})
