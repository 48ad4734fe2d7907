import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { groupService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import {
  holdOrBook,
  isGranted,
  PLATFORMS,
  requireOneWinner,
  severalCallers,
  simultaneously,
} from './simultaneous-calls.ts'
import {
  askForHold,
  askToBook,
  askToMove,
  bookingOf,
  cancelBooking,
  expectOffered,
  expectUnchanged,
  hasSpots,
  holdOf,
  newKey,
  readBooking,
  spotsOf,
} from './slots-and-bookings.ts'

const needs = ['services.availability', 'services.bookings']
const AT_ONCE = 20
/** A business may accept only twenty calls of one platform in a minute. This number is below that limit. */
const WITH_ONE_KEY = 16

export const raceChecks = [
  check(
    'HLD-013',
    'Of twenty simultaneous holds of one slot, the server grants exactly one (flow/102)',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(c.simpleService)
      const callerOf = severalCallers(c)
      const answers = await simultaneously(AT_ONCE, (nth) => askForHold(c, slot, { caller: callerOf(nth) }))
      const [nth, granted] = requireOneWinner(answers)
      await expectOffered(c, slot, false)
      const { id: hold_id } = holdOf(granted)
      bookingOf(await askToBook(c, slot, { caller: callerOf(nth), input: { hold_id } }))
    },
    { needs },
  ),
  check(
    'BKG-006',
    'Of simultaneous bookings of one slot, exactly one succeeds',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const callerOf = severalCallers(c)
      const answers = await simultaneously(12, (nth) => askToBook(c, slot, { caller: callerOf(nth) }))
      const [nth, granted] = requireOneWinner(answers)
      const booking = bookingOf(granted)
      expectEqual((await readBooking(c, booking, callerOf(nth))).status, booking.status, 'status')
      await expectOffered(c, slot, false)
    },
    { needs },
  ),
  check(
    'HLD-022',
    'Simultaneous holds and bookings of a group slot never take more spots than it has',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(groupService(c), { where: hasSpots(3) })
      const { remaining } = await spotsOf(c, slot)
      if (remaining > AT_ONCE) throw new Skip('The group slot has too many spots for this check.')
      const callerOf = severalCallers(c)
      const answers = await simultaneously(remaining + 6, (nth) => holdOrBook(nth)(c, slot, { caller: callerOf(nth) }))
      expectEqual(answers.filter(isGranted).length, remaining, 'the number of granted spots')
      for (const answer of answers) if (!isGranted(answer)) answer.refusedWith('slot_unavailable', 'capacity_exceeded')
      await expectOffered(c, slot, false)
    },
    { needs },
  ),
  check(
    'HLD-036',
    'While a hold becomes a booking, no other platform gets its slot',
    async (c) => {
      const { hold, slot } = await c.hold()
      const callerOf = severalCallers(c)
      const [booked, attempts] = await Promise.all([
        askToBook(c, slot, { input: { hold_id: hold.id } }),
        simultaneously(10, (nth) => holdOrBook(nth)(c, slot, { caller: callerOf(nth) })),
      ])
      const booking = bookingOf(booked)
      for (const attempt of attempts) attempt.refusedWith('slot_unavailable')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-053 IDM-019 IDM-020',
    'Simultaneous bookings with the same idempotency key make one booking, and get equal answers',
    async (c) => {
      const slot = await c.slot(groupService(c), { where: hasSpots(3) })
      const before = await spotsOf(c, slot)
      const input = c.bookingOf(slot)
      const options = newKey()
      const answers = await simultaneously(WITH_ONE_KEY, () => c.caller.call('book', input, options))
      const [first = {}, ...others] = answers.map(bookingOf)
      c.cancelAfterwards(first)
      for (const other of others) expectEqual(other, first, 'the booking in a simultaneous answer')
      if (c.binding === 'rest')
        expectEqual(new Set(answers.map(({ text }) => text)).size, 1, 'the number of different bodies')
      expectEqual((await spotsOf(c, slot)).remaining, before.remaining - 1, 'remaining after the booking')
    },
    { needs },
  ),
  check(
    'IDM-021',
    'Of simultaneous bookings with the same idempotency key but different content, exactly one succeeds',
    async (c) => {
      const slot = await c.slot(groupService(c), { where: hasSpots(3) })
      const before = await spotsOf(c, slot)
      const buyer = c.buyer()
      const options = newKey()
      const notes = ['A', 'B', 'C', 'D']
      const answers = await Promise.all(
        notes.map((text) => askToBook(c, slot, { input: { buyer, notes: text }, options })),
      )
      const winners = answers.filter(isGranted)
      expectEqual(winners.length, 1, 'the number of bookings')
      for (const answer of answers) if (!isGranted(answer)) answer.failsWith('idempotency_conflict')
      const booking = bookingOf(winners[0] as Answer)
      expectEqual(booking.notes, notes[answers.findIndex(isGranted)], 'notes of the booking')
      expectEqual((await spotsOf(c, slot)).remaining, before.remaining - 1, 'remaining after the booking')
    },
    { needs },
  ),
  check(
    'REV-020',
    'Of simultaneous updates with the same revision, exactly one succeeds',
    async (c) => {
      const { booking } = await c.book()
      const update = (nth: number) =>
        c.caller.call(
          'updateBooking',
          { booking_id: booking.id, notes: `Update ${nth}` },
          { ifMatch: String(booking.revision) },
        )
      const answers = await simultaneously(6, update)
      const applied = answers.filter(isGranted)
      expectEqual(applied.length, 1, 'the number of applied updates')
      for (const answer of answers) if (!isGranted(answer)) answer.failsWith('revision_mismatch')
      await expectUnchanged(c, bookingOf(applied[0] as Answer))
    },
    { needs },
  ),
  check(
    'BKG-116 LIV-077',
    'Of a reschedule and a simultaneous booking for the same slot, exactly one succeeds',
    async (c) => {
      const { booking, slot: old } = await c.book()
      const next = await c.slot(c.simpleService)
      const { caller } = c.newPlatform()
      const [moved, booked] = await Promise.all([askToMove(c, booking, next), askToBook(c, next, { caller })])
      requireOneWinner([moved, booked])
      const slotOf = (one: Members) => asMembers(one.slot)?.id
      expectEqual(slotOf(await readBooking(c, booking)), isGranted(moved) ? next.id : old.id, 'slot of the booking')
      await expectOffered(c, old, isGranted(moved))
      await expectOffered(c, next, false)
    },
    { needs },
  ),
  check(
    'BKG-006',
    'During the cancellation of a booking, at most one other platform gets its slot',
    async (c) => {
      const { booking, slot } = await c.book()
      const callerOf = severalCallers(c)
      const [canceled, attempts] = await Promise.all([
        cancelBooking(c, booking),
        simultaneously(PLATFORMS, (nth) => askToBook(c, slot, { caller: callerOf(nth) })),
      ])
      expectEqual(canceled.status, 'canceled', 'status')
      const made = attempts.filter(isGranted)
      expectTrue(made.length <= 1, 'at most one booking', made.length)
      await expectOffered(c, slot, made.length === 0)
    },
    { needs },
  ),
]
