import { joinWaitlist } from '../../domain/waitlist/join-waitlist.ts'
import { DAY, MINUTE } from '../../infra/time/time-units.ts'
import type { TimeSlot } from '../../protocol/types.generated.ts'
import { bookSlot } from './book-visit.ts'
import { type InventedPerson, inventedPeople } from './invented-people.ts'
import type { StoryFrame } from './plan-visits.ts'
import { type Random, randomFrom } from './random-numbers.ts'
import { eventOf, type StoryEvent } from './story-agenda.ts'
import { asBuyer, freeSlots } from './story-calls.ts'
import type { StoryTeller } from './story-teller.ts'
import { asAt } from './story-time.ts'
import { CLASS } from './visit-rates.ts'

/** The free places that the next classes have left, and the number of people who wait for the full class. */
const PLACES_LEFT = [1, 0]
const WAITING = 3
const SEARCHED_DAYS = 8
/** The buyers book the classes in the last days. */
const BOOKED_DAYS = 6
/** A class that begins sooner than this many milliseconds is left as it is. */
const LEAD = 40 * MINUTE

/** Finds the next classes: the first becomes nearly full, and the second becomes full and gets a waitlist. */
export async function findNextClasses(
  teller: StoryTeller,
  { days, toldAt }: Pick<StoryFrame, 'days' | 'toldAt'>,
): Promise<TimeSlot[]> {
  const coming = days.filter(({ offset }) => offset >= 0 && offset <= SEARCHED_DAYS)
  const range = { from: coming[0]?.date ?? '', to: coming.at(-1)?.date ?? '' }
  const slots = await freeSlots(asAt(teller.runtime, openingOf(toldAt)), { service: CLASS, ...range })
  return slots.filter(({ start }) => Date.parse(start) > toldAt + LEAD).slice(0, PLACES_LEFT.length)
}

const openingOf = (toldAt: number) => new Date(toldAt - BOOKED_DAYS * DAY)

export function classEvents(
  teller: StoryTeller,
  classes: readonly TimeSlot[],
  { seed, toldAt }: StoryFrame,
): StoryEvent[] {
  return classes.flatMap((slot, nth) => {
    const random = randomFrom(`${seed} class ${nth}`)
    const people = shuffled(random)
    const left = PLACES_LEFT[nth] ?? 0
    const count = (slot.capacity?.total ?? 0) - left
    const bookings = people.slice(0, count).map((person, place): StoryEvent => {
      const at = Math.floor(openingOf(toldAt).getTime() + random.between(0.02, BOOKED_DAYS - 0.4) * DAY)
      const key = `class ${nth} ${place}`
      const way = random.pick(['page', 'page', 'desk'] as const)
      const visit = { key, service: CLASS, person, party: 1, slot, way }
      return eventOf(teller, key, at, (story) => bookSlot(story, visit))
    })
    return [...bookings, ...(left === 0 ? waitingEvents(teller, slot, people.slice(count, count + WAITING)) : [])]
  })
}

/** The people join the waitlist after nearly all bookings of the story. */
const waitingEvents = (teller: StoryTeller, { id }: TimeSlot, people: readonly InventedPerson[]): StoryEvent[] =>
  people.map((person, nth) => {
    const { first_name, last_name, email, phone_number } = person
    const input = { service_id: CLASS, slot_id: id, buyer: { first_name, last_name, email, phone_number } }
    const at = teller.toldAt.getTime() - (150 - nth * 35) * MINUTE
    return eventOf(teller, `waitlist ${nth}`, at, async (story) => {
      const { entry } = await asBuyer({ ...story, person, way: 'page' }, joinWaitlist, input)
      story.note(`entry ${entry.id}`)
    })
  })

function shuffled(random: Random) {
  const order = new Map(inventedPeople.map((person) => [person, random.between(0, 1)]))
  return inventedPeople.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))
}
