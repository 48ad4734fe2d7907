import { asMembers } from '../../caller/answer.ts'
import { bookingOf, codeOf, resultOf, withMember, withRefusal, withResult } from '../answers.ts'
import type { Fault } from '../fault.ts'

const TEN_HOURS_MS = 36_000_000

export const holdFaults: Fault[] = [
  {
    name: 'A hold ends after ten hours instead of ten minutes',
    only: ['HLD'],
    operations: ['hold'],
    result: (result) => {
      const expires_at = new Date(Date.now() + TEN_HOURS_MS).toISOString()
      return withMember(result, 'hold', (hold) => ({ ...hold, expires_at }))
    },
  },
  {
    name: 'A hold of several spots shows one spot',
    only: ['HLD'],
    operations: ['hold'],
    result: (result) => withMember(result, 'hold', (hold) => ({ ...hold, spots: 1 })),
  },
  {
    name: 'The release of a booked hold says that the hold is unknown',
    only: ['HLD'],
    operations: ['release'],
    answer: (answer, call) =>
      asMembers(resultOf(answer, call)?.hold)?.status === 'converted'
        ? withRefusal(answer, call, 'hold_not_found')
        : undefined,
  },
  {
    name: 'A platform can hold any number of slots of one service',
    only: ['HLD'],
    operations: ['hold'],
    answer: (answer, call, memory) => {
      const result = resultOf(answer, call)
      const hold = asMembers(result?.hold)
      if (hold) memory.set('granted', result)
      const granted = asMembers(memory.get('granted'))
      if (codeOf(answer, call) !== 'hold_limit_exceeded' || !granted) return undefined
      const { slot_id, service_id } = call.input
      const another = { ...asMembers(granted.hold), id: `hold_${crypto.randomUUID()}`, slot_id, service_id }
      return withResult(answer, call, { ...granted, hold: another }, 201)
    },
  },
  {
    name: 'A slot cannot be held after its booking has moved to another slot',
    only: ['HLD', 'BKG'],
    seenAt: 'https://github.com/calcom/cal.diy/issues/21589',
    operations: ['book', 'hold', 'reschedule'],
    answer: (answer, call, memory) => {
      const { id, slot } = bookingOf(resultOf(answer, call))
      const slotId = asMembers(slot)?.id
      if (call.operation === 'hold' && memory.has(`left ${call.input.slot_id}`))
        return withRefusal(answer, call, 'slot_unavailable')
      const before = memory.get(`slot of ${id}`)
      if (call.operation === 'reschedule' && id && before !== slotId) memory.set(`left ${before}`, true)
      if (id) memory.set(`slot of ${id}`, slotId)
      return undefined
    },
  },
  {
    name: 'A booking accepts a hold of another slot',
    only: ['HLD', 'LIV-011'],
    operations: ['book'],
    answer: (answer, call) => {
      if (codeOf(answer, call) !== 'validation_error' || call.input.hold_id === undefined) return undefined
      const { service_id, slot_id, buyer } = call.input
      const booking = {
        id: `bkg_${crypto.randomUUID()}`,
        status: 'confirmed',
        service_id,
        buyer,
        slot: { id: slot_id },
      }
      return withResult(answer, call, { booking }, 201)
    },
  },
]
