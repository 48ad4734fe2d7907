import type { AvailableTime } from '../availability/available-times.ts'
import { type Plan, resourcesOf } from '../availability/plan.ts'
import { merged, overlapsAny, type Span } from '../availability/spans.ts'
import type { ResourceDefinition } from '../protocol/types.generated.ts'
import { END_OF_TIME } from '../time/units.ts'
import { beginningsAround } from './free-slots.ts'
import type { Freed } from './freed-queries.ts'

/** What came free, as a service sees it. */
export interface CameFree {
  /** When those of its times begin that may use it. */
  within: readonly Span[]
  /** Whether a time uses some of it, or may: what was free before is not offered. */
  mayUse(time: AvailableTime): boolean
}

const ANYTHING: CameFree = { within: [[0, END_OF_TIME]], mayUse: () => true }

export function cameFreeOf(plan: Plan, freed: readonly Freed[]): CameFree {
  if (freed.some(({ resource_id, session_id }) => resource_id === null && session_id === null)) return ANYTHING
  return plan.service.type === 'group' ? cameFreeOfClasses(plan, freed) : cameFreeOfResources(plan, freed)
}

function cameFreeOfClasses({ service }: Plan, freed: readonly Freed[]): CameFree {
  const own = freed.filter(({ session_id, service_id }) => session_id !== null && service_id === service.id)
  const sessions = new Set(own.map(({ session_id }) => session_id))
  return {
    within: inOrder(own.flatMap(({ from }): Span[] => (from === null ? [] : [[from, from + 1]]))),
    mayUse: ({ session = null }) => sessions.has(session),
  }
}

function cameFreeOfResources(plan: Plan, freed: readonly Freed[]): CameFree {
  const resources = new Set(resourcesOf(plan))
  const own = freed.filter(({ resource_id }) => resources.has(resource_id ?? ''))
  const spans = new Map(
    [...Map.groupBy(own, ({ resource_id }) => resource_id)].map(([id, freed]) => [id, inOrder(freed.flatMap(spanOf))]),
  )
  return {
    // A time may begin long before what came free, and reach into it.
    within: inOrder([...spans.values()].flat().map((span) => beginningsAround(plan, span))),
    mayUse({ start, end, scheduled: { chosen, working } = NOBODY }) {
      const isFreed = ({ id }: ResourceDefinition) =>
        overlapsAny(spans.get(id) ?? [], start - plan.before, end + plan.after)
      return chosen.some(isFreed) || working.some((candidates) => candidates.some(isFreed))
    },
  }
}

const NOBODY = { chosen: [], working: [] }

const spanOf = ({ from, to }: Freed): Span[] => (from === null || to === null ? [] : [[from, to]])

const inOrder = (spans: Span[]): Span[] => merged(spans.sort(([one], [other]) => one - other))
