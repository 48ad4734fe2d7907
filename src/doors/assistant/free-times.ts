import type { Plan } from '../../availability/plan.ts'
import { queryAvailability } from '../../availability/query-availability.ts'
import { isPartOf } from '../../availability/with-resource.ts'
import type { Message, TimeSlot } from '../../protocol/types.generated.ts'
import { ask } from './ask.ts'
import { type Asked, Unable } from './tool.ts'

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

/** So many slots are looked at for each time that is shown: one for each with whom it can be. */
const SLOTS_A_TIME = 8
const MOST_SLOTS = 200

/** The earliest times of any of these services, with any of these people where some were named. */
export async function freeTimes(plans: readonly Plan[], wish: Wish, asked: Asked): Promise<Found> {
  const pages = await Promise.all(
    plans.flatMap((plan) => peopleFor(plan, wish).map((person) => pageOf(plan, person, wish, asked))),
  )
  const times = pages.flatMap(({ plan, slots }) => together(plan, slots)).sort((one, other) => one.start - other.start)
  // Beyond the end of one page nobody knows what else there is.
  const known = Math.min(...pages.map(({ end }) => end))
  const shown = merged(times.filter(({ start }) => start <= known)).slice(0, wish.limit)
  const next = times.find(({ start }) => start > (shown.at(-1)?.start ?? Number.NEGATIVE_INFINITY))
  return {
    times: shown,
    moreFrom: next?.start ?? (known < Number.POSITIVE_INFINITY ? known : undefined),
    notices: pages.flatMap(({ notices }) => notices),
  }
}

/** Whoever is named and has a part in it; anybody where nobody is. */
export function peopleFor(plan: Plan, { people }: Wish): (string | undefined)[] {
  const some = people.filter((id) => isPartOf(plan, id))
  return people.length === 0 ? [undefined] : some
}

async function pageOf(plan: Plan, person: string | undefined, wish: Wish, asked: Asked) {
  const { from, to, party, location, limit } = wish
  const answer = await ask(
    queryAvailability,
    {
      ...{ service_id: plan.service.id, start_date: from, end_date: to },
      limit: Math.min(limit * SLOTS_A_TIME, MOST_SLOTS),
      ...(person !== undefined && { resource_id: person }),
      ...(party !== undefined && { party_size: party }),
      ...(location !== undefined && { location_id: location }),
    },
    asked,
  )
  if (answer.refusal) throw new Unable(answer.refusal.content)
  const { slots, pagination, messages = [] } = answer.result
  const last = slots.at(-1)
  return {
    ...{ plan, slots },
    end: pagination?.has_more && last ? Date.parse(last.start) : Number.POSITIVE_INFINITY,
    notices: messages,
  }
}

const together = (plan: Plan, slots: readonly TimeSlot[]): FreeTime[] =>
  [...Map.groupBy(slots, ({ start, end }) => `${start} ${end}`).values()].flatMap((ones) =>
    ones[0] ? [{ plan, start: Date.parse(ones[0].start), end: Date.parse(ones[0].end), slots: ones }] : [],
  )

/** What was found with one and with another is one time. */
const merged = (times: readonly FreeTime[]): FreeTime[] =>
  [...Map.groupBy(times, ({ plan, start, end }) => `${plan.service.id} ${start} ${end}`).values()].flatMap((ones) =>
    ones[0] ? [{ ...ones[0], slots: ones.flatMap(({ slots }) => slots) }] : [],
  )
