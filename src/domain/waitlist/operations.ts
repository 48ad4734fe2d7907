import type { Operation } from '../../protocol/define-operation.ts'
import { acceptOffer } from './accept-offer.ts'
import { declineOffer } from './decline-offer.ts'
import { getWaitlistEntry } from './get-entry.ts'
import { joinWaitlist } from './join-waitlist.ts'
import { leaveWaitlist } from './leave-waitlist.ts'
import { listWaitlistEntries } from './list-entries.ts'

export const operations: Operation[] = [
  joinWaitlist,
  listWaitlistEntries,
  getWaitlistEntry,
  leaveWaitlist,
  acceptOffer,
  declineOffer,
]
