import { confirmBooking } from '../../domain/bookings/confirm-booking.ts'
import { createBooking } from '../../domain/bookings/create-booking.ts'
import { book as bookAtDesk } from '../../domain/desk/bookings/create-booking.ts'
import { markPaid } from '../../domain/desk/money/mark-booking-paid.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { Booking, TimeSlot } from '../../protocol/types.generated.ts'
import { asBuyer, asStaff, freeSlots } from './call-operations.ts'
import type { DemoSimulation } from './demo-simulation.ts'
import type { InventedPerson } from './invented-people.ts'
import type { Visit } from './plan-visits.ts'
import { type Random, randomFrom } from './random-numbers.ts'
import { asAt, type SimulatedTime } from './simulated-time.ts'

const NOTES = [
  'First time here.',
  'I may be five minutes late.',
  'Please call when you are ready.',
  'I come with a friend.',
  'Short break for a phone call at noon, if possible.',
]
const STREETS = ['Mott Street', 'Bleecker Street', 'Spring Street', 'Grand Street', 'Lafayette Street']

/**
 * Books the free time that is nearest to the wished time. Usually, the staff then approve the booking, and the buyer
 * pays.
 */
export async function bookVisit(simulation: DemoSimulation, visit: Visit): Promise<Booking | undefined> {
  const known = await simulation.bookingOf(visit.key)
  if (known) return known
  const at = new Date(visit.bookedAt)
  const slot = await nearestSlot(simulation, visit, at)
  return slot && simulation.make(visit.key, at, (moment) => bookSlot(moment, { ...visit, slot }))
}

async function nearestSlot(
  { runtime, staffId }: DemoSimulation,
  visit: Visit,
  at: Date,
): Promise<TimeSlot | undefined> {
  const { service, date, party, way, wish, key } = visit
  const wanted = { service, from: date, party, ...(way === 'desk' && { staffId }) }
  const free = (await freeSlots(asAt(runtime, at), wanted)).filter(({ state }) => state !== 'waitlist')
  // Several people can be free at the same time. The random part of up to an hour chooses one of them.
  const random = randomFrom(key)
  const distances = free.map((slot) => ({
    slot,
    distance: Math.abs(Date.parse(slot.start) - wish) + random.between(0, 60) * MINUTE,
  }))
  return distances.toSorted((one, other) => one.distance - other.distance)[0]?.slot
}

export type BookedVisit = Pick<Visit, 'key' | 'service' | 'person' | 'party' | 'way' | 'isLeftOpen'> & {
  slot: Pick<TimeSlot, 'id'>
}

export async function bookSlot(moment: SimulatedTime, visit: BookedVisit): Promise<Booking> {
  const { key, service, person, party, way, slot, isLeftOpen = false } = visit
  const random = randomFrom(`${key} details`)
  const input = {
    ...{ service_id: service, slot_id: slot.id, party_size: party },
    buyer: buyerOf(person, { hasPhone: service === 'svc_call' || random.chance(0.8) }),
    ...(random.chance(0.12) && { notes: random.pick(NOTES) }),
    ...(service === 'svc_plumbing' && { delivery_address: addressOf(random) }),
  }
  const { booking } =
    way === 'desk'
      ? await asStaff(moment, bookAtDesk, input)
      : await asBuyer({ ...moment, person, way }, createBooking, input)
  moment.note(`booking ${booking.id}`)
  if (isLeftOpen || way === 'desk') return booking
  return settle(moment, booking, random)
}

/** The staff approve a request after 15 to 120 minutes. If a payment is due, the staff record it some minutes later. */
async function settle(moment: SimulatedTime, booking: Booking, random: Random): Promise<Booking> {
  const booking_id = booking.id
  if (booking.status === 'pending') {
    moment.moveOn(random.between(15, 120))
    return (await asStaff(moment, confirmBooking, { booking_id })).booking
  }
  if (booking.status !== 'requires_action') return booking
  moment.moveOn(random.between(3, 25))
  return (await asStaff(moment, markPaid, { booking_id, kind: random.chance(0.8) ? 'card' : 'transfer' })).booking
}

function buyerOf({ first_name, last_name, email, phone_number }: InventedPerson, { hasPhone }: { hasPhone: boolean }) {
  return { first_name, last_name, email, ...(hasPhone && { phone_number }) }
}

const addressOf = (random: Random) => ({
  line1: `${Math.floor(random.between(10, 240))} ${random.pick(STREETS)}`,
  ...{ city: 'New York', region: 'NY', postal_code: '10012', country: 'US' },
})
