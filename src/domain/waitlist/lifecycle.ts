import { machine } from '../../protocol/machine.ts'
import type { WaitlistEntry } from '../../protocol/types.generated.ts'

export type Step = 'offer' | 'accept' | 'decline' | 'leave' | 'expire'

/** Who declines waits on or leaves, so that `declined` is never reached. Whoever is in line no more may still say so. */
export const entry = machine<WaitlistEntry['status'], Step>('waitlist entry', {
  waiting: { offer: 'offered', leave: 'removed', expire: 'expired' },
  offered: { accept: 'accepted', decline: 'waiting', leave: 'removed', expire: 'expired' },
  accepted: { leave: 'removed' },
  expired: { leave: 'removed' },
  declined: { leave: 'removed' },
  removed: {},
})

export const { after } = entry
