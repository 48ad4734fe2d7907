import { isPartOf } from '../../domain/availability/filter-times-by-resource.ts'
import { queryAvailability } from '../../domain/availability/query-availability.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { Message, TimeSlot } from '../../protocol/types.generated.ts'
import { choosableResources } from '../booking-flow/visitor-choices.ts'
import { callOperation } from './call-operation.ts'
import { quoted } from './quote-untrusted-text.ts'
import { type ToolContext, ToolError } from './tool-definition.ts'

export interface TimeSearch {
  from: string
  to: string
  people: readonly string[]
  party: number | undefined
  location: string | undefined
  limit: number
}

/**
 * A free time of one service, with its start and end. It has one slot for each free combination of people or rooms with
 * a location.
 */
export interface FreeTime {
  plan: Plan
  start: number
  end: number
  slots: TimeSlot[]
}

export interface FoundTimes {
  times: FreeTime[]
  /** The start of the next search, in milliseconds since 1970. Undefined if this search found all free times. */
  moreFrom: number | undefined
  /** Texts for the assistant: notices of the business about the requested days, or the reason why no time is free. */
  notices: Message[]
}

/**
 * Limits for the number of slots that the server reads: `MOST_A_TIME` for one start time, and `MOST_SLOTS` for one
 * availability query.
 */
const MOST_A_TIME = 8
const MOST_SLOTS = 200

/**
 * Returns the maximum number of slots that the server reads for one start time. A start time has one slot for each
 * combination of person, location and duration. The result is at most `MOST_A_TIME`.
 */
const slotsATime = (plan: Plan, person: string | undefined): number => {
  const choices = [person === undefined ? choosableResources(plan) : [person], plan.locations, plan.durations]
  return Math.min(
    MOST_A_TIME,
    choices.map(({ length }) => Math.max(1, length)).reduce((all, one) => all * one),
  )
}

/**
 * Finds the earliest free times of the given services. The caller can limit the search to certain people, rooms or
 * items.
 */
export async function freeTimes(
  plans: readonly Plan[],
  timeSearch: TimeSearch,
  toolContext: ToolContext,
): Promise<FoundTimes> {
  const pages = await Promise.all(
    queriesOf(plans, timeSearch).map((question) => pageOf(question, timeSearch.limit, toolContext)),
  )
  // Each query can stop before the end of the requested range, because it reads a limited number of slots. The merged
  // result is complete only up to the earliest stop.
  const completeUntil = Math.min(...pages.map(({ end }) => end))
  const all = mergeTimes(pages).filter(({ start }) => start <= completeUntil)
  // The next search begins after the last start in this answer. Therefore this answer must contain all times that begin
  // at this last start.
  const last = (all[timeSearch.limit - 1] ?? all.at(-1))?.start ?? Number.NEGATIVE_INFINITY
  const next = all.find(({ start }) => start > last)?.start ?? Math.max(completeUntil, last + MINUTE)
  return {
    times: all.filter(({ start }) => start <= last),
    moreFrom: Number.isFinite(next) ? next : undefined,
    notices: pages.flatMap(({ notices }) => notices),
  }
}

/**
 * Throws an error for an unknown id of a person or location. A search with an unknown id would find no time, and the
 * assistant would conclude that all times are booked.
 */
export function refuseUnknown(
  plans: readonly Plan[],
  { people, location }: Pick<TimeSearch, 'people' | 'location'>,
): void {
  const stranger = people.find((id) => !plans.some((plan) => isPartOf(plan, id)))
  if (stranger !== undefined)
    throw new ToolError(
      `No person or thing with the id ${JSON.stringify(stranger)} provides this. ` +
        `${knownIdsText('with', plans.flatMap(choosableResources))}`,
    )
  if (location === undefined || plans.some(({ locations }) => locations.includes(location))) return
  const places = plans.flatMap((plan) =>
    (plan.business.locations ?? []).filter(({ id }) => plan.locations.includes(id)),
  )
  throw new ToolError(
    `This is not offered at a location with the id ${JSON.stringify(location)}. ` +
      `${knownIdsText('location_id', places)}`,
  )
}

function knownIdsText(member: string, all: readonly { id: string; name: string }[]): string {
  const ids = [...new Map(all.map(({ id, name }) => [id, `${id} ${quoted(name)}`])).values()].slice(0, MOST_NAMED)
  return ids.length === 0 ? `Leave out ${member}.` : `${member} takes ids such as ${ids.join(', ')}.`
}

const MOST_NAMED = 10

/**
 * Returns the availability queries of a search: one for each service. If the caller asks for certain people, returns a
 * separate query for each of these people.
 */
export const queriesOf = (plans: readonly Plan[], timeSearch: TimeSearch) =>
  plans.flatMap((plan) =>
    peopleFor(plan, timeSearch).map((person) => ({ plan, input: inputOf(plan, person, timeSearch) })),
  )

/**
 * Returns the requested people who provide the service. If the caller requested no person, returns `[undefined]`, so
 * that the search makes one query for all people.
 */
const peopleFor = (plan: Plan, { people }: TimeSearch): (string | undefined)[] =>
  people.length === 0 ? [undefined] : people.filter((id) => isPartOf(plan, id))

const inputOf = ({ service }: Plan, person: string | undefined, { from, to, party, location }: TimeSearch) => ({
  service_id: service.id,
  start_date: from,
  end_date: to,
  ...(person !== undefined && { resource_id: person }),
  ...(party !== undefined && { party_size: party }),
  ...(location !== undefined && { location_id: location }),
})

async function pageOf({ plan, input }: ReturnType<typeof queriesOf>[number], most: number, toolContext: ToolContext) {
  // The server reads one time more than the answer shows. The next search starts at this additional time.
  const limit = Math.min((most + 1) * slotsATime(plan, input.resource_id), MOST_SLOTS)
  const answer = await callOperation(queryAvailability, { ...input, limit }, toolContext)
  if (answer.refusal) throw new ToolError(answer.refusal.content)
  const { slots, pagination, messages = [] } = answer.result
  const last = slots.at(-1)
  return {
    plan,
    slots,
    end: pagination?.has_more && last ? Date.parse(last.start) : Number.POSITIVE_INFINITY,
    notices: messages,
  }
}

/** Merges the slots of one service with the same start and end into one time. */
function mergeTimes(pages: readonly { plan: Plan; slots: readonly TimeSlot[] }[]): FreeTime[] {
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
