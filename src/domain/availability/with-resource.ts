import type { Message } from '../../protocol/types.generated.ts'
import type { OpenTime } from './available-times.ts'
import { info } from './notices.ts'
import { type Plan, resourcesById } from './plan.ts'

/**
 * Whether it is with this one: chosen with the time, or free to be assigned. What is full is with whoever works then. Since
 * all who are needed can be had at once, whoever may be one of them can: the one in that place makes room.
 */
function isWith({ picks, choices, capacity, scheduled }: OpenTime, id: string): boolean {
  if (picks.includes(id)) return true
  const isFull = capacity?.remaining === 0
  const kinds = isFull && scheduled ? scheduled.working.map((ones) => ones.map((one) => one.id)) : choices()
  return kinds.some((ids) => ids.includes(id))
}

/** With whom or what, and where, somebody wants it, as far as they say. */
export interface Wish {
  resource?: string | undefined
  location?: string | undefined
}

export const isAsWished = (time: OpenTime, { resource, location }: Wish): boolean =>
  (resource === undefined || isWith(time, resource)) && (location === undefined || time.location === location)

/** Whether a booking can have anything to do with it. */
export const isPartOf = ({ service, requirements }: Plan, id: string): boolean =>
  requirements.some(({ candidates }) => candidates.some((one) => one.id === id)) ||
  (service.sessions ?? []).some(({ resources = [] }) => resources.includes(id))

/** Whether the business says which of several a booking is with, and this is one of them. */
export const isAssigned = ({ requirements }: Plan, id: string): boolean => {
  const kinds = requirements.filter(({ candidates }) => candidates.some((one) => one.id === id))
  return kinds.length > 0 && kinds.every(({ selectable }) => !selectable)
}

/** What is free then may not be what a booking gets. */
export function assignedNotices(plan: Plan, id: string | undefined): Message[] {
  if (id === undefined || !isAssigned(plan, id)) return []
  const name = resourcesById(plan.business).get(id)?.name ?? id
  return [
    info(
      'resource_assigned',
      `These are the times at which ${name} is free. Nobody chooses here: the business assigns who or what is free, ` +
        'which may be another.',
    ),
  ]
}
