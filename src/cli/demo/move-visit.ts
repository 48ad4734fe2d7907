import { reschedule } from '../../domain/desk/bookings/reschedule-booking.ts'
import { daysLater } from '../../infra/time/time-zone.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import { asStaff, freeSlots } from './call-operations.ts'
import type { DemoSimulation } from './demo-simulation.ts'
import type { Visit } from './plan-visits.ts'
import { asAt } from './simulated-time.ts'

const WITHIN_DAYS = 3

/** Moves a booking to a similar time on one of the next days, like staff after a call of the buyer. */
export async function moveVisit(
  simulation: DemoSimulation,
  visit: Visit,
  booking: Booking,
  at: Date,
): Promise<Booking> {
  const { key, service, date, party } = visit
  const { runtime, staffId } = simulation
  const known = await simulation.bookingOf(`${key} move`)
  if (known) return known
  const range = { from: daysLater(date, 1), to: daysLater(date, WITHIN_DAYS) }
  const free = await freeSlots(asAt(runtime, at), { service, ...range, party, staffId })
  const [slot] = free.filter(({ state }) => state !== 'waitlist').toSorted(byTimeOfDay(booking.slot.start))
  if (!slot) return booking
  const moved = await simulation.make(`${key} move`, at, async (moment) => {
    moment.note(`booking ${booking.id}`)
    return (await asStaff(moment, reschedule, { booking_id: booking.id, slot_id: slot.id })).booking
  })
  return moved ?? booking
}

const TIME = 'YYYY-MM-DDT'.length

function byTimeOfDay(start: string) {
  const minutesOf = (text: string) => Number(text.slice(TIME, TIME + 2)) * 60 + Number(text.slice(TIME + 3, TIME + 5))
  const distance = (other: { start: string }) => Math.abs(minutesOf(other.start) - minutesOf(start))
  return (one: { start: string }, other: { start: string }) => distance(one) - distance(other)
}
