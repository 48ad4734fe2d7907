import { asMembers } from '../../caller/answer.ts'
import { bookingOf, codeOf, resultOf, withBooking, withCancellation, withResult } from '../answers.ts'
import type { Fault } from '../fault.ts'

const escaped = (text: unknown) =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;')

export const bookingFaults: Fault[] = [
  {
    name: 'A booked slot can be booked again',
    only: ['BKG'],
    seenAt: 'https://github.com/alextselegidis/easyappointments/issues/1783',
    operations: ['book'],
    answer: (answer, call, memory) => {
      const result = resultOf(answer, call)
      const slot = `booked ${call.input.slot_id}`
      if (result?.booking) memory.set(slot, result)
      const booked = asMembers(memory.get(slot))
      if (codeOf(answer, call) !== 'slot_unavailable' || !booked) return undefined
      const booking = { ...bookingOf(booked), id: `bkg_${crypto.randomUUID()}`, buyer: call.input.buyer }
      return withResult(answer, call, { ...booked, booking }, 201)
    },
  },
  {
    name: 'The notes of a booking contain HTML entities',
    only: ['BKG'],
    operations: ['book', 'getBooking', 'updateBooking'],
    result: (result) =>
      withBooking(result, ({ notes, ...rest }) => (notes === undefined ? rest : { ...rest, notes: escaped(notes) })),
  },
  {
    name: 'An update without a recipient removes the recipient',
    only: ['BKG'],
    operations: ['updateBooking', 'getBooking'],
    result: (result, { operation, input }, memory) =>
      withBooking(result, ({ recipient, ...booking }) => {
        if (operation === 'updateBooking') memory.set(String(booking.id), !('recipient' in input))
        return memory.get(String(booking.id)) ? booking : undefined
      }),
  },
  {
    name: 'A booking shows a consent that the buyer did not give',
    only: ['BKG'],
    operations: ['book', 'getBooking'],
    result: (result) =>
      withBooking(result, ({ buyer, ...booking }) => {
        const { consent, ...person } = asMembers(buyer) ?? {}
        const given = asMembers(consent)
        return given && { ...booking, buyer: { ...person, consent: { preferences: true, ...given } } }
      }),
  },
  {
    name: 'A second cancellation of a booking succeeds, and changes the time of the cancellation',
    only: ['BKG', 'LIV-065'],
    seenAt: 'https://github.com/wielebenwir/commonsbooking/issues/2295',
    operations: ['cancelBooking'],
    answer: (answer, call, memory) => {
      const id = String(call.input.booking_id)
      const result = resultOf(answer, call)
      if (result?.booking) memory.set(id, result)
      const first = asMembers(memory.get(id))
      const again =
        first && withCancellation(first, (members) => ({ ...members, canceled_at: new Date().toISOString() }))
      return again && codeOf(answer, call) === 'invalid_transition' ? withResult(answer, call, again) : undefined
    },
  },
  {
    name: 'The caller can choose the value of canceled_by',
    only: ['BKG'],
    operations: ['cancelBooking', 'getBooking'],
    result: (result, { operation, input }, memory) =>
      withCancellation(result, (cancellation, { id }) => {
        if (operation === 'cancelBooking' && input.canceled_by) memory.set(String(id), input.canceled_by)
        return { ...cancellation, canceled_by: memory.get(String(id)) ?? cancellation.canceled_by }
      }),
  },
  {
    name: 'The reason of a cancellation is missing for services with a capacity',
    only: ['BKG'],
    seenAt: 'https://github.com/calcom/cal.diy/pull/21812',
    operations: ['cancelBooking', 'getBooking'],
    result: (result) =>
      withCancellation(result, ({ reason, ...cancellation }, { service_id }) =>
        service_id === 'svc_yoga' || service_id === 'svc_table' || reason === undefined
          ? cancellation
          : { ...cancellation, reason },
      ),
  },
  {
    name: 'The refusal of a booking has a member booking with the value null',
    only: ['BKG'],
    operations: ['book'],
    result: (result) => (result.booking ? undefined : { ...result, booking: null }),
  },
  {
    name: 'A booking repeats unknown members of the request',
    only: ['BKG'],
    operations: ['book'],
    result: (result, { input: { _meta, slot_id, hold_id, ...input } }) =>
      withBooking(result, (booking) => ({ ...input, ...booking })),
  },
  {
    name: 'An update of a booking changes created_at',
    only: ['BKG'],
    operations: ['updateBooking'],
    result: (result) => withBooking(result, (booking) => ({ ...booking, created_at: booking.updated_at })),
  },
]
