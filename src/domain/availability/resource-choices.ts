import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { hoursKey } from './resource-working-times.ts'
import { hasDuration } from './service-durations.ts'
import { type Plan, planCache } from './service-scheduling-plan.ts'
import { compareSortKeys, sortKeyOf } from './time-sort-key.ts'

/** The people, rooms or items that a buyer chooses together for one booking, such as a staff member and a room. */
export interface Choice {
  /**
   * The position of this choice among all choices of the service. The server sorts times with the same start and end by
   * this position.
   */
  rank: number
  chosen: ResourceDefinition[]
  picks: string[]
}

/**
 * A group of choices with identical times, such as staff members with the same working hours. The server computes the
 * times of a group once. If hundreds of people work in five shifts, there are only five groups.
 */
export interface ChoiceGroup {
  location: string | undefined
  /** The people, rooms or items of one choice. This choice stands for all choices of the group. */
  chosen: ResourceDefinition[]
  /**
   * For each duration, lists the candidates for each resource that the business assigns, such as a room. The candidates
   * work at this location and serve bookings of this duration.
   */
  kindsFor: [duration: number, kinds: ResourceDefinition[][]][]
  /**
   * Lists candidates for each resource that the business assigns, such as a room. Candidates with the same working
   * hours are at work at the same times. Therefore the list contains only one of them.
   */
  ofHours: ResourceDefinition[][]
  /** All choices in this group, sorted by their position `rank`. */
  choices: Choice[]
}

/**
 * Caches the possible choices of people, rooms and items for each service. The choices depend only on the business
 * definition. A new business definition gets new cache keys, so the cached choices need no expiry.
 */
const known = planCache<ChoiceGroup[]>(50_000, (groups) => groups.reduce((sum, { choices }) => sum + choices.length, 1))

export function choicesOf(plan: Plan): ChoiceGroup[] {
  const before = known.get(plan, '')
  if (before) return before
  const groups = groupedChoices(plan)
  known.set(plan, '', groups)
  return groups
}

/**
 * Computes the possible choices of people, rooms and items for a service, without the cache. Call this function for
 * results that the server needs only once. The cache then keeps the results that other calls need again.
 */
export function groupedChoices(plan: Plan): ChoiceGroup[] {
  const groups = plan.locations.flatMap((location) => groupsAt(plan, location))
  const ranked = groups.flatMap(({ location, choices }) =>
    choices.map((choice) => ({ choice, key: sortKeyOf({ start: 0, end: 0, location, picks: choice.picks }) })),
  )
  ranked.sort((one, other) => compareSortKeys(one.key, other.key))
  for (const [rank, { choice }] of ranked.entries()) choice.rank = rank
  for (const group of groups) group.choices = group.choices.toSorted((one, other) => one.rank - other.rank)
  return groups
}

/** Whether a resource belongs to this location. A resource without `locations` belongs to every location. */
export const isAt = ({ locations }: ResourceDefinition, place: string | undefined): boolean =>
  locations?.includes(place ?? '') ?? true

function groupsAt(plan: Plan, location: string | undefined): ChoiceGroup[] {
  const present = ({ candidates }: { candidates: ResourceDefinition[] }) =>
    candidates.filter((one) => isAt(one, location))
  const selectable = plan.requirements.filter((one) => one.selectable).map(present)
  const kinds = plan.requirements.filter((one) => !one.selectable).map(present)
  const assigned = new Set(kinds.flat())
  const anybody = otherCandidates(kinds)
  const groups = new Map<string, ChoiceGroup>()
  for (const { chosen, picks } of combinedChoices(selectable)) {
    if (new Set(chosen).size < chosen.length) continue
    // Choices with the same key have the same times, and form one group. If the buyer chooses a resource, the business
    // cannot assign the same resource in this booking. Therefore the key contains the ids of the chosen resources that
    // the business could otherwise assign.
    const assignable = chosen.filter((one) => assigned.has(one))
    const key = JSON.stringify([
      assignable.map(({ id }) => id),
      ...chosen.map((one) => [hoursKey(one), plan.resourceDurations.get(one.id)]),
    ])
    const group = groups.get(key) ?? {
      location,
      chosen,
      ...candidatesByDuration(plan, chosen, assignable.length === 0 ? anybody : otherCandidates(kinds, chosen)),
      choices: [],
    }
    group.choices.push({ rank: 0, chosen, picks })
    groups.set(key, group)
  }
  return [...groups.values()]
}

/**
 * The resources that the business can still assign after the buyer's choice. `kinds` contains all these resources.
 * `ofHours` contains only one resource for each set of working hours.
 */
interface OtherCandidates {
  kinds: ResourceDefinition[][]
  ofHours: ResourceDefinition[][]
}

function otherCandidates(all: ResourceDefinition[][], chosen: ResourceDefinition[] = []): OtherCandidates {
  const kinds = chosen.length === 0 ? all : all.map((ones) => ones.filter((one) => !chosen.includes(one)))
  return { kinds, ofHours: kinds.map((ones) => [...new Map(ones.map((one) => [hoursKey(one), one])).values()]) }
}

function candidatesByDuration(
  plan: Plan,
  chosen: ResourceDefinition[],
  { kinds, ofHours }: OtherCandidates,
): Pick<ChoiceGroup, 'kindsFor' | 'ofHours'> {
  if (plan.resourceDurations.size === 0)
    return { ofHours, kindsFor: plan.durations.map((duration) => [duration, kinds]) }
  const durations = plan.durations.filter((duration) => chosen.every((one) => hasDuration(plan, one, duration)))
  const takingSoLong = (duration: number) => kinds.map((ones) => ones.filter((one) => hasDuration(plan, one, duration)))
  return { ofHours, kindsFor: durations.map((duration) => [duration, takingSoLong(duration)]) }
}

type CombinedChoice = Pick<Choice, 'chosen' | 'picks'>

const combinedChoices = (lists: readonly (readonly ResourceDefinition[])[]): CombinedChoice[] =>
  lists.length === 1
    ? lists.flat().map(singleChoice)
    : combinations(lists).map((chosen) => ({ chosen, picks: chosen.map(({ id }) => id) }))

/**
 * One choice object for each person, room or item. Services share these objects to save memory, because hundreds of
 * services may offer the same person.
 */
const singleChoices = new WeakMap<ResourceDefinition, CombinedChoice>()

function singleChoice(one: ResourceDefinition): CombinedChoice {
  const choice = singleChoices.get(one) ?? { chosen: [one], picks: [one.id] }
  singleChoices.set(one, choice)
  return choice
}

/**
 * All combinations of one element from each list. `concat` makes arrays of the exact size, and `push` would reserve
 * memory for more elements. This saves memory, because the server caches tens of thousands of combinations.
 */
function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>(
    (found, list) => found.flatMap((combination) => list.map((one) => combination.concat([one]))),
    [[]],
  )
}
