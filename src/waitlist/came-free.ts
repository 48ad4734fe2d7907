import { canAssignDistinct } from '../availability/assign-distinct.ts'
import type { AvailableTime, OpenTime } from '../availability/available-times.ts'
import { type Plan, resourcesOf } from '../availability/plan.ts'
import { merged, overlapsAny, type Span } from '../availability/spans.ts'
import { END_OF_TIME } from '../time/units.ts'
import { beginningsAround } from './free-slots.ts'
import type { Freed } from './freed-queries.ts'

/** What came free, as a service sees it. */
export interface CameFree {
  /** When those of its times begin that may be had because of it. */
  within: readonly Span[]
  /** Whether a time could not be had if all of it were still taken. */
  includes(time: OpenTime): boolean
  /** Whether it is just what somebody gave back: that is offered before what takes up a part of it. */
  isWhole?(time: AvailableTime): boolean
}

const ANYTHING: CameFree = { within: [[0, END_OF_TIME]], includes: () => true }

export function cameFreeOf(plan: Plan, freed: readonly Freed[]): CameFree {
  if (freed.some(({ resource_id, session_id }) => resource_id === null && session_id === null)) return ANYTHING
  return plan.service.type === 'group' ? ofClasses(plan, freed) : ofResources(plan, freed)
}

function ofClasses({ service }: Plan, freed: readonly Freed[]): CameFree {
  const own = freed.filter(({ session_id, service_id }) => session_id !== null && service_id === service.id)
  const sessions = new Set(own.map(({ session_id }) => session_id))
  const starts = own.flatMap(({ from }) => from ?? [])
  const first = starts.reduce((one, other) => Math.min(one, other), END_OF_TIME)
  const last = starts.reduce((one, other) => Math.max(one, other), 0)
  return {
    // Read at once, however many there are.
    within: starts.length > 0 ? [[first, last + 1]] : [],
    includes: ({ session = null }) => sessions.has(session),
  }
}

function ofResources(plan: Plan, freed: readonly Freed[]): CameFree {
  const resources = new Set(resourcesOf(plan))
  const own = freed.filter(({ resource_id }) => resources.has(resource_id ?? ''))
  const given = new Map(
    [...Map.groupBy(own, ({ resource_id }) => resource_id ?? '')].map(([id, some]) => [id, some.flatMap(spanOf)]),
  )
  const spans = new Map([...given].map(([id, some]) => [id, inOrder(some)]))
  const whole = new Set([...given].flatMap(([id, some]) => some.map(([from, to]) => `${id} ${from} ${to}`)))
  const around = ({ start, end }: AvailableTime) => [start - plan.before, end + plan.after] as const
  const assigned = assignedOnlyNow((id, from, to) => overlapsAny(spans.get(id) ?? [], from, to))
  return {
    // A time may begin long before what came free, and reach into it.
    within: inOrder([...spans.values()].flat().map((span) => beginningsAround(plan, span))),
    includes(time) {
      const span = around(time)
      const chosen = time.scheduled?.chosen ?? []
      return chosen.some(({ id }) => overlapsAny(spans.get(id) ?? [], ...span)) || assigned(time, span)
    },
    isWhole(time) {
      const [from, to] = around(time)
      const { chosen = [], working = [] } = time.scheduled ?? {}
      return [chosen, ...working].some((ones) => ones.some(({ id }) => whole.has(`${id} ${from} ${to}`)))
    },
  }
}

/**
 * Whether there are enough of those who are assigned only because of what came free. There may be hundreds, and the same of them
 * for hundreds of times: each time beside another that differs in who is chosen is answered as that was.
 */
function assignedOnlyNow(isFreed: (id: string, from: number, to: number) => boolean) {
  let last: { working: unknown; from: number; to: number; answer: boolean } | undefined
  return ({ choices, scheduled }: OpenTime, [from, to]: Span): boolean => {
    const working = scheduled?.working ?? []
    if (last?.working === working && last.from === from && last.to === to) return last.answer
    const isAny = working.some((ones) => ones.some(({ id }) => isFreed(id, from, to)))
    const others = () => choices().map((ids) => ids.filter((id) => !isFreed(id, from, to)))
    const answer = isAny && !canAssignDistinct(others(), (id) => id)
    last = { working, from, to, answer }
    return answer
  }
}

const spanOf = ({ from, to }: Freed): Span[] => (from === null || to === null ? [] : [[from, to]])

const inOrder = (spans: Span[]): Span[] => merged(spans.toSorted(([one], [other]) => one - other))
