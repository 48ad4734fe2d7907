import { randomUUID } from 'node:crypto'
import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { isManual, isPaidAhead, policiesOf, sharedService } from './service-kinds.ts'
import { askToBook, bookingOf, expectUnchanged, hasSpots, readBooking, spotsOf } from './slots-and-bookings.ts'

const needs = ['services.bookings']
const newKey = () => ({ idempotencyKey: randomUUID() })

/** Repeats a booking of a group slot, of which a second execution would take another spot. */
async function repeatBooking(c: CheckContext): Promise<void> {
  const slot = await c.slot(sharedService(c), { where: hasSpots(2) })
  const request = { input: { buyer: c.buyer() }, options: newKey() }
  const first = await askToBook(c, slot, request)
  const { remaining } = await spotsOf(c, slot)
  const second = await askToBook(c, slot, request)
  expectEqual(bookingOf(second).id, bookingOf(first).id, 'id of the booking')
  const credential = (answer: typeof first) => asMembers(answer.result?.booking_scoped_credential)?.value
  expectEqual(credential(second), credential(first), 'the credential in the second answer')
  expectEqual((await spotsOf(c, slot)).remaining, remaining, 'remaining after the second request')
}

export const idempotencyReplayChecks = [
  check('BKG-044 IDM-001 IDM-004 IDM-026', 'A booking repeated with its key is made once', repeatBooking, {
    needs,
    only: 'rest',
  }),
  check('BKG-057 IDM-003 IDM-013', 'A tool call repeated with its key is executed once', repeatBooking, {
    needs,
    only: 'mcp',
  }),
  check(
    'BKG-045 IDM-005 IDM-006',
    'A repeated request gets the status and bytes of the first answer, and is marked',
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
    'A cancel repeated with its key is answered with its success',
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
    'A reschedule repeated with its key counts once',
    async (c) => {
      const limit = (one: Members) => Number(asMembers(policiesOf(one).rescheduling)?.max_reschedules)
      const service = c.service(
        'service with a small number of reschedules',
        (one) => limit(one) >= 1 && limit(one) <= 3 && !isManual(one) && !isPaidAhead(one),
      )
      const { booking, slot } = await c.book(service)
      const next = await c.slot(service)
      const options = newKey()
      const move = (slot_id: string, keyed = {}) =>
        c.caller.call('reschedule', { booking_id: booking.id, slot_id }, keyed)
      const first = bookingOf(await move(next.id, options))
      expectEqual(bookingOf(await move(next.id, options)), first, 'the booking in the second answer')
      for (let count = 1; count < limit(service); count++) bookingOf(await move(count % 2 === 1 ? slot.id : next.id))
      const later = await readBooking(c, booking)
      expectEqual(bookingOf(await move(next.id, options)), first, 'the booking in the third answer')
      await expectUnchanged(c, later)
    },
    { needs },
  ),
  check(
    'IDM-027',
    'A booking repeated with its key is answered as it was made, though it is canceled now',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const request = { input: { buyer: c.buyer() }, options: newKey() }
      const first = bookingOf(await askToBook(c, slot, request))
      const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id: first.id }))
      expectEqual(bookingOf(await askToBook(c, slot, request)), first, 'the booking in the second answer')
      await expectUnchanged(c, canceled)
    },
    { needs },
  ),
  check(
    'IDM-016 BKG-051',
    'The refusal of a booking is repeated for its key, even when the slot is free again',
    async (c) => {
      const { booking, slot } = await c.book()
      const { caller } = c.newPlatform()
      const request = { caller, input: { buyer: c.buyer() }, options: newKey() }
      ;(await askToBook(c, slot, request)).refusedWith('slot_unavailable')
      bookingOf(await c.caller.call('cancelBooking', { booking_id: booking.id }))
      ;(await askToBook(c, slot, request)).refusedWith('slot_unavailable')
      bookingOf(await askToBook(c, slot, { caller }))
    },
    { needs },
  ),
  check(
    'IDM-024',
    'A known key without authentication reveals nothing of the stored answer',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const request = { input: { buyer: c.buyer() }, options: newKey() }
      const booking = bookingOf(await askToBook(c, slot, request))
      const answer = await askToBook(c, slot, { ...request, caller: c.callerFor(c.platform.hosted, 'none') })
      answer.failsWith('authentication_required', { rest: 401, mcp: -32006 })
      expectEqual(answer.text.includes(String(booking.id)), false, 'whether the refusal shows the booking')
    },
    { needs },
  ),
  check(
    'IDM-033',
    'A cancel by a credential, which ends the credential, is answered again for its key',
    async (c) => {
      const { booking, credential } = await c.book()
      if (credential === undefined) throw new Skip('The business issues no booking-scoped credential.')
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
    'Requests without a key are executed each time',
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
    'A key used over REST is known over MCP',
    async (c) => {
      if (!c.target.bindings.includes('mcp')) throw new Skip('The business offers REST only.')
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
