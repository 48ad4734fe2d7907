import { expect } from 'vitest'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import { offerPending } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import type { Message } from '../../src/infra/i18n/localizer.ts'
import { ROSA, visitor } from '../booking-flow/visitor.ts'
import { assistant } from '../interfaces/assistant/talk.ts'
import { tokenIn, ways } from '../my-bookings/visitor.ts'
import { browser, continueUrl } from '../pages/shop.ts'
import type { PaidShop } from '../payments/shop.ts'
import type { Desk } from '../support/desk.ts'
import { classOfOne, person } from '../waitlist/queue.ts'
import { bookedBy, type staffOf, type TalkingShop } from './letters-shop.ts'

/** Every kind that there are words for, by whom it is for: each letter has a subject. */
type KindOf<Said> = Said extends `letter.staff.${infer Kind}.subject`
  ? `staff ${Kind}`
  : Said extends `letter.${infer Kind}.subject`
    ? `buyer ${Kind}`
    : never
export type LetterKind = KindOf<Message>

export interface World {
  desk: Desk
  shop: TalkingShop
  staff: ReturnType<typeof staffOf>
  /** Another business, which takes cards. */
  paid: PaidShop
}

export interface Cause {
  /** Makes it happen, as people and the clock do. */
  cause: (world: World) => Promise<unknown>
  /** Each of it stands in the text and on the page. */
  says: string[]
  calendar?: 'REQUEST' | 'CANCEL'
}

/** One for each letter whose line of waiting is its own. */
export const QUEUES = ['svc_joined', 'svc_offered', 'svc_lapsed'] as const
export const queues = QUEUES.map((id) => ({ ...classOfOne, id, name: `Service ${id}` }))

/** Books every place there is, and lets somebody wait for one. */
async function queued({ desk }: World, service_id: (typeof QUEUES)[number]) {
  const booked = []
  for (const slot of await desk.slots(service_id)) booked.push((await desk.book(slot)).data.booking)
  await desk.call('usp_waitlist_join', { service_id, buyer: person('Ann') })
  return booked
}

async function offered(world: World, service: (typeof QUEUES)[number]) {
  const [booking] = await queued(world, service)
  await world.desk.cancel(booking.id)
}

const paid = async ({ desk }: World, service: string) => (await desk.pay(await bookedBy(desk, service))).data.booking

const approved = async ({ desk }: World, service: string, more = {}) =>
  (await desk.confirm((await bookedBy(desk, service)).id, more)).data.booking

async function moved({ desk }: World) {
  const booking = await bookedBy(desk, 'svc_spot')
  await desk.reschedule(booking.id, (await desk.slots('svc_spot'))[0])
}

/** As the job does it each minute: what has no turn on a busy machine has one the next time. */
async function expired({ runtime, time }: TalkingShop, id: string) {
  const statusOf = () => runtime.db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirst()
  await expect
    .poll(async () => {
      await expireOverdue(runtime, time.now)
      return (await statusOf())?.status
    })
    .toBe('canceled')
}

async function unanswered({ desk, shop }: World) {
  const { id } = await bookedBy(desk, 'svc_asked')
  shop.minutesLater(25 * 60)
  await expired(shop, id)
}

/** Moved to a dearer time, and not paid. */
async function lapsed({ desk, shop }: World) {
  const { booking } = (await desk.pay(await bookedBy(desk, 'svc_dear', 0))).data
  await desk.reschedule(booking.id, (await desk.slots('svc_dear')).at(-1))
  shop.minutesLater(25 * 60)
  await expired(shop, booking.id)
}

export const causes: Record<LetterKind, Cause> = {
  'buyer booking.requested': {
    cause: ({ desk }) => bookedBy(desk, 'svc_asked'),
    says: ['We have your request', 'You will get an answer by Saturday, November 21, 2026', 'You pay nothing before'],
  },
  'buyer booking.to_complete': {
    cause: ({ desk }) => bookedBy(desk, 'svc_paid'),
    says: [
      ...['Your booking is almost done', 'is held for you until Saturday, November 21, 2026', 'Pay $75.00.'],
      ...['Cash or card at our desk', 'DE02 1203 0000 0000 2020 51', 'call +1 212 555 0143', '/payment/'],
    ],
  },
  'buyer booking.confirmed': {
    cause: ({ shop }) => visitor(shop).book('/book/svc_spot', ROSA),
    says: ['You are booked', 'Main Street, 1 Main St, New York', 'due at your appointment', '/manage/'],
    calendar: 'REQUEST',
  },
  'buyer booking.approved': {
    cause: (world) => approved(world, 'svc_asked', { notes: 'Bring a towel.' }),
    says: [
      ...[
        'Test Studio accepted your request',
        'To confirm your booking:',
        'Pay $75.00.',
        'Transfer $75.00 to the account below',
      ],
      ...['DE02 1203 0000 0000 2020 51', 'Message from Test Studio: Bring a towel.', '/payment/'],
    ],
    calendar: 'REQUEST',
  },
  'buyer booking.declined': {
    cause: async ({ desk, staff }) =>
      staff('bookings_decline', { booking_id: (await bookedBy(desk, 'svc_asked')).id, reason: 'We are <away>.' }),
    says: ['Test Studio cannot accept your request', 'Test Studio writes: We are <away>.'],
  },
  'buyer booking.withdrawn': {
    cause: async ({ desk }) => desk.cancel((await bookedBy(desk, 'svc_asked')).id),
    says: ['You withdrew your request', 'Nothing is booked.'],
  },
  'buyer booking.unanswered': { cause: unanswered, says: ['did not answer by Saturday, November 21, 2026'] },
  'buyer booking.canceled': {
    cause: async (world) => world.desk.cancel((await paid(world, 'svc_paid')).id),
    says: ['Your booking is canceled', '$75.00 will be refunded the way you paid.'],
    calendar: 'CANCEL',
  },
  'buyer booking.canceled_by_business': {
    cause: async (world) =>
      world.staff('bookings_cancel', { booking_id: (await paid(world, 'svc_paid')).id, reason: 'The pipes burst.' }),
    says: ['Test Studio had to cancel your booking', 'The pipes burst.', '$75.00 will be refunded'],
    calendar: 'CANCEL',
  },
  'buyer booking.lapsed': {
    cause: lapsed,
    says: ['Your booking has expired', 'Please do not pay for it any more.', '$75.00 will be refunded'],
    calendar: 'CANCEL',
  },
  'buyer booking.moved': {
    cause: moved,
    says: [
      'Your booking has a new time',
      'Old time: Monday, November 30, 2026',
      'New time: Tuesday, November 24, 2026',
    ],
    calendar: 'REQUEST',
  },
  'buyer booking.moved_by_business': {
    cause: async ({ desk, staff }) => {
      const booking = await bookedBy(desk, 'svc_spot')
      await staff('bookings_reschedule', { booking_id: booking.id, slot_id: (await desk.slots('svc_spot'))[0].id })
    },
    says: ['Test Studio rescheduled your booking', 'New time: Tuesday, November 24, 2026', 'If this does not suit you'],
    calendar: 'REQUEST',
  },
  'buyer booking.no_show_fee': {
    cause: async ({ desk, shop, staff }) => {
      const { id, slot } = await bookedBy(desk, 'svc_spot')
      shop.time.now = new Date(Date.parse(slot.start) + 3_600_000)
      await staff('bookings_no_show', { booking_id: id })
    },
    says: ['The no-show fee for your booking is $25.00', 'You still owe $25.00', 'Transfer $25.00'],
  },
  'buyer booking.refunded': {
    cause: async (world) =>
      world.staff('bookings_refund', { booking_id: (await paid(world, 'svc_paid')).id, amount: 1000 }),
    says: ['You get a refund of $10.00', 'It is refunded the way you paid.'],
  },
  'buyer booking.changed': {
    cause: async ({ desk }) => desk.update((await bookedBy(desk, 'svc_spot')).id, { notes: 'Ring the bell' }),
    says: ['Your booking was changed', 'the notes have changed'],
    calendar: 'REQUEST',
  },
  'buyer booking.reminder': {
    cause: async ({ desk, shop }) => {
      const { slot } = await bookedBy(desk, 'svc_spot')
      shop.time.now = new Date(Date.parse(slot.start) - 24 * 3_600_000)
      await remind(shop.runtime, shop.time.now)
    },
    says: ['See you soon', 'Your booking with Test Studio begins Monday, November 30, 2026'],
  },
  'buyer waitlist.joined': {
    cause: (world) => queued(world, 'svc_joined'),
    says: ['You are on the waitlist', 'You are first in line.', 'View or leave the waitlist', '/waiting/'],
  },
  'buyer waitlist.offered': {
    cause: (world) => offered(world, 'svc_offered'),
    says: [
      ...['A spot opened up for you', 'It is held for you until Friday, November 20, 2026 at 7:30 AM EST.'],
      ...['Tuesday, November 24, 2026', 'Accept or decline', '/waiting/'],
    ],
  },
  'buyer waitlist.lapsed': {
    cause: async (world) => {
      await offered(world, 'svc_lapsed')
      world.shop.minutesLater(30)
      await offerPending(world.shop.runtime)
    },
    says: ['Your offer has expired', 'You did not accept it by Friday, November 20, 2026 at 7:30 AM EST'],
  },
  'buyer sign_in': {
    cause: async ({ desk, shop }) => {
      await bookedBy(desk, 'svc_spot')
      await ways(shop).person().ask('alice@example.com')
    },
    says: ['Your sign-in link', 'It works once, within 15 minutes', 'https://book.example/my/'],
  },
  'buyer guest_code': {
    cause: async ({ shop }) => {
      const helper = assistant(shop)
      const { data } = await helper.call('find_times', { service_ids: ['svc_spot'] })
      const person = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com' }
      await helper.call('book', { slot_id: data.times[0].slots[0].slot_id, person })
    },
    says: ['Your code: ', 'Your assistant is about to book', 'at Test Studio for you', 'within 10 minutes'],
  },
  'buyer desk_invitation': {
    cause: ({ desk, shop }) => {
      const input = { name: 'Kim', role: 'staff', email: 'kim@example.com' }
      return desk.call('usp_business_staff_invite', input, { as: shop.staff })
    },
    says: ['Welcome, Kim', 'within 3 days', 'https://book.example/desk/enter/'],
  },
  'buyer desk_link': {
    cause: async ({ desk, shop }) => {
      const input = { name: 'Sam', role: 'staff', email: 'sam@example.com' }
      await desk.call('usp_business_staff_invite', input, { as: shop.staff })
      const one = ways(shop).person()
      await one.send('/desk/enter', { form: tokenIn(await one.open('/desk')), email: 'sam@example.com' })
    },
    says: ['Your sign-in link', 'It works once, within 15 minutes', 'https://book.example/desk/enter/'],
  },
  'buyer mail_server_test': {
    cause: async ({ desk, shop }) => {
      const input = { to: 'kim@example.com' }
      await desk.call('usp_business_mail_server_test', input, { as: await shop.staffAs('owner') })
      shop.minutesLater(1)
    },
    says: ['Your email works', 'Customers of Test Studio get confirmations'],
  },
  'staff booking.requested': {
    cause: ({ desk }) => bookedBy(desk, 'svc_asked'),
    says: ['Alice Williams requests a booking', 'Confirm or decline it by Saturday, November 21', 'alice@example.com'],
  },
  'staff booking.confirmed': {
    cause: ({ desk }) => bookedBy(desk, 'svc_spot'),
    says: ['Alice Williams is booked', 'alice@example.com'],
  },
  'staff booking.withdrawn': {
    cause: async ({ desk }) => desk.cancel((await bookedBy(desk, 'svc_asked')).id, { reason: 'I am ill.' }),
    says: ['Alice Williams withdrew a request', 'The time is available again.', 'Alice Williams writes: I am ill.'],
  },
  'staff booking.unanswered': { cause: unanswered, says: ['The request of Alice Williams expired'] },
  'staff booking.canceled': {
    cause: async (world) => world.desk.cancel((await paid(world, 'svc_paid')).id),
    says: ['Alice Williams canceled', '$75.00 will be refunded to Alice Williams the way it was paid.'],
  },
  'staff booking.lapsed': { cause: lapsed, says: ['The booking of Alice Williams expired'] },
  'staff booking.moved': {
    cause: moved,
    says: ['Alice Williams rescheduled a booking', 'New time: Tuesday, November 24, 2026'],
  },
  'staff booking.payment_claimed': {
    cause: async ({ desk, shop }) => {
      const page = continueUrl(await bookedBy(desk, 'svc_paid'), 'payment')
      for (let time = 0; time < 2; time++) await browser(shop).send(page, { do: 'claim' })
    },
    says: ['Alice Williams reports a payment of $75.00', 'confirm it in the calendar'],
  },
  'staff booking.dispute_opened': {
    cause: async (world) =>
      world.staff('bookings_dispute_open', { booking_id: (await paid(world, 'svc_paid')).id, reason: 'duplicate' }),
    says: ['Alice Williams disputes a payment', 'The reason given is duplicate.'],
  },
  'staff booking.refund_refused': {
    cause: async ({ paid: { bookedAndPaid, stripe, desk, shop, aMinuteLater } }) => {
      const booking = await bookedAndPaid('svc_paid')
      stripe.refundsEnd = 'failed'
      await desk.cancel(booking.id)
      await aMinuteLater()
      shop.minutesLater(60)
      await aMinuteLater()
    },
    says: ['The refund of $82.50 failed', 'stripe refused it', 'Please refund the money another way.'],
  },
}
