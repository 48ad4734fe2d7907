import { LAST_INSTANT_MS } from '../../infra/time/time-units.ts'
import { canAssignDistinct } from '../availability/assign-distinct-resources.ts'
import type { AvailableTime, SearchedTime } from '../availability/available-times.ts'
import { type Plan, resourcesOf } from '../availability/service-scheduling-plan.ts'
import { merged, overlapsAny, type Span } from '../availability/time-spans.ts'
import { startRangeAround } from './free-slots.ts'
import type { Released } from './released-capacity-queries.ts'

export interface ReleasedCapacity {
  /**
   * Ranges of start times. Slots that start in these ranges may be available because of the released time or places.
   */
  within: readonly Span[]
  /** Tells whether this time is available only because time or places were released. */
  includes(time: SearchedTime): boolean
  /**
   * Tells whether this time uses exactly the time that became free. The server offers such a time before times that use
   * only a part of the time that became free.
   */
  isWhole?(time: AvailableTime): boolean
}

const ANYTHING: ReleasedCapacity = { within: [[0, LAST_INSTANT_MS]], includes: () => true }

export function releasedCapacityOf(plan: Plan, freed: readonly Released[]): ReleasedCapacity {
  if (freed.some(({ resource_id, session_id }) => resource_id === null && session_id === null)) return ANYTHING
  return plan.service.type === 'group' ? ofClasses(plan, freed) : ofResources(plan, freed)
}

function ofClasses({ service }: Plan, freed: readonly Released[]): ReleasedCapacity {
  const ofService = freed.filter(({ session_id, service_id }) => session_id !== null && service_id === service.id)
  const sessions = new Set(ofService.map(({ session_id }) => session_id))
  const starts = ofService.flatMap(({ from }) => from ?? []).toSorted((one, other) => one - other)
  const [first, last] = [starts[0], starts.at(-1)]
  return {
    // The result is one range from the first start to the last start, because each range needs a database query.
    within: first !== undefined && last !== undefined ? [[first, last + 1]] : [],
    includes: ({ session = null }) => sessions.has(session),
  }
}

function ofResources(plan: Plan, freed: readonly Released[]): ReleasedCapacity {
  const resources = new Set(resourcesOf(plan))
  const ofPlan = freed.filter(({ resource_id }) => resources.has(resource_id ?? ''))
  const byId = Map.groupBy(ofPlan, ({ resource_id }) => resource_id ?? '')
  const spans = new Map([...byId].map(([id, released]) => [id, inOrder(released.flatMap(spanOf))]))
  const whole = new Set(ofPlan.map(({ resource_id, from, to }) => `${resource_id} ${from} ${to}`))
  const around = ({ start, end }: AvailableTime): Span => [start - plan.before, end + plan.after]
  const isFreed = (id: string, span: Span) => overlapsAny(spans.get(id) ?? [], ...span)
  const isAssignedOnlyNow = needsReleased(isFreed)
  return {
    // A slot may begin long before the released time and still overlap it. Therefore these ranges also begin before the
    // released time.
    within: inOrder([...spans.values()].flat().map((span) => startRangeAround(plan, span))),
    includes(time) {
      const span = around(time)
      return (time.scheduled?.chosen.some(({ id }) => isFreed(id, span)) ?? false) || isAssignedOnlyNow(time, span)
    },
    isWhole(time) {
      const [from, to] = around(time)
      const { chosen = [], working = [] } = time.scheduled ?? {}
      return [chosen, ...working].some((ones) => ones.some(({ id }) => whole.has(`${id} ${from} ${to}`)))
    },
  }
}

/**
 * Tells whether a time needs the released resources, because the service has no other free people or rooms at this
 * time. The function caches the last answer, because there may be hundreds of resources and times. Times that differ
 * only in the buyer's choice follow each other and share the cached answer.
 */
function needsReleased(isFreed: (id: string, span: Span) => boolean) {
  let last: { working: unknown; from: number; to: number; answer: boolean } | undefined
  return ({ choices, scheduled }: SearchedTime, span: Span): boolean => {
    const [from, to] = span
    const working = scheduled?.working ?? []
    if (last?.working === working && last.from === from && last.to === to) return last.answer
    const isAny = working.some((ones) => ones.some(({ id }) => isFreed(id, span)))
    const others = () => choices().map((ids) => ids.filter((id) => !isFreed(id, span)))
    const answer = isAny && !canAssignDistinct(others(), (id) => id)
    last = { working, from, to, answer }
    return answer
  }
}

const spanOf = ({ from, to }: Released): Span[] => (from === null || to === null ? [] : [[from, to]])

const inOrder = (spans: Span[]): Span[] => merged(spans.toSorted(([one], [other]) => one - other))
