import { asMembers } from '../../caller/answer.ts'
import { bookingOf, codeOf, resultOf, withBooking, withItems, withResult } from '../answers.ts'
import type { Fault, Memory, RawAnswer, SeenCall } from '../fault.ts'

/** Answers a refused reschedule with a success: the booking with the new slot. */
function movedAnyway(answer: RawAnswer, call: SeenCall, memory: Memory, code: string): RawAnswer | undefined {
  const result = resultOf(answer, call)
  const { id } = bookingOf(result)
  if (result && id) memory.set(String(id), result)
  const before = asMembers(memory.get(String(call.input.booking_id)))
  if (call.operation !== 'reschedule' || codeOf(answer, call) !== code || !before) return undefined
  const booking = bookingOf(before)
  const slot = { ...asMembers(booking.slot), id: call.input.slot_id }
  return withResult(answer, call, { usp: before.usp, booking: { ...booking, status: 'confirmed', slot } })
}

export const moveFaults: Fault[] = [
  {
    name: 'A reschedule gives the booking a new created_at',
    only: ['BKG'],
    operations: ['reschedule'],
    result: (result) => withBooking(result, (booking) => ({ ...booking, created_at: booking.updated_at })),
  },
  {
    name: 'A canceled booking can be rescheduled',
    only: ['BKG', 'LIV-066'],
    seenAt: 'https://github.com/calcom/cal.diy/pull/13170',
    operations: ['book', 'cancelBooking', 'reschedule'],
    answer: (answer, call, memory) => movedAnyway(answer, call, memory, 'invalid_transition'),
  },
  {
    name: 'A booking can be rescheduled once more than its service allows',
    only: ['BKG'],
    operations: ['book', 'reschedule'],
    answer: (answer, call, memory) => movedAnyway(answer, call, memory, 'reschedule_limit_reached'),
  },
  {
    name: 'The spots of a canceled group booking do not become free',
    only: ['BKG', 'AVL'],
    seenAt: 'https://github.com/HiEventsDev/Hi.Events/issues/466',
    operations: ['cancelBooking', 'queryAvailability'],
    result: (result, _, memory) => {
      const { slot, party_size, status } = bookingOf(result)
      const id = String(asMembers(slot)?.id)
      if (status === 'canceled') memory.set(id, Number(memory.get(id) ?? 0) + Number(party_size))
      if (!result.slots) return undefined
      return withItems(result, 'slots', (slots) =>
        slots.map((one) => {
          const { remaining, ...capacity } = asMembers(one.capacity) ?? {}
          const lost = Number(memory.get(String(one.id)) ?? 0)
          const left = Math.max(0, Number(remaining) - lost)
          return lost && typeof remaining === 'number' ? { ...one, capacity: { ...capacity, remaining: left } } : one
        }),
      )
    },
  },
  {
    name: 'A refused reschedule changes the slot of the booking',
    only: ['BKG'],
    operations: ['reschedule', 'getBooking'],
    answer: (answer, call, memory) => {
      const id = String(call.input.booking_id)
      if (call.operation === 'reschedule') {
        if (codeOf(answer, call) === 'slot_unavailable') memory.set(id, call.input.slot_id)
        return undefined
      }
      const result = resultOf(answer, call)
      const changed =
        result &&
        memory.has(id) &&
        withBooking(result, (booking) => ({ ...booking, slot: { ...asMembers(booking.slot), id: memory.get(id) } }))
      return changed ? withResult(answer, call, changed) : undefined
    },
  },
  {
    name: 'A cancellation without a fee has no member fee',
    only: ['BKG'],
    operations: ['cancelBooking'],
    result: (result) =>
      withBooking(result, ({ cancellation, ...booking }) => {
        const { fee, ...others } = asMembers(cancellation) ?? {}
        return Number(fee) === 0 ? { ...booking, cancellation: others } : undefined
      }),
  },
]
