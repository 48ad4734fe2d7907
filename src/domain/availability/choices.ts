import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { takes } from './own-lengths.ts'
import type { Plan } from './plan.ts'
import { planCache } from './plan-cache.ts'
import { compareSortKeys, sortKeyOf } from './sort-key.ts'
import { hoursKey } from './working-time.ts'

/** One of those who can be chosen, or one of several kinds each, at one of the places. */
export interface Choice {
  /** Its place among all choices, in the order in which times are listed. */
  rank: number
  chosen: ResourceDefinition[]
  picks: string[]
}

/** Choices that have all their times in common: of hundreds who work in five shifts five have to be reckoned with. */
export interface AlikeChoices {
  location: string | undefined
  /** The first of them. */
  chosen: ResourceDefinition[]
  /** How long it may take, and of every other requirement those that are there with whom it takes so long. */
  kindsFor: [duration: number, kinds: ResourceDefinition[][]][]
  /** Whoever has the same hours works at the same times: of each set of hours one is looked at. */
  ofHours: ResourceDefinition[][]
  /** As they are listed. */
  choices: Choice[]
}

/** They are the same every day. */
const known = planCache<AlikeChoices[]>(50_000, (alike) => alike.reduce((sum, { choices }) => sum + choices.length, 1))

export function choicesOf(plan: Plan): AlikeChoices[] {
  const before = known.get(plan, '')
  if (before) return before
  const made = groupedChoices(plan)
  known.set(plan, '', made)
  return made
}

/** The same, not kept: of a plan that nobody asks for again it would be kept instead of others. */
export function groupedChoices(plan: Plan): AlikeChoices[] {
  const groups = plan.locations.flatMap((location) => groupsAt(plan, location))
  const ranked = groups.flatMap(({ location, choices }) =>
    choices.map((choice) => ({ choice, key: sortKeyOf({ start: 0, end: 0, location, picks: choice.picks }) })),
  )
  ranked.sort((one, other) => compareSortKeys(one.key, other.key))
  for (const [rank, { choice }] of ranked.entries()) choice.rank = rank
  for (const group of groups) group.choices = group.choices.toSorted((one, other) => one.rank - other.rank)
  return groups
}

/** Whether it is one of those of this place. */
export const isAt = ({ locations }: ResourceDefinition, place: string | undefined): boolean =>
  locations?.includes(place ?? '') ?? true

function groupsAt(plan: Plan, location: string | undefined): AlikeChoices[] {
  const present = ({ candidates }: { candidates: ResourceDefinition[] }) =>
    candidates.filter((one) => isAt(one, location))
  const selectable = plan.requirements.filter((one) => one.selectable).map(present)
  const kinds = plan.requirements.filter((one) => !one.selectable).map(present)
  const assigned = new Set(kinds.flat())
  const anybody = others(kinds)
  const groups = new Map<string, AlikeChoices>()
  for (const { chosen, picks } of together(selectable)) {
    if (new Set(chosen).size < chosen.length) continue
    // Whoever could be assigned as well leaves others to be assigned than anybody else.
    const own = chosen.filter((one) => assigned.has(one))
    const key = JSON.stringify([
      own.map(({ id }) => id),
      ...chosen.map((one) => [hoursKey(one), plan.lengths.get(one.id)]),
    ])
    const group = groups.get(key) ?? {
      location,
      chosen,
      ...takingTheirTime(plan, chosen, own.length === 0 ? anybody : others(kinds, chosen)),
      choices: [],
    }
    group.choices.push({ rank: 0, chosen, picks })
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Who may be assigned beside those who are chosen. */
interface Others {
  kinds: ResourceDefinition[][]
  ofHours: ResourceDefinition[][]
}

function others(all: ResourceDefinition[][], chosen: ResourceDefinition[] = []): Others {
  const kinds = chosen.length === 0 ? all : all.map((ones) => ones.filter((one) => !chosen.includes(one)))
  return { kinds, ofHours: kinds.map((ones) => [...new Map(ones.map((one) => [hoursKey(one), one])).values()]) }
}

function takingTheirTime(
  plan: Plan,
  chosen: ResourceDefinition[],
  { kinds, ofHours }: Others,
): Pick<AlikeChoices, 'kindsFor' | 'ofHours'> {
  if (plan.lengths.size === 0) return { ofHours, kindsFor: plan.durations.map((duration) => [duration, kinds]) }
  const durations = plan.durations.filter((duration) => chosen.every((one) => takes(plan, one, duration)))
  const takingSoLong = (duration: number) => kinds.map((ones) => ones.filter((one) => takes(plan, one, duration)))
  return { ofHours, kindsFor: durations.map((duration) => [duration, takingSoLong(duration)]) }
}

type Together = Pick<Choice, 'chosen' | 'picks'>

const together = (lists: readonly (readonly ResourceDefinition[])[]): Together[] =>
  lists.length === 1
    ? lists.flat().map(alone)
    : combinations(lists).map((chosen) => ({ chosen, picks: chosen.map(({ id }) => id) }))

/** Whoever is chosen alone is so for hundreds of services: what says so is kept once. */
const loners = new WeakMap<ResourceDefinition, Together>()

function alone(one: ResourceDefinition): Together {
  const made = loners.get(one) ?? { chosen: [one], picks: [one.id] }
  loners.set(one, made)
  return made
}

/** Put together by `concat`: what is built up step by step has room for sixteen more, and these are kept by the ten thousand. */
function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>((found, list) => found.flatMap((some) => list.map((one) => some.concat([one]))), [[]])
}
