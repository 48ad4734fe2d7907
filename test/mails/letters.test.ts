import { afterEach, expect, test } from 'vitest'
import { referenceOf } from '../../src/domain/bookings/booking-response.ts'
import { confirmAttendance } from '../../src/domain/bookings/confirm-attendance.ts'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { claimPayment } from '../../src/domain/bookings/report-payment-by-buyer.ts'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import { type Desk, onBothDesks } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { bookedBy, staffOf, type TalkingShop, type Told, talkingShop } from './letters-shop.ts'

interface World {
  desk: Desk
  shop: TalkingShop
  staff: ReturnType<typeof staffOf>
}

interface Case {
  what: string
  /** What comes before, of which nothing is asked here. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  given: (world: World) => Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  act?: (booking: any, world: World) => Promise<unknown>
  told: string[]
  /** Each of it stands somewhere in what the buyer is told, or the staff where the buyer is told nothing. */
  says: string[]
  saysNot?: string[]
  calendar?: 'REQUEST' | 'CANCEL'
}

const booked =
  (service: string): Case['given'] =>
  ({ desk }) =>
    bookedBy(desk, service)

const paid =
  (service: string): Case['given'] =>
  async ({ desk }) =>
    (await desk.pay(await bookedBy(desk, service))).data.booking

const before = (shop: TalkingShop, start: string, hours: number) => {
  shop.time.now = new Date(Date.parse(start) - hours * 3_600_000)
}

const nothing: Pick<Told, 'letter'> = { letter: { subject: '', heading: '', paragraphs: [] } }

const cases: Case[] = [
  {
    what: 'books what asks for a deposit',
    given: booked('svc_deposit'),
    told: ['buyer booking.to_complete'],
    says: ['Price: $99.99, $30.00 of it in advance', 'Amount due: $30.00', 'Due at your appointment: $69.99'],
  },
  {
    what: 'books what costs less than its deposit [PAY-010]',
    given: booked('svc_cheap'),
    told: ['buyer booking.to_complete'],
    says: ['Price: $20.00', 'Amount due: $20.00'],
    saysNot: ['in advance', 'Due at your appointment'],
  },
  {
    what: 'books what stands at once',
    given: booked('svc_spot'),
    told: ['buyer booking.confirmed', 'staff booking.confirmed'],
    says: [
      'You are booked',
      'Where: Main Street, 1 Main St, New York',
      'due at your appointment',
      'After that, canceling costs $20.00',
      'EST',
    ],
    calendar: 'REQUEST',
  },
  {
    what: 'asks the business',
    given: booked('svc_asked'),
    told: ['buyer booking.requested', 'staff booking.requested'],
    says: ['We have your request', 'You will get an answer by', 'You pay nothing before'],
    saysNot: ['Amount due', 'IBAN'],
  },
  {
    what: 'books late',
    given: async ({ desk, shop }) => {
      const [slot] = await desk.slots('svc_spot')
      before(shop, slot.start, 3)
      return (await desk.book(slot)).data.booking
    },
    told: ['buyer booking.confirmed', 'staff booking.confirmed'],
    says: ['Canceling costs $20.00.'],
    saysNot: ['free until'],
    calendar: 'REQUEST',
  },
  {
    what: 'books what has to be paid first',
    given: booked('svc_paid'),
    told: ['buyer booking.to_complete'],
    says: [
      'is held for you until Saturday, November 21, 2026',
      'Pay $75.00.',
      'Cash or card at our desk',
      'Transfer $75.00',
      'call +1 212 555 0143',
      'IBAN: DE02 1203 0000 0000 2020 51',
      'BIC: BYLADEM1001',
      'See how to pay, or report your payment',
    ],
  },
  {
    what: 'books what asks for several things',
    given: booked('svc_all'),
    told: ['buyer booking.to_complete'],
    says: ['Agree to the terms.', 'Answer a few questions.', 'Pay $75.00.', '/waiver/', '/intake/', '/payment/'],
  },
  {
    what: 'has paid',
    given: booked('svc_paid'),
    act: (booking, { desk }) => desk.pay(booking),
    told: ['buyer booking.confirmed', 'staff booking.confirmed'],
    says: ['You are booked', 'Price: $75.00\n', 'Paid: $75.00'],
    calendar: 'REQUEST',
  },
  {
    what: 'has paid, as the staff say',
    given: booked('svc_paid'),
    act: ({ id }, { staff }) => staff('bookings_mark_paid', { booking_id: id }),
    told: ['buyer booking.confirmed'],
    says: ['Paid: $75.00'],
    calendar: 'REQUEST',
  },
  {
    what: 'is agreed to',
    given: booked('svc_free_asked'),
    act: ({ id }, { desk }) => desk.confirm(id, { notes: 'Bring a towel.' }),
    told: ['buyer booking.approved'],
    says: ['Test Studio accepted your request', 'is confirmed', 'Message from Test Studio: Bring a towel.'],
    calendar: 'REQUEST',
  },
  {
    what: 'is agreed to, and has to pay',
    given: booked('svc_asked'),
    act: ({ id }, { desk }) => desk.confirm(id),
    told: ['buyer booking.approved'],
    says: ['To confirm your booking:', 'Pay $75.00.', 'Transfer $75.00', '/payment/'],
    calendar: 'REQUEST',
  },
  {
    what: 'is declined',
    given: booked('svc_asked'),
    act: ({ id }, { staff }) => staff('bookings_decline', { booking_id: id, reason: 'We are away.' }),
    told: ['buyer booking.declined'],
    says: ['cannot accept your request', 'Test Studio writes: We are away.'],
  },
  {
    what: 'withdraws the request',
    given: booked('svc_asked'),
    act: ({ id }, { desk }) => desk.cancel(id),
    told: ['buyer booking.withdrawn', 'staff booking.withdrawn'],
    says: ['You withdrew your request'],
  },
  {
    what: 'is not answered',
    given: booked('svc_asked'),
    act: async (_, { shop }) => {
      shop.minutesLater(25 * 60)
      await expireOverdue(shop.runtime, shop.time.now)
    },
    told: ['buyer booking.unanswered', 'staff booking.unanswered'],
    says: ['did not answer by Saturday, November 21, 2026'],
  },
  {
    what: 'moves it',
    given: booked('svc_spot'),
    act: async ({ id }, { desk }) => desk.reschedule(id, (await desk.slots('svc_spot'))[0]),
    told: ['buyer booking.moved', 'staff booking.moved'],
    says: ['Old time: Monday, November 30, 2026', 'New time: Tuesday, November 24, 2026'],
    calendar: 'REQUEST',
  },
  {
    what: 'moves it to a dearer time',
    given: async ({ desk }) => (await desk.pay(await bookedBy(desk, 'svc_dear', 0))).data.booking,
    act: async ({ id }, { desk }) => desk.reschedule(id, (await desk.slots('svc_dear')).at(-1)),
    told: ['buyer booking.moved', 'staff booking.moved'],
    says: ['To confirm your booking:', 'Pay $25.00.', 'Transfer $25.00'],
    calendar: 'REQUEST',
  },
  {
    what: 'moved it to a dearer time and did not pay',
    given: async ({ desk }) => {
      const { booking } = (await desk.pay(await bookedBy(desk, 'svc_dear', 0))).data
      return (await desk.reschedule(booking.id, (await desk.slots('svc_dear')).at(-1))).data.booking
    },
    act: async (_, { shop }) => {
      shop.minutesLater(25 * 60)
      await expireOverdue(shop.runtime, shop.time.now)
    },
    told: ['buyer booking.lapsed', 'staff booking.lapsed'],
    says: ['$75.00 will be refunded the way you paid.'],
    calendar: 'CANCEL',
  },
  {
    what: 'is moved by the staff',
    given: booked('svc_spot'),
    act: async ({ id }, { desk, staff }) =>
      staff('bookings_reschedule', { booking_id: id, slot_id: (await desk.slots('svc_spot'))[0].id }),
    told: ['buyer booking.moved_by_business'],
    says: ['Test Studio rescheduled your booking', 'New time: Tuesday, November 24, 2026', 'If this does not suit you'],
    calendar: 'REQUEST',
  },
  {
    what: 'says something else',
    given: booked('svc_spot'),
    act: ({ id }, { desk }) => desk.update(id, { notes: 'Ring the bell' }),
    told: ['buyer booking.changed'],
    says: ['Your booking was changed', 'the notes have changed'],
    saysNot: ['Ring the bell'],
    calendar: 'REQUEST',
  },
  {
    what: 'is corrected by the staff',
    given: booked('svc_spot'),
    act: ({ id }, { staff }) => staff('bookings_correct', { booking_id: id, buyer: { last_name: 'Wiliams' } }),
    told: ['buyer booking.changed'],
    says: ['Your booking was changed', 'the notes have changed'],
    calendar: 'REQUEST',
  },
  {
    what: 'cancels what is paid at the appointment',
    given: booked('svc_spot'),
    act: ({ id }, { desk }) => desk.cancel(id),
    told: ['buyer booking.canceled', 'staff booking.canceled'],
    says: ['Price: $75.00'],
    saysNot: ['due at your appointment'],
    calendar: 'CANCEL',
  },
  {
    what: 'cancels in time',
    given: paid('svc_paid'),
    act: ({ id }, { desk }) => desk.cancel(id, { reason: 'I am ill.' }),
    told: ['buyer booking.canceled', 'staff booking.canceled'],
    says: ['Your booking is canceled', '$75.00 will be refunded the way you paid.'],
    calendar: 'CANCEL',
  },
  {
    what: 'cancels late',
    given: paid('svc_paid'),
    act: async ({ id, slot }, { desk, shop }) => {
      before(shop, slot.start, 3)
      await desk.cancel(id)
    },
    told: ['buyer booking.canceled', 'staff booking.canceled'],
    says: ['The fee for this late cancellation is $20.00', '$55.00 will be refunded'],
    calendar: 'CANCEL',
  },
  {
    what: 'leaves it undone and cancels',
    given: booked('svc_paid'),
    act: ({ id }, { desk }) => desk.cancel(id),
    told: ['buyer booking.canceled'],
    says: ['Your booking is canceled'],
  },
  {
    what: 'is canceled by the business',
    given: paid('svc_paid'),
    act: ({ id }, { staff }) => staff('bookings_cancel', { booking_id: id, reason: 'The pipes burst.' }),
    told: ['buyer booking.canceled_by_business'],
    says: ['had to cancel', 'Test Studio writes: The pipes burst.', '$75.00 will be refunded'],
    calendar: 'CANCEL',
  },
  {
    what: 'does not pay in time',
    given: booked('svc_paid'),
    act: async (_, { shop }) => {
      shop.minutesLater(24 * 60)
      await expireOverdue(shop.runtime, shop.time.now)
    },
    told: ['buyer booking.lapsed'],
    says: [
      'Your booking has expired',
      'were not completed by Saturday, November 21, 2026',
      'Please do not pay for it any more.',
    ],
  },
  {
    what: 'does not come to what is paid there',
    given: booked('svc_spot'),
    act: async ({ id, slot }, { shop, staff }) => {
      before(shop, slot.start, -1)
      await staff('bookings_no_show', { booking_id: id })
    },
    told: ['buyer booking.no_show_fee'],
    says: ['The no-show fee for your booking is $25.00', 'You still owe $25.00', 'Transfer $25.00'],
  },
  {
    what: 'does not come to what was paid',
    given: paid('svc_paid'),
    act: async ({ id, slot }, { shop, staff }) => {
      before(shop, slot.start, -1)
      await staff('bookings_no_show', { booking_id: id })
    },
    told: ['buyer booking.no_show_fee'],
    says: ['is $37.50', 'deducted from your payment', '$37.50 will be refunded'],
  },
  {
    what: 'is given something back',
    given: async ({ desk, staff }) => {
      const { booking } = (await desk.pay(await bookedBy(desk, 'svc_paid'))).data
      await staff('bookings_refund', { booking_id: booking.id, amount: 500 })
      return booking
    },
    act: ({ id }, { staff }) => staff('bookings_refund', { booking_id: id, amount: 1000 }),
    told: ['buyer booking.refunded'],
    says: ['It is refunded the way you paid.', 'The total refund is $15.00.', 'Refunded: $15.00'],
  },
  {
    what: 'canceled late and is given the fee back',
    given: async ({ desk, shop }) => {
      const { booking } = (await desk.pay(await bookedBy(desk, 'svc_paid'))).data
      before(shop, booking.slot.start, 3)
      return (await desk.cancel(booking.id)).data.booking
    },
    act: ({ id }, { staff }) => staff('bookings_refund', { booking_id: id, amount: 2000 }),
    told: ['buyer booking.refunded'],
    says: ['You get a refund of $20.00', 'The total refund is $75.00.'],
  },
  {
    what: 'is reminded',
    given: booked('svc_spot'),
    act: async ({ slot }, { shop }) => {
      before(shop, slot.start, 24)
      await remind(shop.runtime, shop.time.now)
    },
    told: ['buyer booking.reminder'],
    says: [
      'Your booking with Test Studio begins Monday, November 30, 2026',
      'Please confirm that you will be there.',
      'Confirm that you will be there https://book.example/booking/',
      'View or change your booking https://book.example/booking/',
    ],
    saysNot: ['You confirmed'],
  },
  {
    what: 'has confirmed to come, and is reminded',
    given: booked('svc_spot'),
    act: async ({ id, slot }, { shop }) => {
      before(shop, slot.start, 24)
      await shop.runtime.makeChange((tx) => confirmAttendance(tx, id, shop.time.now))
      await remind(shop.runtime, shop.time.now)
    },
    told: ['buyer booking.reminder'],
    says: ['You confirmed that you will be there.', 'View or change your booking'],
    saysNot: ['Please confirm', 'Confirm that', '/attend/'],
  },
  {
    what: 'says to have paid',
    given: booked('svc_paid'),
    act: async ({ id }, { shop }) => {
      for (let time = 0; time < 2; time++) await shop.runtime.makeChange((tx) => claimPayment(tx, id, shop.time.now))
    },
    told: ['staff booking.payment_claimed'],
    says: ['Alice Williams reports a payment of $75.00', 'confirm it in the calendar', 'Email: alice@example.com'],
  },
  {
    what: 'disputes the payment',
    given: paid('svc_paid'),
    act: ({ id }, { staff }) => staff('bookings_dispute_open', { booking_id: id, reason: 'duplicate' }),
    told: ['staff booking.dispute_opened'],
    says: ['disputes a payment', 'The reason given is duplicate.'],
  },
]

await onBothDesks(talkingShop, (desk, shop) => {
  afterEach(() => {
    shop.time.now = START
  })

  test.each(cases)('[letters] whoever $what', async ({ given, act, told, says, saysNot = [], calendar }) => {
    const world = { desk, shop, staff: staffOf(desk, shop) }
    const booking = await given(world)
    const earlier = act ? (await shop.lettersOf(booking)).length : 0
    await act?.(booking, world)
    const letters = (await shop.lettersOf(booking)).slice(earlier)
    expect(letters.map(({ kind, audience }) => `${audience} ${kind}`)).toEqual(told)
    const [{ letter } = nothing] = letters
    const { subject, heading, paragraphs, rows = [], actions = [] } = letter
    const text = [
      ...[subject, heading, ...paragraphs],
      ...rows.map((row) => row.join(': ')),
      ...actions.map(({ label, url }) => `${label} ${url}`),
    ].join('\n')
    for (const words of says) expect(text).toContain(words)
    for (const words of saysNot) expect(text).not.toContain(words)
    expect(text).toContain(`Reference: ${referenceOf(booking)}`)
    expect(text).not.toMatch(/undefined|Invalid|\{|\}|'/)
    expect(letter.calendar?.method).toBe(calendar)
    const last = actions.findLast(({ label }) => !label.startsWith('Add to '))
    if (told[0]?.startsWith('buyer')) expect(last?.url).toBe(booking.booking_url)
  })
})
