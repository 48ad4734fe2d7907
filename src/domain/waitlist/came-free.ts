import { END_OF_TIME } from '../../infra/time/units.ts'
import { canAssignDistinct } from '../availability/assign-distinct.ts'
import type { AvailableTime, OpenTime } from '../availability/available-times.ts'
import { type Plan, resourcesOf } from '../availability/plan.ts'
import { merged, overlapsAny, type Span } from '../availability/spans.ts'
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
  const starts = own.flatMap(({ from }) => from ?? []).toSorted((one, other) => one - other)
  const [first, last] = [starts[0], starts.at(-1)]
  return {
    // Read at once, however many there are.
    within: first !== undefined && last !== undefined ? [[first, last + 1]] : [],
    includes: ({ session = null }) => sessions.has(session),
  }
}

function ofResources(plan: Plan, freed: readonly Freed[]): CameFree {
  const resources = new Set(resourcesOf(plan))
  const own = freed.filter(({ resource_id }) => resources.has(resource_id ?? ''))
  const byId = Map.groupBy(own, ({ resource_id }) => resource_id ?? '')
  const spans = new Map([...byId].map(([id, some]) => [id, inOrder(some.flatMap(spanOf))]))
  const whole = new Set(own.map(({ resource_id, from, to }) => `${resource_id} ${from} ${to}`))
  const around = ({ start, end }: AvailableTime): Span => [start - plan.before, end + plan.after]
  const isFreed = (id: string, span: Span) => overlapsAny(spans.get(id) ?? [], ...span)
  const isAssignedOnlyNow = assignedOnlyNow(isFreed)
  return {
    // A time may begin long before what came free, and reach into it.
    within: inOrder([...spans.values()].flat().map((span) => beginningsAround(plan, span))),
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
 * Whether there are enough of those who are assigned only because of what came free. There may be hundreds, and the same of them
 * for hundreds of times: each time beside another that differs in who is chosen is answered as that was.
 */
function assignedOnlyNow(isFreed: (id: string, span: Span) => boolean) {
  let last: { working: unknown; from: number; to: number; answer: boolean } | undefined
  return ({ choices, scheduled }: OpenTime, span: Span): boolean => {
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

const spanOf = ({ from, to }: Freed): Span[] => (from === null || to === null ? [] : [[from, to]])

const inOrder = (spans: Span[]): Span[] => merged(spans.toSorted(([one], [other]) => one - other))
