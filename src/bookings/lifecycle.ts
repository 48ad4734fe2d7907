import type { Booking } from '../protocol/types.generated.ts'

export type Status = Booking['status']

/** Who may do what to a booking, and where it leads. What a status does not list cannot be done to it. */
export const transitions = {
  pending: {
    approve: 'confirmed',
    ask: 'requires_action',
    decline: 'canceled',
    cancel: 'canceled',
    expire: 'canceled',
  },
  requires_action: { complete_tasks: 'confirmed', cancel: 'canceled', expire: 'canceled' },
  confirmed: { ask: 'requires_action', start: 'in_progress', miss: 'no_show', cancel: 'canceled' },
  in_progress: { finish: 'completed', miss: 'no_show' },
  completed: {},
  no_show: {},
  canceled: {},
} as const satisfies Record<Status, Partial<Record<string, Status>>>

export type Step = { [S in Status]: keyof (typeof transitions)[S] }[Status]

/** Where a step leads from here, or nothing when it leads nowhere. */
export function next(from: Status, step: Step): Status | undefined {
  const steps: Partial<Record<Step, Status>> = transitions[from]
  return steps[step]
}

export const isOver = (status: Status): boolean => Object.keys(transitions[status]).length === 0

/** What a booking can be when nothing follows. */
export const endings = Object.entries(transitions).flatMap(([status, steps]) =>
  Object.keys(steps).length === 0 ? [status] : [],
)

export const isUnresolved = (status: Status): boolean => status === 'pending' || status === 'requires_action'
