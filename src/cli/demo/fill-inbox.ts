import { claimPayment } from '../../domain/bookings/report-payment-by-buyer.ts'
import { HOUR, MINUTE } from '../../infra/time/time-units.ts'
import { startOfDay } from '../../infra/time/time-zone.ts'
import { bookVisit } from './book-visit.ts'
import type { DemoSimulation } from './demo-simulation.ts'
import { inventedPeople } from './invented-people.ts'
import type { SimulationFrame, Visit } from './plan-visits.ts'
import { eventOf, type SimulatedEvent } from './simulated-event-queue.ts'

/**
 * The open bookings in the inbox. The columns are: service, number of open days from today, wished hour, minutes since
 * the booking, and index of the person.
 */
const OPEN: readonly [service: string, day: number, hour: number, minutes: number, person: number][] = [
  ['svc_consult', 3, 14, 95, 20],
  ['svc_massage', 4, 15, 75, 41],
  ['svc_consult', 5, 11, 35, 10],
]
/** The buyer of the massage said this many minutes ago that they have paid. */
const CLAIMED_MINUTES = 25

/**
 * Leaves three tasks in the inbox of the staff: two requests to approve, and an unpaid booking whose buyer says that
 * they have paid. These events come last in the simulation, because the server ends open requests after a day.
 */
export function inboxEvents(simulation: DemoSimulation, { days, zone, begunAt }: SimulationFrame): SimulatedEvent[] {
  const ahead = days.filter(({ isOpen, offset, weekday }) => isOpen && offset >= 0 && weekday !== 0)
  return OPEN.flatMap(([service, day, hour, minutes, personNth], nth): SimulatedEvent[] => {
    const [person, date] = [inventedPeople[personNth], ahead[day]?.date]
    if (!person || date === undefined) return []
    const bookedAt = begunAt - minutes * MINUTE
    const wish = startOfDay(zone, date) + hour * HOUR
    const visit: Visit = {
      ...{ key: `open ${nth}`, service, date, wish, person, party: 1, way: 'page', bookedAt },
      ...{ fate: 'kept', isLeftOpen: true },
    }
    return [{ at: bookedAt, run: () => bookOpen(simulation, visit) }]
  })
}

async function bookOpen(simulation: DemoSimulation, visit: Visit): Promise<SimulatedEvent[]> {
  const booking = await bookVisit(simulation, visit)
  if (booking?.status !== 'requires_action') return []
  const at = simulation.begunAt.getTime() - CLAIMED_MINUTES * MINUTE
  return [
    eventOf(simulation, `${visit.key} claim`, at, ({ runtime }) =>
      runtime.makeChange((tx) => claimPayment(tx, booking.id, runtime.clock())),
    ),
  ]
}
