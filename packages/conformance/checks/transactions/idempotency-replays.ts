import type { Answer } from '../../caller/answer.ts'
import { type CheckContext, credentialOf } from '../../run/check-context.ts'
import { expectEqual } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { maxReschedules, serviceWithFewReschedules, sharedService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import {
  askToBook,
  askToMove,
  bookingOf,
  cancelBooking,
  expectUnchanged,
  hasSpots,
  newKey,
  readBooking,
  spotsOf,
} from './slots-and-bookings.ts'

const needs = ['services.bookings']

/**
 * Sends the same booking twice with one idempotency key. The slot has several spots, so a wrong second booking would
 * take another spot.
 */
async function repeatBooking(c: CheckContext): Promise<void> {
  const slot = await c.slot(sharedService(c), { where: hasSpots(2) })
  const request = { input: { buyer: c.buyer() }, options: newKey() }
  const first = await askToBook(c, slot, request)
  const { remaining } = await spotsOf(c, slot)
  const second = await askToBook(c, slot, request)
  expectEqual(bookingOf(second).id, bookingOf(first).id, 'id of the booking')
  const credential = (answer: Answer) => credentialOf(answer.success())
  expectEqual(credential(second), credential(first), 'the credential in the second answer')
  expectEqual((await spotsOf(c, slot)).remaining, remaining, 'remaining after the second request')
}

export const idempotencyReplayChecks = [
  check(
    'BKG-044 IDM-001 IDM-004 IDM-026',
    'A booking repeated with its idempotency key is made only once',
    repeatBooking,
    {
      needs,
      once: true,
    },
  ),
  check(
    'BKG-057 IDM-003 IDM-013',
    'A tool call repeated with its idempotency key is executed only once',
    repeatBooking,
    {
      needs,
      only: 'mcp',
    },
  ),
  check(
    'BKG-045 IDM-005 IDM-006',
    'A repeated request gets the status and body of the first answer, with a header that marks the repetition',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const request = { input: { buyer: c.buyer() }, options: newKey() }
      const first = await askToBook(c, slot, request)
      const second = await askToBook(c, slot, request)
      expectEqual(second.status, first.status, 'the HTTP status')
      expectEqual(second.text, first.text, 'the body')
      const marks = [first, second].map(({ headers }) => headers['idempotency-replayed'])
      expectEqual(marks, [undefined, 'true'], 'the headers Idempotency-Replayed')
    },
    { needs, only: 'rest' },
  ),
  check(
    'IDM-001 IDM-004 IDM-027',
    'A cancellation repeated with its idempotency key gets its successful answer again',
    async (c) => {
      const { booking } = await c.book()
      const options = newKey()
      const cancel = () => c.caller.call('cancelBooking', { booking_id: booking.id, reason: 'Once' }, options)
      const first = bookingOf(await cancel())
      expectEqual(bookingOf(await cancel()), first, 'the booking in the second answer')
      await expectUnchanged(c, first)
    },
    { needs },
  ),
  check(
    'BKG-056 IDM-001 IDM-027',
    'A reschedule repeated with its idempotency key counts only once',
    async (c) => {
      const service = serviceWithFewReschedules(c)
      const { booking, slot } = await c.book(service)
      const next = await c.slot(service)
      const options = newKey()
      const move = () => askToMove(c, booking, next, options)
      const first = bookingOf(await move())
      expectEqual(bookingOf(await move()), first, 'the booking in the second answer')
      for (let count = 1; count < maxReschedules(service); count++)
        bookingOf(await askToMove(c, booking, count % 2 === 1 ? slot : next))
      const later = await readBooking(c, booking)
      expectEqual(bookingOf(await move()), first, 'the booking in the third answer')
      await expectUnchanged(c, later)
    },
    { needs },
  ),
  check(
    'IDM-027',
    'A booking repeated with its idempotency key gets its first answer again, even if the booking is canceled now',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const request = { input: { buyer: c.buyer() }, options: newKey() }
      const first = bookingOf(await askToBook(c, slot, request))
      const canceled = await cancelBooking(c, first)
      expectEqual(bookingOf(await askToBook(c, slot, request)), first, 'the booking in the second answer')
      await expectUnchanged(c, canceled)
    },
    { needs },
  ),
  check(
    'IDM-016 BKG-051',
    'The server repeats the refusal of a booking for its idempotency key, even if the slot is free again',
    async (c) => {
      const { booking, slot } = await c.book()
      const { caller } = c.newPlatform()
      const request = { caller, input: { buyer: c.buyer() }, options: newKey() }
      ;(await askToBook(c, slot, request)).refusedWith('slot_unavailable')
      await cancelBooking(c, booking)
      ;(await askToBook(c, slot, request)).refusedWith('slot_unavailable')
      bookingOf(await askToBook(c, slot, { caller }))
    },
    { needs },
  ),
  check(
    'IDM-024',
    'A call with a known idempotency key, but without authentication, reveals nothing of the stored answer',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const request = { input: { buyer: c.buyer() }, options: newKey() }
      const booking = bookingOf(await askToBook(c, slot, request))
      const answer = await askToBook(c, slot, { ...request, caller: c.callerFor(c.platform.hosted, 'none') })
      answer.failsWith('authentication_required')
      expectEqual(answer.text.includes(String(booking.id)), false, 'the presence of the booking in the refusal')
    },
    { needs },
  ),
  check(
    'IDM-033',
    'A cancellation by a credential gets its answer again for its idempotency key, even though the credential has ended',
    async (c) => {
      const { booking, credential } = await c.book()
      if (credential === undefined) throw new Skip('The business issues no booking-scoped credentials.')
      const options = { ...newKey(), credential }
      const cancel = () => c.caller.call('cancelBooking', { booking_id: booking.id }, options)
      const first = bookingOf(await cancel())
      expectEqual(first.status, 'canceled', 'status')
      expectEqual(bookingOf(await cancel()), first, 'the booking in the second answer')
    },
    { needs },
  ),
  check(
    'IDM-029',
    'The server executes each request without an idempotency key',
    async (c) => {
      const slot = await c.slot(sharedService(c), { where: hasSpots(2) })
      const request = { input: { buyer: c.buyer() }, options: { idempotencyKey: null } }
      const ids = [bookingOf(await askToBook(c, slot, request)).id, bookingOf(await askToBook(c, slot, request)).id]
      expectEqual(new Set(ids).size, 2, 'the number of bookings')
    },
    { needs },
  ),
  check(
    'IDM-032',
    'The server recognizes over MCP an idempotency key that was used over REST',
    async (c) => {
      if (!c.target.bindings.includes('mcp')) throw new Skip('The business offers only REST.')
      const slot = await c.slot(sharedService(c), { where: hasSpots(2) })
      const input = { buyer: c.buyer() }
      const options = newKey()
      const first = bookingOf(await askToBook(c, slot, { input, options: { ...options, binding: 'rest' } }))
      const second = await askToBook(c, slot, { input, options: { ...options, binding: 'mcp' } })
      expectEqual(bookingOf(second).id, first.id, 'id of the booking')
    },
    { needs, only: 'rest' },
  ),
]
