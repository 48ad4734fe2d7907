import { largestParty } from '../../domain/availability/party-size-capacity.ts'
import { selectableDurations } from '../../domain/availability/service-durations.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { MINUTE } from '../../infra/time/time-units.ts'

/**
 * The choices that a visitor made on the booking pages. The URL contains these choices. An invalid value counts as a
 * missing value.
 */
export interface Choice {
  party: number
  /** The duration that the visitor chose, in milliseconds. */
  length: number
  location: string | undefined
  /** The ids of the people, rooms and items that the visitor chose. */
  persons: readonly string[]
  /** The day that the visitor chose, as `YYYY-MM-DD`. */
  day: string | undefined
  /** A day in the weeks that the visitor opened in the calendar, as `YYYY-MM-DD`. */
  from: string | undefined
  /** A hold (a reserved slot) of the visitor. If the visitor chooses another time, the server releases this hold. */
  currentHold?: HoldReference | undefined
}

export interface ServiceChoice {
  plan: Plan
  choice: Choice
}

/** The id of a hold (a reserved slot), and the secret of the visitor who owns the hold. */
export interface HoldReference {
  hold: string
  visit: string
}

const MOST_IN_LIST = 30

export function choiceOf(plan: Plan, query: URLSearchParams): Choice {
  const { durations, locations, service } = plan
  const least = service.capacity?.min ?? 1
  const party = Number(query.get('party') ?? least)
  const length = Number(query.get('length')) * MINUTE
  return {
    party: partySizes(plan).includes(party) ? party : least,
    length: durations.includes(length) ? length : (durations[0] ?? 0),
    location: locations.find((one) => one === query.get('place')) ?? locations[0],
    persons: chosenResources(plan, query.getAll('with')),
    day: dateOf(query, 'day'),
    from: dateOf(query, 'from'),
    currentHold: holdIn(query),
  }
}

const sizes = new WeakMap<Plan, readonly number[]>()

/**
 * Returns the party sizes (numbers of people) that a visitor can choose. The result is cached, because each link of the
 * calendar needs the party sizes.
 */
export function partySizes(plan: Plan): readonly number[] {
  const partySizesOfPlan = sizes.get(plan) ?? sizesOf(plan)
  sizes.set(plan, partySizesOfPlan)
  return partySizesOfPlan
}

function sizesOf(plan: Plan): number[] {
  const { type, capacity, pricing } = plan.service
  const { min = 1 } = capacity ?? {}
  const most = largestParty(plan)
  const isOpen = most === Number.POSITIVE_INFINITY
  if (isOpen && type !== 'group' && type !== 'reservation' && pricing.model !== 'per_person') return [min]
  const last = Math.min(isOpen ? min + 9 : most, min + MOST_IN_LIST - 1)
  return Array.from({ length: Math.max(1, last - min + 1) }, (_, index) => min + index)
}

/**
 * Returns the ids of the people, rooms and items that the visitor chose. A service can require several kinds, such as a
 * person and a room. The result has at most one id for each kind.
 */
const chosenResources = (plan: Plan, wantedIds: readonly string[]): string[] => [
  ...new Set(
    choosableRequirements(plan).flatMap(
      ({ candidates }) => candidates.find(({ id }) => wantedIds.includes(id))?.id ?? [],
    ),
  ),
]

const choosableRequirements = ({ requirements }: Plan) =>
  requirements.filter(({ selectable, candidates }) => selectable && candidates.length > 1)

export const choosableResources = (plan: Plan) => choosableRequirements(plan).flatMap((one) => one.candidates)

export function queryOf(plan: Plan, choice: Choice, change: Partial<Choice> = {}): URLSearchParams {
  const { party, length, location, persons: named, day, from, currentHold } = { ...choice, ...change }
  const query = new URLSearchParams()
  if (partySizes(plan).length > 1) query.set('party', String(party))
  if (selectableDurations(plan).length > 0) query.set('length', String(length / MINUTE))
  if (plan.locations.length > 1 && location !== undefined) query.set('place', location)
  for (const id of named) query.append('with', id)
  if (day !== undefined) query.set('day', day)
  else if (from !== undefined) query.set('from', from)
  if (currentHold) {
    query.set('change', currentHold.hold)
    query.set('visit', currentHold.visit)
  }
  return query
}

function holdIn(query: URLSearchParams) {
  const [hold, visit] = [query.get('change'), query.get('visit')]
  return hold && visit ? { hold, visit } : undefined
}

/** Reads a date from the query string. Returns undefined for an impossible date, such as `2026-02-30`. */
function dateOf(query: URLSearchParams, name: string): string | undefined {
  const [text] = /^\d{4}-\d{2}-\d{2}$/.exec(query.get(name) ?? '') ?? []
  return text !== undefined && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true ? text : undefined
}
