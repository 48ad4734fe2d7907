import { cancelBooking } from '../../domain/bookings/cancel-booking.ts'
import { cancel as cancelAtDesk } from '../../domain/desk/bookings/cancel-booking.ts'
import { complete } from '../../domain/desk/bookings/complete-booking.ts'
import { start } from '../../domain/desk/bookings/mark-booking-started.ts'
import { noShow } from '../../domain/desk/bookings/mark-no-show.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { noteCustomer } from '../../domain/desk/customers/write-customer-note.ts'
import { markPaid } from '../../domain/desk/money/mark-booking-paid.ts'
import { HOUR, MINUTE } from '../../infra/time/time-units.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import { bookVisit } from './book-visit.ts'
import { asBuyer, asStaff } from './call-operations.ts'
import type { DemoSimulation } from './demo-simulation.ts'
import { moveVisit } from './move-visit.ts'
import type { Visit } from './plan-visits.ts'
import { type Random, randomFrom } from './random-numbers.ts'
import { eventOf, type SimulatedEvent } from './simulated-event-queue.ts'

/** Makes the first event of a visit, which is its booking. The later events depend on the booked time. */
export const visitEvent = (simulation: DemoSimulation, visit: Visit): SimulatedEvent => ({
  at: visit.bookedAt,
  run: async () => {
    const booking = await bookVisit(simulation, visit)
    return booking && afterBooking(simulation, visit, booking)
  },
})

function afterBooking(simulation: DemoSimulation, visit: Visit, booking: Booking): SimulatedEvent[] {
  const starts = Date.parse(booking.slot.start)
  const random = randomFrom(`${visit.key} fate`)
  const changedAt = random.between(visit.bookedAt + 30 * MINUTE, starts - 3 * HOUR)
  const isInTime = changedAt > visit.bookedAt
  if (visit.fate === 'canceled' && isInTime) return [cancelEvent(simulation, visit, booking, changedAt)]
  if (visit.fate === 'moved' && isInTime) {
    const run = async () =>
      dayOfVisit(simulation, visit, await moveVisit(simulation, visit, booking, new Date(changedAt)))
    return [{ at: changedAt, run }]
  }
  return dayOfVisit(simulation, visit, booking)
}

function cancelEvent(simulation: DemoSimulation, visit: Visit, { id }: Booking, at: number): SimulatedEvent {
  const { key, way, person } = visit
  return eventOf(simulation, `${key} cancel`, at, (moment) =>
    way === 'desk'
      ? asStaff(moment, cancelAtDesk, { booking_id: id, reason: 'Called to cancel.' })
      : asBuyer({ ...moment, person, way }, cancelBooking, { booking_id: id }),
  )
}

const GRACE_MINUTES = 20

function dayOfVisit(simulation: DemoSimulation, visit: Visit, { id, slot }: Booking): SimulatedEvent[] {
  const random = randomFrom(`${visit.key} day`)
  const [starts, ends] = [Date.parse(slot.start), Date.parse(slot.end)]
  if (visit.fate === 'no_show')
    return [
      eventOf(simulation, `${visit.key} missed`, starts + GRACE_MINUTES * MINUTE, (moment) =>
        asStaff(moment, noShow, { booking_id: id }),
      ),
    ]
  return [
    eventOf(simulation, `${visit.key} start`, starts + random.between(-4, 5) * MINUTE, (moment) =>
      asStaff(moment, start, { booking_id: id }),
    ),
    leaveEvent(simulation, visit, id, ends + random.between(-2, 6) * MINUTE),
    ...noteEvents(simulation, visit, id, ends + 20 * MINUTE),
  ]
}

/** Returns the event at the end of a visit. The buyer pays the rest of the price, and some buyers add a tip. */
function leaveEvent(simulation: DemoSimulation, { key }: Visit, booking_id: string, at: number): SimulatedEvent {
  const random = randomFrom(`${key} payment`)
  return eventOf(simulation, `${key} leave`, at, async (moment) => {
    const { details } = await asStaff(simulation, readBooking, { booking_id })
    await asStaff(moment, complete, { booking_id })
    const { to_pay: amount = 0 } = details
    if (amount === 0) return
    moment.moveOn(3)
    await asStaff(moment, markPaid, { booking_id, amount, kind: paymentKind(random), ...tipOf(random, amount) })
  })
}

const paymentKind = (random: Random) =>
  random.pick(['card', 'card', 'card', 'card', 'cash', 'cash', 'transfer', 'voucher'] as const)

function tipOf(random: Random, amount: number) {
  return random.chance(0.35) && { tip: Math.round((amount * random.pick([0.1, 0.15, 0.2])) / 100) * 100 }
}

/** Returns the event in which the staff write a note about a customer after a visit. */
function noteEvents(simulation: DemoSimulation, { person }: Visit, customer_id: string, at: number): SimulatedEvent[] {
  const { note = '', tags = [] } = person
  if (note === '' && tags.length === 0) return []
  return [
    eventOf(simulation, `note on ${person.email}`, at, (moment) =>
      asStaff(moment, noteCustomer, { customer_id, note, tags }),
    ),
  ]
}
