import type { Plan } from '../../domain/availability/plan.ts'
import { queryAvailability } from '../../domain/availability/query-availability.ts'
import { isPartOf } from '../../domain/availability/with-resource.ts'
import { MINUTE } from '../../infra/time/units.ts'
import type { Message, TimeSlot } from '../../protocol/types.generated.ts'
import { persons } from '../booking-flow/choice.ts'
import { ask } from './ask.ts'
import { type Asked, Unable } from './tool.ts'
import { theirs } from './words.ts'

/** What somebody looks for. */
export interface Wish {
  from: string
  to: string
  people: readonly string[]
  party: number | undefined
  location: string | undefined
  limit: number
}

/** What begins and ends together of one service: a slot for each with whom it can be. */
export interface FreeTime {
  plan: Plan
  start: number
  end: number
  slots: TimeSlot[]
}

export interface Found {
  times: FreeTime[]
  /** From which instant on there are more. */
  moreFrom: number | undefined
  /** What the business says of these days, or why there is nothing. */
  notices: Message[]
}

/** So many slots are looked at, for each time and in all. */
const MOST_A_TIME = 8
const MOST_SLOTS = 200

/** A time has one for each with whom it can be, where, and for how long. */
const slotsATime = (plan: Plan, person: string | undefined): number => {
  const choices = [person === undefined ? persons(plan) : [person], plan.locations, plan.durations]
  return Math.min(
    MOST_A_TIME,
    choices.map(({ length }) => Math.max(1, length)).reduce((all, one) => all * one),
  )
}

/** The earliest times of any of these services, with any of these people where some were named. */
export async function freeTimes(plans: readonly Plan[], wish: Wish, asked: Asked): Promise<Found> {
  const pages = await Promise.all(questionsOf(plans, wish).map((question) => pageOf(question, wish.limit, asked)))
  // Beyond the end of one page nobody knows what else there is.
  const known = Math.min(...pages.map(({ end }) => end))
  const all = together(pages).filter(({ start }) => start <= known)
  // What begins together is told together: the next call begins after it.
  const last = (all[wish.limit - 1] ?? all.at(-1))?.start ?? Number.NEGATIVE_INFINITY
  const next = all.find(({ start }) => start > last)?.start ?? Math.max(known, last + MINUTE)
  return {
    times: all.filter(({ start }) => start <= last),
    moreFrom: Number.isFinite(next) ? next : undefined,
    notices: pages.flatMap(({ notices }) => notices),
  }
}

/** A name, or an id of somebody else, would find nothing, as if all were booked. */
export function refuseUnknown(plans: readonly Plan[], { people, location }: Pick<Wish, 'people' | 'location'>): void {
  const stranger = people.find((id) => !plans.some((plan) => isPartOf(plan, id)))
  if (stranger !== undefined)
    throw new Unable(
      `Nobody with the id ${JSON.stringify(stranger)} does this. ${knownAs('with', plans.flatMap(persons))}`,
    )
  if (location === undefined || plans.some(({ locations }) => locations.includes(location))) return
  const places = plans.flatMap((plan) =>
    (plan.business.locations ?? []).filter(({ id }) => plan.locations.includes(id)),
  )
  throw new Unable(
    `There is no place with the id ${JSON.stringify(location)} for this. ${knownAs('location_id', places)}`,
  )
}

function knownAs(member: string, all: readonly { id: string; name: string }[]): string {
  const known = [...new Map(all.map(({ id, name }) => [id, `${id} ${theirs(name)}`])).values()].slice(0, MOST_NAMED)
  return known.length === 0 ? `Leave out ${member}.` : `${member} takes ids such as ${known.join(', ')}.`
}

const MOST_NAMED = 10

/** What is asked for each service, and of each of those who are named and have a part in it. */
export const questionsOf = (plans: readonly Plan[], wish: Wish) =>
  plans.flatMap((plan) => peopleFor(plan, wish).map((person) => ({ plan, input: inputOf(plan, person, wish) })))

/** Anybody where nobody is named. */
const peopleFor = (plan: Plan, { people }: Wish): (string | undefined)[] =>
  people.length === 0 ? [undefined] : people.filter((id) => isPartOf(plan, id))

const inputOf = ({ service }: Plan, person: string | undefined, { from, to, party, location }: Wish) => ({
  ...{ service_id: service.id, start_date: from, end_date: to },
  ...(person !== undefined && { resource_id: person }),
  ...(party !== undefined && { party_size: party }),
  ...(location !== undefined && { location_id: location }),
})

async function pageOf({ plan, input }: ReturnType<typeof questionsOf>[number], most: number, asked: Asked) {
  // One time more than is shown: from there on there are others.
  const limit = Math.min((most + 1) * slotsATime(plan, input.resource_id), MOST_SLOTS)
  const answer = await ask(queryAvailability, { ...input, limit }, asked)
  if (answer.refusal) throw new Unable(answer.refusal.content)
  const { slots, pagination, messages = [] } = answer.result
  const last = slots.at(-1)
  return {
    ...{ plan, slots },
    end: pagination?.has_more && last ? Date.parse(last.start) : Number.POSITIVE_INFINITY,
    notices: messages,
  }
}

/** What was found with one and with another is one time. */
function together(pages: readonly { plan: Plan; slots: readonly TimeSlot[] }[]): FreeTime[] {
  const times = new Map<string, FreeTime>()
  for (const { plan, slots } of pages)
    for (const slot of slots) {
      const key = `${plan.service.id} ${slot.start} ${slot.end}`
      const time = times.get(key)
      if (time) time.slots.push(slot)
      else times.set(key, { plan, start: Date.parse(slot.start), end: Date.parse(slot.end), slots: [slot] })
    }
  return [...times.values()].sort((one, other) => one.start - other.start)
}
