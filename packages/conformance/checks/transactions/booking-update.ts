import { setTimeout as sleep } from 'node:timers/promises'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { visitService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import {
  bookingOf,
  cancelBooking,
  expectUnchanged,
  readBooking,
  staffAction,
  UNKNOWN_SERVICE,
} from './slots-and-bookings.ts'

const needs = ['services.bookings']

export const bookingUpdateChecks = [
  check(
    'BKG-062 BKG-038 REV-004',
    'A read shows a booking as created, and changes nothing',
    async (c) => {
      const { booking } = await c.book(c.simpleService, { input: { notes: 'By the window' } })
      for (let round = 1; round <= 2; round++) {
        const read = await readBooking(c, booking)
        c.schemas.expectValid('booking#Booking', read, 'the booking')
        for (const member of ['id', 'service_id', 'slot', 'buyer', 'notes', 'party_size', 'status', 'resources'])
          expectEqual(read[member], booking[member], member)
        for (const member of ['created_at', 'updated_at', 'revision'])
          expectEqual(read[member], booking[member], `${member} after a read`)
      }
    },
    { needs },
  ),
  check(
    'BKG-066 BKG-038 REV-001 REV-005',
    'An update of the notes changes only the notes',
    async (c) => {
      const input = { buyer: c.buyer(), recipient: c.buyer(), notes: 'First' }
      const { booking } = await c.book(c.simpleService, { input })
      // A business may store `updated_at` in whole seconds. After this pause, the new time must differ from the old
      // time.
      await sleep(1100)
      const answer = await c.caller.call('updateBooking', { booking_id: booking.id, notes: 'Second' })
      const updated = bookingOf(answer)
      c.schemas.expectValid('booking#Booking', updated, 'the updated booking')
      for (const shown of [updated, await readBooking(c, booking)]) {
        expectEqual(shown.notes, 'Second', 'notes')
        for (const member of ['buyer', 'recipient', 'slot', 'status', 'party_size', 'created_at'])
          expectEqual(shown[member], booking[member], member)
        expectTrue(shown.revision !== booking.revision, 'a new revision', shown.revision)
        expectTrue(
          Date.parse(String(shown.updated_at)) > Date.parse(String(booking.updated_at)),
          'a later updated_at',
          shown.updated_at,
        )
      }
    },
    { needs },
  ),
  check(
    'BKG-067',
    'An update can replace the buyer and the recipient',
    async (c) => {
      const { booking } = await c.book()
      const people = { buyer: c.buyer(), recipient: { ...c.buyer(), first_name: 'Renée' } }
      bookingOf(await c.caller.call('updateBooking', { booking_id: booking.id, ...people }))
      const { buyer, recipient } = await readBooking(c, booking)
      expectEqual({ buyer, recipient }, people, 'the people')
    },
    { needs },
  ),
  check(
    'BKG-068',
    'The server refuses an update with an incomplete buyer, and changes nothing',
    async (c) => {
      const { booking } = await c.book()
      const { last_name, ...buyer } = c.buyer()
      const answer = await c.caller.call('updateBooking', { booking_id: booking.id, buyer, notes: 'Changed' })
      answer.failsWith('invalid_request')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-071 BKG-070',
    'An update never changes the service, slot, party size, status or payment',
    async (c) => {
      const { booking } = await c.book()
      const other = await c.slot(c.simpleService)
      const foreign = {
        slot: { id: other.id },
        slot_id: other.id,
        service_id: UNKNOWN_SERVICE,
        party_size: 2,
        status: 'completed',
        payment: { status: 'paid' },
        resources: [],
      }
      const answer = await c.caller.call('updateBooking', { booking_id: booking.id, notes: 'Changed', ...foreign })
      const read = await readBooking(c, booking)
      for (const member of ['service_id', 'slot', 'party_size', 'status', 'payment', 'resources'])
        expectEqual(read[member], booking[member], member)
      expectEqual(bookingOf(answer).notes, 'Changed', 'notes')
      expectTrue(
        answer.messages.some(({ type }) => type === 'warning'),
        'a warning about members that an update cannot change',
        answer.messages,
      )
    },
    { needs },
  ),
  check(
    'BKG-069',
    'An update does not change the address of a visit',
    async (c) => {
      const { booking } = await c.book(visitService(c))
      const delivery_address = { ...(booking.delivery_address as object), line1: '7 Other Street' }
      await c.caller.call('updateBooking', { booking_id: booking.id, notes: 'Changed', delivery_address })
      const read = await readBooking(c, booking)
      expectEqual(read.delivery_address, booking.delivery_address, 'delivery_address')
      expectEqual(read.notes, 'Changed', 'notes')
    },
    { needs },
  ),
  check(
    'LIV-069 LIV-016',
    'A canceled booking cannot be updated',
    async (c) => {
      const { booking } = await c.book()
      const canceled = await cancelBooking(c, booking)
      const answer = await c.caller.call('updateBooking', { booking_id: booking.id, notes: 'Changed' })
      expectEqual(answer.refusedWith('invalid_transition').severity, 'unrecoverable', 'severity')
      await expectUnchanged(c, canceled)
    },
    { needs },
  ),
  check(
    'LIV-069 BKG-083 BKG-084',
    'A started booking can be updated, but a completed booking cannot',
    async (c) => {
      const [start, complete] = [staffAction(c, 'start'), staffAction(c, 'complete')]
      const { booking } = await c.book()
      await start(booking.id)
      const update = { booking_id: booking.id, notes: 'During the service' }
      const running = bookingOf(await c.caller.call('updateBooking', update))
      expectEqual([running.status, running.notes], ['in_progress', update.notes], 'status and notes')
      await complete(booking.id)
      const completed = await readBooking(c, booking)
      expectEqual(completed.status, 'completed', 'status')
      const late = await c.caller.call('updateBooking', { booking_id: booking.id, notes: 'Afterwards' })
      late.refusedWith('invalid_transition')
      await expectUnchanged(c, completed)
    },
    { needs },
  ),
]
