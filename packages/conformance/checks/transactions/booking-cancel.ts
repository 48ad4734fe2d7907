import { asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { DAY_MS, days } from '../../target/free-slots.ts'
import {
  cancellationOf,
  isConfirmedAtOnce,
  manualService,
  paidService,
  sharedServices,
} from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import {
  askToBook,
  askToMove,
  bookForStaff,
  bookingOf,
  cancelBooking,
  expectNotCanceled,
  expectUnchanged,
  hasSpots,
  readBooking,
  spotsOf,
  staffAction,
} from './slots-and-bookings.ts'

const needs = ['services.bookings']

const daysUntil = ({ start }: { start: string }) => (Date.parse(start) - Date.now()) / DAY_MS

export const bookingCancelChecks = [
  check(
    'BKG-090 BKG-092 BKG-099 LIV-078',
    'An early canceled booking shows who canceled it, when and why, and costs no fee',
    async (c) => {
      const free = days(cancellationOf(c.simpleService).free_cancellation_until) ?? 0
      const { booking } = await c.book(c.simpleService, { where: (slot) => daysUntil(slot) > free })
      const answer = await c.caller.call('cancelBooking', { booking_id: booking.id, reason: 'Ill' })
      const canceled = bookingOf(answer)
      c.schemas.expectValid('booking#Booking', canceled, 'the canceled booking')
      expectEqual(answer.status, 200, 'the HTTP status')
      for (const shown of [canceled, await readBooking(c, booking)]) {
        expectEqual([shown.id, shown.status], [booking.id, 'canceled'], 'id and status')
        const { canceled_by, canceled_at, fee, refund_amount, reason } = expectMembers(
          shown.cancellation,
          'cancellation',
        )
        expectEqual([canceled_by, reason], ['buyer', 'Ill'], 'canceled_by and reason')
        expectEqual([Number(fee), Number(refund_amount)], [0, 0], 'fee and refund_amount')
        expectInstant(canceled_at, 'canceled_at')
        expectEqual(shown.cancellation, canceled.cancellation, 'cancellation in each answer')
      }
    },
    { needs },
  ),
  check(
    'BKG-090 BKG-101',
    'Bookings that wait for approval or payment can be canceled free of charge',
    async (c) => {
      for (const service of [manualService(c), paidService(c)]) {
        const { booking } = await c.book(service)
        const canceled = await cancelBooking(c, booking)
        expectEqual(canceled.status, 'canceled', 'status')
        expectEqual(Number(asMembers(canceled.cancellation)?.fee), 0, 'fee')
      }
    },
    { needs },
  ),
  check(
    'BKG-091',
    'A cancellation needs no request body',
    async (c) => {
      const headers = { 'content-type': null }
      const { booking } = await c.book()
      const without = await c.caller.call('cancelBooking', { booking_id: booking.id }, { body: null, headers })
      expectEqual(bookingOf(without).status, 'canceled', 'status after a cancellation without a body')
      const { booking: other } = await c.book()
      const empty = await c.caller.call('cancelBooking', { booking_id: other.id }, { body: '{}' })
      expectEqual(bookingOf(empty).status, 'canceled', 'status after a cancellation with an empty object')
    },
    { needs, only: 'rest' },
  ),
  check(
    'BKG-094',
    'A platform cannot cancel in the name of the business',
    async (c) => {
      const { booking } = await c.book()
      const input = { booking_id: booking.id, canceled_by: 'business', cancellation: { canceled_by: 'system' } }
      await c.caller.call('cancelBooking', input)
      const { status, cancellation } = await readBooking(c, booking)
      const isRefused = status === booking.status
      expectTrue(isRefused || asMembers(cancellation)?.canceled_by === 'buyer', 'canceled_by buyer', cancellation)
    },
    { needs },
  ),
  check(
    'BKG-096',
    'Another platform can book the slot of a canceled booking at once',
    async (c) => {
      const { booking, slot } = await c.book()
      await cancelBooking(c, booking)
      bookingOf(await askToBook(c, slot, { caller: c.newPlatform().caller }))
    },
    { needs },
  ),
  check(
    'BKG-092 BKG-096',
    'A canceled group booking shows the reason, and its spots become free',
    async (c) => {
      for (const service of sharedServices(c)) {
        const slot = await c.slot(service, { where: hasSpots(2) })
        const before = await spotsOf(c, slot)
        const { id: booking_id } = bookingOf(await askToBook(c, slot, { input: { party_size: 2 } }))
        const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id, reason: 'Ill' }))
        expectEqual(asMembers(canceled.cancellation)?.reason, 'Ill', 'reason')
        expectEqual((await spotsOf(c, slot)).remaining, before.remaining, `remaining of the ${service.type} slot`)
      }
    },
    { needs },
  ),
  check(
    'LIV-065 LIV-016',
    'A canceled booking cannot be canceled again',
    async (c) => {
      const { booking } = await c.book()
      const canceled = await cancelBooking(c, booking)
      const again = await c.caller.call('cancelBooking', { booking_id: booking.id, reason: 'Again' })
      expectEqual(again.refusedWith('invalid_transition').severity, 'unrecoverable', 'severity')
      await expectUnchanged(c, canceled)
    },
    { needs },
  ),
  check(
    'LIV-065 LIV-066 LIV-070 BKG-088',
    'A started or completed booking cannot be canceled, moved or approved',
    async (c) => {
      const [start, complete] = [staffAction(c, 'start'), staffAction(c, 'complete')]
      const confirm = staffAction(c, 'confirm')
      const { booking } = await c.book()
      const next = await c.slot(c.simpleService)
      for (const advance of [start, complete]) {
        await advance(booking.id)
        const advanced = await readBooking(c, booking)
        const cancel = await c.caller.call('cancelBooking', { booking_id: booking.id })
        cancel.refusedWith('invalid_transition')
        ;(await askToMove(c, booking, next)).refusedWith('invalid_transition')
        // A staff adapter may or may not throw an error for the refusal. Therefore the check looks at the booking.
        await confirm(booking.id).catch(() => {})
        await expectUnchanged(c, advanced)
      }
    },
    { needs },
  ),
  check(
    'BKG-095 LIV-078',
    'A cancellation by the business is free of charge and names the business',
    async (c) => {
      const cancel = staffAction(c, 'cancel')
      const { booking } = await c.book()
      await cancel(booking.id)
      const { status, cancellation } = await readBooking(c, booking)
      expectEqual(status, 'canceled', 'status')
      const { canceled_by, fee } = expectMembers(cancellation, 'cancellation')
      expectEqual([canceled_by, Number(fee)], ['business', 0], 'canceled_by and fee')
    },
    { needs },
  ),
  check(
    'BKG-097 ERR-026',
    'If the terms forbid cancellations, the server refuses one, and the booking stays confirmed',
    async (c) => {
      const strict = c.service(
        'service whose terms forbid cancellations',
        (one) => cancellationOf(one).allowed === false && isConfirmedAtOnce(one),
      )
      const severity = await expectNotCanceled(c, await bookForStaff(c, strict))
      expectEqual(severity, 'requires_buyer_review', 'severity')
    },
    { needs },
  ),
  check(
    'BKG-098',
    'If the terms say so, a booking cannot be canceled shortly before its start',
    async (c) => {
      const until = (service: Members) => days(cancellationOf(service).no_cancellation_after) ?? 0
      const service = c.service(
        'service that forbids cancellations from more than a day before the start',
        (one) => until(one) > 1 && isConfirmedAtOnce(one),
      )
      const booking = await bookForStaff(c, service, { where: (slot) => daysUntil(slot) < until(service) })
      await expectNotCanceled(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-100',
    'A late cancellation costs the published fee',
    async (c) => {
      const { simpleService } = c
      const feeOf = (service: Members) => Number(cancellationOf(service).late_cancellation_fee ?? 0)
      const free = (service: Members) => days(cancellationOf(service).free_cancellation_until) ?? 0
      const service = c.service(
        'service with a late fee from more than two days before the start',
        (one) => feeOf(one) > 0 && free(one) > 2 && isConfirmedAtOnce(one) && one.type === simpleService.type,
      )
      const blocked = days(cancellationOf(service).no_cancellation_after) ?? 0
      const isLate = (slot: { start: string }) => daysUntil(slot) < free(service) && daysUntil(slot) > blocked
      const { booking } = await c.book(service, { where: isLate })
      const canceled = await cancelBooking(c, booking)
      expectEqual(Number(asMembers(canceled.cancellation)?.fee), feeOf(service), 'fee')
    },
    { needs },
  ),
]
