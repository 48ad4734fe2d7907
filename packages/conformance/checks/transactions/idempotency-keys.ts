import { randomUUID } from 'node:crypto'
import { expectEqual, expectList, expectMembers } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { sharedService } from './service-kinds.ts'
import { askForHold, askToBook, bookingOf, expectOffered, expectUnchanged, hasSpots } from './slots-and-bookings.ts'
import { anyWaitlistService, join, NEVER_OFFERED } from './waitlist-scene.ts'

const needs = ['services.bookings']
const CONFLICT = { rest: 409, mcp: -32602 }
const PAYMENT = { status: 'paid', transaction_id: 'txn_1', amount_paid: 100, currency: 'USD' }
const newKey = () => ({ idempotencyKey: randomUUID() })

export const idempotencyKeyChecks = [
  check(
    'BKG-047 IDM-007 LIV-012',
    'A key cannot be used for a booking with another content',
    async (c) => {
      const options = newKey()
      const slot = await c.slot(c.simpleService)
      const other = await c.slot(c.simpleService)
      const input = { buyer: c.buyer() }
      const booking = bookingOf(await askToBook(c, slot, { input, options }))
      ;(await askToBook(c, slot, { input: { ...input, notes: 'Other' }, options })).failsWith(
        'idempotency_conflict',
        CONFLICT,
      )
      ;(await askToBook(c, other, { input, options })).failsWith('idempotency_conflict', CONFLICT)
      await expectUnchanged(c, booking)
      await expectOffered(c, other, true)
    },
    { needs },
  ),
  check(
    'BKG-048 IDM-008',
    'The key of a booking cannot be used to cancel it, to move it or to confirm its payment',
    async (c) => {
      const options = newKey()
      const booking = bookingOf(await askToBook(c, await c.slot(c.simpleService), { options }))
      const { id: slot_id } = await c.slot(c.simpleService)
      const booking_id = booking.id
      const calls = [
        ['cancelBooking', { booking_id }],
        ['reschedule', { booking_id, slot_id }],
        ['confirmPayment', { booking_id, payment_result: PAYMENT }],
      ] as const
      for (const [name, input] of calls)
        (await c.caller.call(name, input, options)).failsWith('idempotency_conflict', CONFLICT)
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'IDM-009',
    'The key with which one booking is canceled does not cancel another one',
    async (c) => {
      const options = newKey()
      const [first, second] = [(await c.book()).booking, (await c.book()).booking]
      bookingOf(await c.caller.call('cancelBooking', { booking_id: first.id }, options))
      const other = await c.caller.call('cancelBooking', { booking_id: second.id }, options)
      other.failsWith('idempotency_conflict', CONFLICT)
      await expectUnchanged(c, second)
    },
    { needs },
  ),
  check(
    'BKG-049 IDM-010',
    'Two platforms that use one key each get a booking of their own',
    async (c) => {
      const slot = await c.slot(sharedService(c), { where: hasSpots(2) })
      const request = { input: { buyer: c.buyer() }, options: newKey() }
      const first = bookingOf(await askToBook(c, slot, request))
      const second = bookingOf(await askToBook(c, slot, { ...request, caller: c.newPlatform().caller }))
      expectEqual(first.id === second.id, false, 'whether both have the same booking')
    },
    { needs },
  ),
  check(
    'BKG-050 IDM-011',
    'A repeated request may have its members in another order',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const options = newKey()
      const buyer = c.buyer()
      const first = bookingOf(await askToBook(c, slot, { input: { notes: 'Once', buyer }, options }))
      const { first_name, last_name, email } = buyer
      const reordered = { email, last_name, first_name }
      const { service_id, id: slot_id } = slot
      const input = { notes: 'Once', buyer: reordered, slot_id, service_id }
      expectEqual(bookingOf(await c.caller.call('book', input, options)).id, first.id, 'id of the booking')
    },
    { needs },
  ),
  check(
    'IDM-011 IDM-012',
    'A repeated request may have other whitespace and other headers',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const input = c.bookingOf(slot)
      const options = newKey()
      const first = await c.caller.call('book', input, options)
      c.cancelAfterwards(bookingOf(first))
      const headers = {
        'usp-agent': `profile="${c.platform.hosted.profile}";note="again"`,
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      }
      const second = await c.caller.call('book', input, { ...options, headers, body: JSON.stringify(input, null, 2) })
      expectEqual(second.text, first.text, 'the second answer')
    },
    { needs, only: 'rest' },
  ),
  check(
    'BKG-052 IDM-017',
    'A key whose request was refused as faulty can be used for the corrected request',
    async (c) => {
      const options = newKey()
      const slot = await c.slot(c.simpleService)
      const request = c.bookingOf(slot)
      const { buyer, ...incomplete } = request
      const ask = (input: object, caller = c.caller) => caller.call('book', { ...input }, options)
      ;(await ask(incomplete)).failsWith('invalid_request', { rest: 400, mcp: -32600 })
      ;(await ask({ ...request, party_size: 0 })).failsWith('validation_error', { rest: 422, mcp: -32602 })
      const unproven = c.callerFor(c.platform.hosted, 'none')
      ;(await ask(request, unproven)).failsWith('authentication_required', { rest: 401, mcp: -32006 })
      bookingOf(await askToBook(c, slot, { options }))
    },
    { needs },
  ),
  check(
    'IDM-028',
    'The header Idempotency-Key has no effect on an availability query',
    async (c) => {
      const options = { headers: { 'idempotency-key': randomUUID() } }
      const slot = await c.slot(c.simpleService)
      const query = { service_id: slot.service_id, start_date: slot.start, end_date: slot.end }
      const ids = async () => {
        const { slots } = (await c.caller.call('queryAvailability', query, options)).success()
        return expectList(slots, 'slots').map(({ id }) => id)
      }
      expectEqual((await ids()).includes(slot.id), true, 'whether the slot is offered before the booking')
      bookingOf(await askToBook(c, slot))
      expectEqual((await ids()).includes(slot.id), false, 'whether the slot is offered after the booking')
    },
    { needs, only: 'rest' },
  ),
  check(
    'IDM-001 IDM-002',
    'The keys of updates, payments, releases and waitlist entries belong to one content, too',
    async (c) => {
      const { booking } = await c.book()
      const { hold } = await c.hold()
      const { hold: other } = await c.hold()
      const booking_id = booking.id
      const pairs = [
        ['updateBooking', { booking_id, notes: 'A' }, { booking_id, notes: 'B' }],
        [
          'confirmPayment',
          { booking_id, payment_result: PAYMENT },
          { booking_id, payment_result: { ...PAYMENT, transaction_id: 'txn_2' } },
        ],
        ['release', { hold_id: hold.id }, { hold_id: other.id }],
      ] as const
      for (const [name, first, second] of pairs) {
        const options = newKey()
        ;(await c.caller.call(name, first, options)).success()
        ;(await c.caller.call(name, second, options)).failsWith('idempotency_conflict', CONFLICT)
      }
      if (!c.target.capability('services.waitlist')) return
      const { id: service_id } = anyWaitlistService(c)
      const { entry } = await join(c, { service_id })
      const joining = newKey()
      const input = { service_id, buyer: c.buyer(), preferred_slots: NEVER_OFFERED }
      const joined = expectMembers((await c.caller.call('joinWaitlist', input, joining)).success().entry, 'entry')
      c.afterwards(() => c.caller.call('leaveWaitlist', { entry_id: joined.id }))
      const rejoin = await c.caller.call('joinWaitlist', { ...input, buyer: c.buyer() }, joining)
      rejoin.failsWith('idempotency_conflict', CONFLICT)
      const options = newKey()
      ;(await c.caller.call('leaveWaitlist', { entry_id: entry.id }, options)).success()
      const { entry: second } = await join(c, { service_id })
      const leave = await c.caller.call('leaveWaitlist', { entry_id: second.id }, options)
      leave.failsWith('idempotency_conflict', CONFLICT)
    },
    { needs: [...needs, 'services.availability'] },
  ),
  check(
    'IDM-030',
    'A key need not be a UUID',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const options = { idempotencyKey: `order-${randomUUID().slice(0, 6)}` }
      const request = { input: { buyer: c.buyer() }, options }
      const first = bookingOf(await askToBook(c, slot, request))
      expectEqual(bookingOf(await askToBook(c, slot, request)).id, first.id, 'id of the booking')
    },
    { needs },
  ),
  check(
    'IDM-031',
    'An empty key, a very long one, or one with a control character is refused',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(c.simpleService)
      for (const key of ['', 'k'.repeat(256), 'order\t17']) {
        const options = { idempotencyKey: null, headers: { 'idempotency-key': key }, meta: { idempotency_key: key } }
        const answer = await askForHold(c, slot, { options })
        answer.failsWith('invalid_request', { rest: 400, mcp: -32600 })
      }
    },
    { needs: [...needs, 'services.availability'] },
  ),
]
