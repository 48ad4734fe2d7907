import { asMembers, type Members } from '../../caller/answer.ts'
import {
  bookingOf,
  codeOf,
  listOf,
  resultOf,
  success,
  withBooking,
  withCode,
  withItems,
  withMember,
  withRefusal,
} from '../answers.ts'
import type { Fault, Memory } from '../fault.ts'

const availability: Pick<Fault, 'operations'> = { operations: ['queryAvailability'] }
const slotOf = (booking: Members): Members => asMembers(booking.slot) ?? {}

/** Adds this number of spots to the free spots of a slot. */
const withMoreSpots = (slot: Members, more: number): Members =>
  withMember(slot, 'capacity', (capacity) => ({ ...capacity, remaining: Number(capacity.remaining) + more })) ?? slot

/** Answers a refused call with the last result that the server gave to an accepted call. */
const acceptedInsteadOf = (...codes: string[]): Pick<Fault, 'result' | 'answer'> => ({
  result: (result, _, memory) => {
    if (result.booking || result.entry || result.hold) memory.set('accepted', result)
    return undefined
  },
  answer: (answer, call, memory) => {
    const accepted = asMembers(memory.get('accepted'))
    return codes.includes(String(codeOf(answer, call))) ? success(answer, call, accepted) : undefined
  },
})

const count = (memory: Memory, key: string): number => {
  const next = Number(memory.get(key) ?? 0) + 1
  memory.set(key, next)
  return next
}

/** Faults that repeat real bugs of other booking systems. */
export const bugTrackerFaults: Fault[] = [
  {
    name: 'An availability query returns each slot twice',
    seenAt: 'https://github.com/calcom/cal.diy/issues/12142',
    only: ['AVL'],
    ...availability,
    result: (result) => withItems(result, 'slots', (slots) => [...slots, ...slots]),
  },
  {
    name: 'A query with a timezone returns slots that cannot be booked',
    seenAt: 'https://github.com/calcom/cal.diy/issues/6932',
    only: ['AVL'],
    ...availability,
    result: (result, { input: { timezone } }) =>
      timezone === undefined
        ? undefined
        : withItems(result, 'slots', (slots) => slots.flatMap((slot) => [slot, { ...slot, id: `${slot.id}_more` }])),
  },
  {
    name: 'The free spots of a class include the booked spots',
    seenAt: 'https://github.com/calcom/cal.diy/issues/17542',
    only: ['BKG', 'AVL'],
    ...availability,
    result: (result) =>
      withItems(result, 'slots', (slots) =>
        slots.map(
          (slot) => withMember(slot, 'capacity', (capacity) => ({ ...capacity, remaining: capacity.total })) ?? slot,
        ),
      ),
  },
  {
    name: 'A booking for several people takes only one spot',
    seenAt: 'https://github.com/markocupic/calendar-event-booking-bundle/issues/26',
    only: ['BKG', 'AVL'],
    operations: ['book', 'queryAvailability'],
    result: (result, _, memory) => {
      const booking = bookingOf(result)
      if (Number(booking.party_size) > 1) memory.set(String(slotOf(booking).id), Number(booking.party_size) - 1)
      if (!Array.isArray(result.slots)) return undefined
      const more = (slot: Members) => Number(memory.get(String(slot.id)) ?? 0)
      return withItems(result, 'slots', (slots) => slots.map((slot) => withMoreSpots(slot, more(slot))))
    },
  },
  {
    name: 'A booking can be rescheduled only once',
    seenAt: 'https://github.com/hmislk/hmis/issues/6015',
    only: ['BKG'],
    operations: ['reschedule'],
    answer: (answer, call, memory) => {
      if (!resultOf(answer, call)?.booking) return undefined
      const moves = count(memory, String(call.input.booking_id))
      return moves > 1 ? withRefusal(answer, call, 'reschedule_not_allowed') : undefined
    },
  },
  {
    name: 'A read of a canceled booking shows the status pending',
    seenAt: 'https://github.com/alfio-event/alf.io/issues/300',
    only: ['BKG'],
    operations: ['getBooking'],
    result: (result) =>
      withBooking(result, (booking) => (booking.status === 'canceled' ? { ...booking, status: 'pending' } : undefined)),
  },
  {
    name: 'The last page of the catalogue has a cursor',
    seenAt: 'https://github.com/CrossRef/rest-api-doc/issues/303',
    only: ['CAT', 'PAG'],
    operations: ['listServices'],
    result: (result) =>
      withMember(result, 'pagination', (pagination) => ({ ...pagination, cursor: pagination.cursor ?? 'the_end' })),
  },
  {
    name: 'A class sells more spots than it has',
    seenAt: 'https://github.com/odoo/odoo/issues/9189',
    only: ['BKG'],
    operations: ['book'],
    ...acceptedInsteadOf('capacity_exceeded'),
  },
  {
    name: 'A buyer can join the waitlist of a service without a waitlist',
    seenAt: 'https://github.com/seantis/seantis.reservation/issues/12',
    only: ['WTL'],
    operations: ['joinWaitlist'],
    ...acceptedInsteadOf('validation_error'),
  },
  {
    name: 'The second page of the waitlist begins with the last entry of the first page',
    seenAt: 'https://github.com/photocrowd/django-cursor-pagination/issues/30',
    only: ['WTL', 'PAG'],
    operations: ['listWaitlist'],
    result: (result, { input }, memory) => {
      const last = asMembers(memory.get('last'))
      memory.set('last', listOf(result.entries).at(-1))
      const { cursor } = asMembers(input.pagination) ?? {}
      return cursor && last ? withItems(result, 'entries', (entries) => [last, ...entries]) : undefined
    },
  },
  {
    name: 'The server accepts a hold of a slot that does not exist or is not free',
    seenAt: 'https://github.com/IABTechLab/seller-agent/issues/70',
    only: ['HLD'],
    operations: ['hold'],
    ...acceptedInsteadOf('slot_unavailable', 'validation_error'),
  },
  {
    name: 'An idempotency key with a different request gets the first booking',
    seenAt: 'https://github.com/octotravel/spec/pull/5',
    only: ['IDM', 'BKG'],
    operations: ['book'],
    ...acceptedInsteadOf('idempotency_conflict'),
  },
  {
    name: 'A repeated call gets idempotency_conflict',
    seenAt: 'https://github.com/TOMP-WG/TOMP-API/issues/264',
    only: ['IDM'],
    answer: (answer, call) =>
      answer.headers['idempotency-replayed'] ? withRefusal(answer, call, 'idempotency_conflict') : undefined,
  },
  {
    name: 'After a reschedule, the old slot does not become free',
    seenAt: 'https://github.com/calcom/cal.diy/pull/24727',
    only: ['BKG', 'AVL'],
    operations: ['book', 'reschedule', 'queryAvailability'],
    result: (result, { operation }, memory) => {
      const booking = bookingOf(result)
      const former = memory.get(`slot ${booking.id}`)
      if (operation === 'reschedule' && former) memory.set(`blocked ${former}`, true)
      if (booking.id) memory.set(`slot ${booking.id}`, slotOf(booking).id)
      if (!Array.isArray(result.slots)) return undefined
      return withItems(result, 'slots', (slots) => slots.filter(({ id }) => !memory.has(`blocked ${id}`)))
    },
  },
  {
    name: 'Each booking gets slot_unavailable',
    seenAt: 'https://github.com/thunderbird/appointment/issues/1233',
    only: ['BKG'],
    operations: ['book'],
    answer: (answer, call) =>
      resultOf(answer, call)?.booking ? withRefusal(answer, call, 'slot_unavailable') : undefined,
  },
  {
    name: 'An invalid input gets an internal error',
    seenAt: 'https://github.com/thunderbird/appointment/issues/1233',
    only: ['ERR', 'REST'],
    answer: (answer, call) =>
      codeOf(answer, call) === 'validation_error' ? withCode(answer, call, 'internal_error', 500) : undefined,
  },
]
