import { asMembers, type Members } from '../../caller/answer.ts'
import type { Fault } from '../fault.ts'
import { codeOf, recall, resultOf, withRefusal, withResult } from '../outcomes.ts'

const withEntry = (result: Members, change: (entry: Members) => Members | undefined): Members | undefined => {
  const entry = asMembers(result.entry)
  const changed = entry && change(entry)
  return changed && { ...result, entry: changed }
}

export const waitlistFaults: Fault[] = [
  {
    name: 'The total of the waitlist counts the entries of all platforms',
    only: ['WTL'],
    operations: ['joinWaitlist', 'listWaitlist'],
    result: (result, { operation }, memory) => {
      const joined = Number(memory.get('joined') ?? 0)
      if (operation === 'joinWaitlist' && result.entry) memory.set('joined', joined + 1)
      const pagination = asMembers(result.pagination)
      return pagination && { ...result, pagination: { ...pagination, total: joined } }
    },
  },
  {
    name: 'An accepted entry still shows the offered slot',
    only: ['WTL'],
    operations: ['getEntry', 'acceptOffer'],
    result: (result, _, memory) =>
      withEntry(result, (entry) => {
        const id = String(entry.id)
        if (entry.status === 'offered') memory.set(id, entry.offered_slot)
        return entry.status === 'accepted' ? { ...entry, offered_slot: memory.get(id) } : undefined
      }),
  },
  {
    name: 'A second acceptance of an offer is answered like the first',
    only: ['WTL'],
    operations: ['acceptOffer'],
    answer: (answer, call, memory) => {
      const id = String(call.input.entry_id)
      const result = resultOf(answer, call)
      if (result?.booking) recall(memory, id, result)
      const first = asMembers(memory.get(id))
      return first && codeOf(answer, call) === 'offer_already_accepted' ? withResult(answer, call, first) : undefined
    },
  },
  {
    name: 'The wished time of day of an entry is lost',
    only: ['WTL'],
    operations: ['joinWaitlist', 'getEntry', 'listWaitlist'],
    result: (result) =>
      withEntry(result, ({ preferred_slots, ...entry }) => {
        if (!Array.isArray(preferred_slots)) return undefined
        const days = preferred_slots.map(({ time_of_day, ...window }: Members) => window)
        return { ...entry, preferred_slots: days }
      }),
  },
  {
    name: 'A buyer whose offer became a booking cannot leave the waitlist',
    only: ['WTL'],
    operations: ['acceptOffer', 'leaveWaitlist'],
    answer: (answer, call, memory) => {
      const id = String(call.input.entry_id)
      if (call.operation === 'acceptOffer' && resultOf(answer, call)?.booking) memory.set(id, true)
      return call.operation === 'leaveWaitlist' && memory.has(id)
        ? withRefusal(answer, call, 'invalid_transition')
        : undefined
    },
  },
  {
    name: 'An entry that left has the position 0',
    only: ['WTL'],
    operations: ['leaveWaitlist', 'getEntry', 'listWaitlist'],
    result: (result) =>
      withEntry(result, (entry) => (entry.status === 'removed' ? { ...entry, position: 0 } : undefined)),
  },
]
