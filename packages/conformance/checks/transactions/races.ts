import { randomUUID } from 'node:crypto'
import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import {
  askForHold,
  askToBook,
  bookingOf,
  expectOffered,
  expectUnchanged,
  hasSpots,
  holdOf,
  readBooking,
  spotsOf,
} from './slots-and-bookings.ts'

const needs = ['services.availability', 'services.bookings']
const AT_ONCE = 20
/** A business may accept only twenty calls of one platform in a minute. */
const WITH_ONE_KEY = 16
/** Callers that share the simultaneous calls, so that a limit of calls for one caller is not reached. */
const PLATFORMS = 4

/** Runs a call for each number below `count` at the same time. */
const simultaneously = <T>(count: number, call: (nth: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, nth) => call(nth)))

const isGranted = ({ result }: Answer): boolean => result?.hold !== undefined || result?.booking !== undefined

/** Requires that one of the answers granted the slot, and that the others refused it. Returns its number. */
function requireOneWinner(answers: Answer[]): number {
  const winners = [...answers.keys()].filter((nth) => answers[nth] && isGranted(answers[nth]))
  expectEqual(winners.length, 1, 'the number of granted requests')
  for (const answer of answers) if (!isGranted(answer)) answer.refusedWith('slot_unavailable')
  return winners[0] ?? 0
}

export const raceChecks = [
  check(
    'HLD-013',
    'Of twenty simultaneous holds of one slot exactly one is granted',
    async (c) => {
      c.needsHolds()
      const slot = await c.slot(c.simpleService)
      const callers = Array.from({ length: PLATFORMS }, () => c.newPlatform().caller)
      const callerOf = (nth: number) => callers[nth % PLATFORMS] ?? c.caller
      const answers = await simultaneously(AT_ONCE, (nth) => askForHold(c, slot, { caller: callerOf(nth) }))
      const winner = requireOneWinner(answers)
      await expectOffered(c, slot, false)
      const { id: hold_id } = holdOf(answers[winner] as Answer)
      bookingOf(await askToBook(c, slot, { caller: callerOf(winner), input: { hold_id } }))
    },
    { needs },
  ),
  check(
    'BKG-006',
    'Of simultaneous bookings of one slot exactly one is made',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const callers = Array.from({ length: PLATFORMS }, () => c.newPlatform().caller)
      const callerOf = (nth: number) => callers[nth % PLATFORMS] ?? c.caller
      const answers = await simultaneously(12, (nth) => askToBook(c, slot, { caller: callerOf(nth) }))
      const winner = requireOneWinner(answers)
      const booking = bookingOf(answers[winner] as Answer)
      expectEqual((await readBooking(c, booking, callerOf(winner))).status, booking.status, 'status')
      await expectOffered(c, slot, false)
    },
    { needs },
  ),
  check(
    'HLD-022',
    'Simultaneous holds and bookings of a group slot never take more spots than it has',
    async (c) => {
      c.needsHolds()
      const group = c.service('group service', ({ type }) => type === 'group')
      const slot = await c.slot(group, { where: hasSpots(3) })
      const { remaining } = await spotsOf(c, slot)
      if (remaining > AT_ONCE) throw new Skip('The group slot has too many spots for this check.')
      const callers = Array.from({ length: PLATFORMS }, () => c.newPlatform().caller)
      const answers = await simultaneously(remaining + 6, (nth) => {
        const caller = callers[nth % PLATFORMS] ?? c.caller
        return nth % 2 === 0 ? askForHold(c, slot, { caller }) : askToBook(c, slot, { caller })
      })
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
      const others = Array.from({ length: PLATFORMS }, () => c.newPlatform().caller)
      const attack = async (nth: number) => {
        const caller = others[nth % PLATFORMS] ?? c.caller
        return nth % 2 === 0 ? askForHold(c, slot, { caller }) : askToBook(c, slot, { caller })
      }
      const [booked, attempts] = await Promise.all([
        askToBook(c, slot, { input: { hold_id: hold.id } }),
        simultaneously(10, attack),
      ])
      const booking = bookingOf(booked)
      for (const attempt of attempts) attempt.refusedWith('slot_unavailable')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-053 IDM-019 IDM-020',
    'Simultaneous bookings with one key make one booking and get equal answers',
    async (c) => {
      const slot = await c.slot(
        c.service('group service', ({ type }) => type === 'group'),
        { where: hasSpots(3) },
      )
      const before = await spotsOf(c, slot)
      const input = c.bookingOf(slot)
      const options = { idempotencyKey: randomUUID() }
      const answers = await simultaneously(WITH_ONE_KEY, () => c.caller.call('book', input, options))
      const [first = {}, ...others] = answers.map(bookingOf)
      c.cancelAfterwards(first)
      for (const other of others) expectEqual(other, first, 'the booking in a simultaneous answer')
      if (c.binding === 'rest') expectEqual(new Set(answers.map(({ text }) => text)).size, 1, 'the number of bodies')
      expectEqual((await spotsOf(c, slot)).remaining, before.remaining - 1, 'remaining after the booking')
    },
    { needs },
  ),
  check(
    'IDM-021',
    'Of simultaneous bookings with one key and different contents exactly one is executed',
    async (c) => {
      const slot = await c.slot(
        c.service('group service', ({ type }) => type === 'group'),
        { where: hasSpots(3) },
      )
      const before = await spotsOf(c, slot)
      const buyer = c.buyer()
      const options = { idempotencyKey: randomUUID() }
      const notes = ['A', 'B', 'C', 'D']
      const answers = await Promise.all(
        notes.map((text) => askToBook(c, slot, { input: { buyer, notes: text }, options })),
      )
      const winners = answers.filter(isGranted)
      expectEqual(winners.length, 1, 'the number of bookings')
      for (const answer of answers)
        if (!isGranted(answer)) answer.failsWith('idempotency_conflict', { rest: 409, mcp: -32602 })
      const booking = bookingOf(winners[0] as Answer)
      expectEqual(booking.notes, notes[answers.findIndex(isGranted)], 'notes of the booking')
      expectEqual((await spotsOf(c, slot)).remaining, before.remaining - 1, 'remaining after the booking')
    },
    { needs },
  ),
  check(
    'REV-020',
    'Of simultaneous updates with one revision exactly one is applied',
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
      for (const answer of answers)
        if (!isGranted(answer)) answer.failsWith('revision_mismatch', { rest: 412, mcp: -32002 })
      await expectUnchanged(c, bookingOf(applied[0] as Answer))
    },
    { needs },
  ),
  check(
    'BKG-116 LIV-077',
    'Of a reschedule and a simultaneous booking of one slot exactly one succeeds',
    async (c) => {
      const { booking, slot: old } = await c.book()
      const next = await c.slot(c.simpleService)
      const other = c.newPlatform().caller
      const [moved, booked] = await Promise.all([
        c.caller.call('reschedule', { booking_id: booking.id, slot_id: next.id }),
        askToBook(c, next, { caller: other }),
      ])
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
    'While a booking is canceled, its slot goes to one other platform at most',
    async (c) => {
      const { booking, slot } = await c.book()
      const others = Array.from({ length: PLATFORMS }, () => c.newPlatform().caller)
      const [canceled, ...attempts] = await Promise.all([
        c.caller.call('cancelBooking', { booking_id: booking.id }),
        ...others.map((caller) => askToBook(c, slot, { caller })),
      ])
      expectEqual(bookingOf(canceled).status, 'canceled', 'status')
      const made = attempts.filter(isGranted)
      expectTrue(made.length <= 1, 'one booking at most', made.length)
      await expectOffered(c, slot, made.length === 0)
    },
    { needs },
  ),
]
