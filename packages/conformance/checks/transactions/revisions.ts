import { setTimeout as sleep } from 'node:timers/promises'
import { asMembers } from '../../caller/answer.ts'
import { expectEqual, expectText, expectTrue } from '../../run/expectations.ts'
import { Mismatch } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { bookingOf, readBooking } from './slots-and-bookings.ts'
import { anyWaitlistService, join, readEntry } from './waitlist-scene.ts'

const needs = ['services.bookings']
const EVENT_WAIT_MS = 8_000

export const revisionChecks = [
  check(
    'REV-001 REV-005',
    'Each change gives a booking a new revision, and each answer shows it',
    async (c) => {
      const { booking } = await c.book()
      const { id: slot_id } = await c.slot(c.simpleService)
      const target = { booking_id: booking.id }
      const payment_result = { status: 'paid', transaction_id: 'txn_1', amount_paid: 100, currency: 'USD' }
      const revisions = [expectText(booking.revision, 'revision after create')]
      const steps = [
        ['updateBooking', { ...target, notes: 'First' }],
        ['reschedule', { ...target, slot_id }],
        ['cancelBooking', target],
      ] as const
      const unpaid = await c.caller.call('confirmPayment', { ...target, payment_result })
      if (unpaid.result?.booking)
        expectText(asMembers(unpaid.result.booking)?.revision, 'revision after a confirmation of the payment')
      for (const [name, input] of steps) {
        const changed = bookingOf(await c.caller.call(name, input))
        revisions.push(expectText(changed.revision, `revision after ${name}`))
        expectEqual((await readBooking(c, booking)).revision, changed.revision, `revision read after ${name}`)
      }
      expectEqual(new Set(revisions).size, revisions.length, 'the number of different revisions')
    },
    { needs },
  ),
  check(
    'REV-007',
    'A booking that is changed back does not get its old revision',
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
    'A revision shows no counter, and two new bookings have different revisions',
    async (c) => {
      const [first, second] = [(await c.book()).booking.revision, (await c.book()).booking.revision]
      for (const revision of [first, second])
        expectTrue(!/^\D?\d{1,9}$/.test(expectText(revision, 'revision')), 'a revision without counter', revision)
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
      // The revisions can differ, because entries of other checks leave the same waitlist.
      expectText((await readEntry(entry, c.caller)).revision, 'revision read')
      const { entries } = (await c.caller.call('listWaitlist', { service_id })).success()
      const listed = (entries as { id: string; revision: unknown }[]).find(({ id }) => id === entry.id)
      expectText(listed?.revision, 'revision in the list')
      const left = (await c.caller.call('leaveWaitlist', { entry_id: entry.id })).success()
      const revision = expectText(asMembers(left.entry)?.revision, 'revision after leave')
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
      ;(await c.caller.call('leaveWaitlist', { entry_id: first.id })).success()
      const moved = await readEntry(second, c.caller)
      expectTrue(moved.position < second.position, 'a lower position', [second.position, moved.position])
      expectTrue(moved.revision !== second.revision, 'a new revision', moved.revision)
    },
    { needs: [...needs, 'services.waitlist'] },
  ),
  check(
    'REV-003',
    'An event has the booking with the revision of the change that it reports',
    async (c) => {
      const { booking } = await c.book()
      const { id: slot_id } = await c.slot(c.simpleService)
      const moved = bookingOf(await c.caller.call('reschedule', { booking_id: booking.id, slot_id }))
      const deadline = Date.now() + EVENT_WAIT_MS
      for (;;) {
        const events = c.platform.hosted.events.map(({ body }) => asMembers(JSON.parse(body)) ?? {})
        const event = events.find((one) => one.event === 'booking.rescheduled' && one.booking_id === booking.id)
        if (event) return expectEqual(asMembers(event.data)?.revision, moved.revision, 'data.revision')
        if (Date.now() > deadline)
          throw new Mismatch(`an event booking.rescheduled within ${EVENT_WAIT_MS / 1000} s`, `${events.length} events`)
        await sleep(100)
      }
    },
    { needs },
  ),
]
