import { stateMachine } from '../../protocol/state-machine.ts'
import type { Booking } from '../../protocol/types.generated.ts'

export type Status = Booking['status']
export type Step = 'approve' | 'ask' | 'decline' | 'cancel' | 'expire' | 'complete_tasks' | 'start' | 'finish' | 'miss'

export const booking = stateMachine<Status, Step>('booking', {
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
})

export const { next, after, isOver, endings } = booking

export const isUnresolved = (status: Status): boolean => status === 'pending' || status === 'requires_action'
