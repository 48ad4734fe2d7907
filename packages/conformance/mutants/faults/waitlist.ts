import { asMembers, type Members } from '../../caller/answer.ts'
import { codeOf, resultOf, withMember, withRefusal, withResult } from '../answers.ts'
import type { Fault } from '../fault.ts'

const withEntry = (result: Members, change: (entry: Members) => Members | undefined) =>
  withMember(result, 'entry', change)

export const waitlistFaults: Fault[] = [
  {
    name: 'The total of a waitlist counts the entries of all platforms',
    only: ['WTL'],
    operations: ['joinWaitlist', 'listWaitlist'],
    result: (result, { operation }, memory) => {
      const joined = Number(memory.get('joined') ?? 0)
      if (operation === 'joinWaitlist' && result.entry) memory.set('joined', joined + 1)
      return withMember(result, 'pagination', (pagination) => ({ ...pagination, total: joined }))
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
    name: 'A second acceptance of an offer gets the same answer as the first',
    only: ['WTL'],
    operations: ['acceptOffer'],
    answer: (answer, call, memory) => {
      const id = String(call.input.entry_id)
      const result = resultOf(answer, call)
      if (result?.booking) memory.set(id, result)
      const first = asMembers(memory.get(id))
      return first && codeOf(answer, call) === 'offer_already_accepted' ? withResult(answer, call, first) : undefined
    },
  },
  {
    name: 'An entry does not show its preferred time of day',
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
    name: 'An accepted entry cannot leave the waitlist',
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
