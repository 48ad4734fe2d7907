import type { Message } from '../../protocol/types.generated.ts'
import type { SearchedTime } from './available-times.ts'
import { info } from './closure-and-party-notices.ts'
import { type Plan, resourcesById } from './service-scheduling-plan.ts'

/**
 * Whether a booking at this time can use this person, room or item. This is so if the buyer can choose the resource, or
 * if the business can assign it. At a fully booked time, each resource at work counts, because a cancellation can free
 * any of them for the waitlist.
 */
function isWith({ picks, choices, capacity, scheduled }: SearchedTime, id: string): boolean {
  if (picks.includes(id)) return true
  const isFull = capacity?.remaining === 0
  const kinds = isFull && scheduled ? scheduled.working.map((ones) => ones.map((one) => one.id)) : choices()
  return kinds.some((ids) => ids.includes(id))
}

export interface SlotWish {
  resource?: string | undefined
  location?: string | undefined
}

export const matchesWish = (time: SearchedTime, { resource, location }: SlotWish): boolean =>
  (resource === undefined || isWith(time, resource)) && (location === undefined || time.location === location)

export const isPartOf = ({ service, requirements }: Plan, id: string): boolean =>
  requirements.some(({ candidates }) => candidates.some((one) => one.id === id)) ||
  (service.sessions ?? []).some(({ resources = [] }) => resources.includes(id))

/** Whether only the business can assign this person, room or item. Buyers then cannot choose it. */
export const isAssigned = ({ requirements }: Plan, id: string): boolean => {
  const kinds = requirements.filter(({ candidates }) => candidates.some((one) => one.id === id))
  return kinds.length > 0 && kinds.every(({ selectable }) => !selectable)
}

/**
 * A notice for a caller who searches for the times of a certain person or item that only the business can assign. The
 * person or item is free at the listed times, but the business may assign another person or item.
 */
export function assignedNotices(plan: Plan, id: string | undefined): Message[] {
  if (id === undefined || !isAssigned(plan, id)) return []
  const name = resourcesById(plan.business).get(id)?.name ?? id
  return [
    info(
      'resource_assigned',
      `These are the times at which ${name} is free. The buyer cannot choose here: the business assigns a free ` +
        'person or thing, possibly another one.',
    ),
  ]
}
