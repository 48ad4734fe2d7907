import { asMembers } from '../../caller/answer.ts'
import { expectEqual, expectList, expectText, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { eventWith } from '../events/received-events.ts'
import { askToMove, bookingOf, PAYMENT, readBooking } from './slots-and-bookings.ts'
import { anyWaitlistService, join, leave, readEntry } from './waitlist-steps.ts'

const needs = ['services.bookings']
const EVENT_WAIT_MS = 8_000

export const revisionChecks = [
  check(
    'REV-001 REV-005',
    'Each change of a booking causes a new revision, and each answer shows the revision',
    async (c) => {
      const { booking } = await c.book()
      const { id: slot_id } = await c.slot(c.simpleService)
      const target = { booking_id: booking.id }
      const revisions = [expectText(booking.revision, 'revision after create')]
      const steps = [
        ['updateBooking', { ...target, notes: 'First' }],
        ['reschedule', { ...target, slot_id }],
        ['cancelBooking', target],
      ] as const
      const unpaid = await c.caller.call('confirmPayment', { ...target, payment_result: PAYMENT })
      if (unpaid.result?.booking)
        expectText(asMembers(unpaid.result.booking)?.revision, 'revision after a payment confirmation')
      for (const [name, input] of steps) {
        const changed = bookingOf(await c.caller.call(name, input))
        revisions.push(expectText(changed.revision, `revision after ${name}`))
        expectEqual((await readBooking(c, booking)).revision, changed.revision, `revision in a read after ${name}`)
      }
      expectEqual(new Set(revisions).size, revisions.length, 'the number of different revisions')
    },
    { needs },
  ),
  check(
    'REV-007',
    'A booking that is changed back to old values does not get its old revision',
    async (c) => {
      const { booking } = await c.book(c.simpleService, { input: { notes: 'A' } })
      const revisions = [booking.revision]
      for (const notes of ['B', 'A']) {
        const updated = await c.caller.call('updateBooking', { booking_id: booking.id, notes })
        revisions.push(bookingOf(updated).revision)
      }
      expectEqual(new Set(revisions).size, 3, 'the number of different revisions')
    },
    { needs },
  ),
  check(
    'REV-009',
    'A revision is not a simple counter, and two new bookings have different revisions',
    async (c) => {
      const [first, second] = [(await c.book()).booking.revision, (await c.book()).booking.revision]
      for (const revision of [first, second])
        expectTrue(!/^\D?\d{1,9}$/.test(expectText(revision, 'revision')), 'a revision that is not a counter', revision)
      expectTrue(first !== second, 'different revisions', [first, second])
    },
    { needs },
  ),
  check(
    'REV-002',
    'Each answer about a waitlist entry shows its revision',
    async (c) => {
      const { id: service_id } = anyWaitlistService(c)
      const { entry } = await join(c, { service_id })
      expectText(entry.revision, 'revision after join')
      // The check does not compare these revisions. They can differ because entries of other checks leave the same
      // waitlist.
      expectText((await readEntry(c, entry)).revision, 'revision read')
      const { entries } = (await c.caller.call('listWaitlist', { service_id })).success()
      const listed = expectList(entries, 'entries').find(({ id }) => id === entry.id)
      expectText(listed?.revision, 'revision in the list')
      const revision = expectText((await leave(c, entry)).revision, 'revision after leave')
      expectTrue(revision !== entry.revision, 'a new revision after leave', revision)
    },
    { needs: [...needs, 'services.waitlist'] },
  ),
  check(
    'REV-006',
    'A waitlist entry that moves up gets a new revision',
    async (c) => {
      const { id: service_id } = anyWaitlistService(c)
      const { entry: first } = await join(c, { service_id })
      const { entry: second } = await join(c, { service_id })
      await leave(c, first)
      const moved = await readEntry(c, second)
      expectTrue(moved.position < second.position, 'a lower position', [second.position, moved.position])
      expectTrue(moved.revision !== second.revision, 'a new revision', moved.revision)
    },
    { needs: [...needs, 'services.waitlist'] },
  ),
  check(
    'REV-003',
    'An event contains the revision that the booking had after the reported change',
    async (c) => {
      const { booking } = await c.book()
      const moved = bookingOf(await askToMove(c, booking, await c.slot(c.simpleService)))
      const expected = { event: 'booking.rescheduled', booking_id: booking.id }
      const { event } = await eventWith(c.platform.hosted, expected, EVENT_WAIT_MS)
      expectEqual(asMembers(event.data)?.revision, moved.revision, 'data.revision')
    },
    { needs },
  ),
]
