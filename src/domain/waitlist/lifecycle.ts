import { stateMachine } from '../../protocol/state-machine.ts'
import type { WaitlistEntry } from '../../protocol/types.generated.ts'

export type Step = 'offer' | 'accept' | 'decline' | 'leave' | 'expire'

/**
 * The states of a waitlist entry, and the steps between the states. After a declined offer, the entry is `waiting` or
 * `removed`, so no entry has the status `declined`. The step `leave` is possible even if the entry has already ended.
 */
export const entry = stateMachine<WaitlistEntry['status'], Step>('waitlist entry', {
  waiting: { offer: 'offered', leave: 'removed', expire: 'expired' },
  offered: { accept: 'accepted', decline: 'waiting', leave: 'removed', expire: 'expired' },
  accepted: { leave: 'removed' },
  expired: { leave: 'removed' },
  declined: { leave: 'removed' },
  removed: {},
})

export const { after } = entry
