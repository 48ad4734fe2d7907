import { cancelBooking } from '../../domain/bookings/cancel-booking.ts'
import { cancel as cancelAtDesk } from '../../domain/desk/bookings/cancel-booking.ts'
import { complete } from '../../domain/desk/bookings/complete-booking.ts'
import { noShow } from '../../domain/desk/bookings/mark-no-show.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { start } from '../../domain/desk/bookings/start-booking.ts'
import { noteCustomer } from '../../domain/desk/customers/note-customer.ts'
import { markPaid } from '../../domain/desk/money/mark-booking-paid.ts'
import { HOUR, MINUTE } from '../../infra/time/time-units.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import { bookVisit } from './book-visit.ts'
import { moveVisit } from './move-visit.ts'
import type { Visit } from './plan-visits.ts'
import { type Random, randomFrom } from './random-numbers.ts'
import { eventOf, type StoryEvent } from './story-agenda.ts'
import { asBuyer, asStaff } from './story-calls.ts'
import type { StoryTeller } from './story-teller.ts'

/** The first event of a visit: its booking. The next events depend on the booked time. */
export const visitEvent = (teller: StoryTeller, visit: Visit): StoryEvent => ({
  at: visit.bookedAt,
  run: async () => {
    const booking = await bookVisit(teller, visit)
    return booking && afterBooking(teller, visit, booking)
  },
})

function afterBooking(teller: StoryTeller, visit: Visit, booking: Booking): StoryEvent[] {
  const starts = Date.parse(booking.slot.start)
  const random = randomFrom(`${visit.key} fate`)
  const changedAt = random.between(visit.bookedAt + 30 * MINUTE, starts - 3 * HOUR)
  const isInTime = changedAt > visit.bookedAt
  if (visit.fate === 'canceled' && isInTime) return [cancelEvent(teller, visit, booking, changedAt)]
  if (visit.fate === 'moved' && isInTime) {
    const run = async () => dayOfVisit(teller, visit, await moveVisit(teller, visit, booking, new Date(changedAt)))
    return [{ at: changedAt, run }]
  }
  return dayOfVisit(teller, visit, booking)
}

function cancelEvent(teller: StoryTeller, visit: Visit, { id }: Booking, at: number): StoryEvent {
  const { key, way, person } = visit
  return eventOf(teller, `${key} cancel`, at, (story) =>
    way === 'desk'
      ? asStaff(story, cancelAtDesk, { booking_id: id, reason: 'Called to cancel.' })
      : asBuyer({ ...story, person, way }, cancelBooking, { booking_id: id }),
  )
}

const GRACE_MINUTES = 20

function dayOfVisit(teller: StoryTeller, visit: Visit, { id, slot }: Booking): StoryEvent[] {
  const random = randomFrom(`${visit.key} day`)
  const [starts, ends] = [Date.parse(slot.start), Date.parse(slot.end)]
  if (visit.fate === 'no_show')
    return [
      eventOf(teller, `${visit.key} missed`, starts + GRACE_MINUTES * MINUTE, (story) =>
        asStaff(story, noShow, { booking_id: id }),
      ),
    ]
  return [
    eventOf(teller, `${visit.key} start`, starts + random.between(-4, 5) * MINUTE, (story) =>
      asStaff(story, start, { booking_id: id }),
    ),
    leaveEvent(teller, visit, id, ends + random.between(-2, 6) * MINUTE),
    ...noteEvents(teller, visit, id, ends + 20 * MINUTE),
  ]
}

/** The visit ends, and the buyer pays what is left to pay, some of them with a tip. */
function leaveEvent(teller: StoryTeller, { key }: Visit, booking_id: string, at: number): StoryEvent {
  const random = randomFrom(`${key} payment`)
  return eventOf(teller, `${key} leave`, at, async (story) => {
    const { details } = await asStaff(teller, readBooking, { booking_id })
    await asStaff(story, complete, { booking_id })
    const { to_pay: amount = 0 } = details
    if (amount === 0) return
    story.moveOn(3)
    await asStaff(story, markPaid, { booking_id, amount, kind: paymentKind(random), ...tipOf(random, amount) })
  })
}

const paymentKind = (random: Random) =>
  random.pick(['card', 'card', 'card', 'card', 'cash', 'cash', 'transfer', 'voucher'] as const)

function tipOf(random: Random, amount: number) {
  return random.chance(0.35) && { tip: Math.round((amount * random.pick([0.1, 0.15, 0.2])) / 100) * 100 }
}

/** The staff write the note on a customer after a visit. */
function noteEvents(teller: StoryTeller, { person }: Visit, customer_id: string, at: number): StoryEvent[] {
  const { note = '', tags = [] } = person
  if (note === '' && tags.length === 0) return []
  return [
    eventOf(teller, `note on ${person.email}`, at, (story) =>
      asStaff(story, noteCustomer, { customer_id, note, tags }),
    ),
  ]
}
