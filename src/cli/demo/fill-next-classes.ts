import { joinWaitlist } from '../../domain/waitlist/join-waitlist.ts'
import { DAY, MINUTE } from '../../infra/time/time-units.ts'
import type { TimeSlot } from '../../protocol/types.generated.ts'
import { bookSlot } from './book-visit.ts'
import { asBuyer, freeSlots } from './call-operations.ts'
import type { DemoSimulation } from './demo-simulation.ts'
import { type InventedPerson, inventedPeople } from './invented-people.ts'
import type { SimulationFrame } from './plan-visits.ts'
import { type Random, randomFrom } from './random-numbers.ts'
import { eventOf, type SimulatedEvent } from './simulated-event-queue.ts'
import { asAt } from './simulated-time.ts'
import { CLASS } from './visits-per-service.ts'

/** The number of free places in each of the next classes. */
const PLACES_LEFT = [1, 0]
const WAITING = 3
const SEARCHED_DAYS = 8
/** The number of days before the start of the simulation in which the buyers book the classes. */
const BOOKED_DAYS = 6
/** The simulation adds no bookings to a class that begins in less than this many milliseconds. */
const LEAD = 40 * MINUTE

/**
 * Finds the next two classes. Later steps fill the first class except for one place. They fill the second class
 * completely, and some people join its waitlist.
 */
export async function findNextClasses(
  simulation: DemoSimulation,
  { days, begunAt }: Pick<SimulationFrame, 'days' | 'begunAt'>,
): Promise<TimeSlot[]> {
  const coming = days.filter(({ offset }) => offset >= 0 && offset <= SEARCHED_DAYS)
  const range = { from: coming[0]?.date ?? '', to: coming.at(-1)?.date ?? '' }
  const slots = await freeSlots(asAt(simulation.runtime, openingOf(begunAt)), { service: CLASS, ...range })
  return slots.filter(({ start }) => Date.parse(start) > begunAt + LEAD).slice(0, PLACES_LEFT.length)
}

const openingOf = (begunAt: number) => new Date(begunAt - BOOKED_DAYS * DAY)

export function classEvents(
  simulation: DemoSimulation,
  classes: readonly TimeSlot[],
  { seed, begunAt }: SimulationFrame,
): SimulatedEvent[] {
  return classes.flatMap((slot, nth) => {
    const random = randomFrom(`${seed} class ${nth}`)
    const people = shuffled(random)
    const left = PLACES_LEFT[nth] ?? 0
    const count = (slot.capacity?.total ?? 0) - left
    const bookings = people.slice(0, count).map((person, place): SimulatedEvent => {
      const at = Math.floor(openingOf(begunAt).getTime() + random.between(0.02, BOOKED_DAYS - 0.4) * DAY)
      const key = `class ${nth} ${place}`
      const way = random.pick(['page', 'page', 'desk'] as const)
      const visit = { key, service: CLASS, person, party: 1, slot, way }
      return eventOf(simulation, key, at, (moment) => bookSlot(moment, visit))
    })
    return [...bookings, ...(left === 0 ? waitingEvents(simulation, slot, people.slice(count, count + WAITING)) : [])]
  })
}

/** Returns the events in which people join the waitlist. They come after nearly all bookings of the simulation. */
const waitingEvents = (
  simulation: DemoSimulation,
  { id }: TimeSlot,
  people: readonly InventedPerson[],
): SimulatedEvent[] =>
  people.map((person, nth) => {
    const { first_name, last_name, email, phone_number } = person
    const input = { service_id: CLASS, slot_id: id, buyer: { first_name, last_name, email, phone_number } }
    const at = simulation.begunAt.getTime() - (150 - nth * 35) * MINUTE
    return eventOf(simulation, `waitlist ${nth}`, at, async (moment) => {
      const { entry } = await asBuyer({ ...moment, person, way: 'page' }, joinWaitlist, input)
      moment.note(`entry ${entry.id}`)
    })
  })

function shuffled(random: Random) {
  const order = new Map(inventedPeople.map((person) => [person, random.between(0, 1)]))
  return inventedPeople.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))
}
