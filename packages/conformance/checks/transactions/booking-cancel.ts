import { asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { days } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { isManual, isPaidAhead, manualService, paidService, policiesOf } from './service-kinds.ts'
import {
  askToBook,
  bookingOf,
  expectUnchanged,
  hasSpots,
  readBooking,
  spotsOf,
  staffAction,
} from './slots-and-bookings.ts'

const needs = ['services.bookings']
const DAY_MS = 86_400_000

const termsOf = (service: Members): Members => asMembers(policiesOf(service).cancellation) ?? {}
const isConfirmedAtOnce = (service: Members) => !isManual(service) && !isPaidAhead(service)
const daysUntil = ({ start }: { start: string }) => (Date.parse(start) - Date.now()) / DAY_MS

export const bookingCancelChecks = [
  check(
    'BKG-090 BKG-092 BKG-099 LIV-078',
    'A booking that is canceled early shows who canceled it, when, why and free of charge',
    async (c) => {
      const free = days(termsOf(c.simpleService).free_cancellation_until) ?? 0
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
        expectEqual(shown.cancellation, canceled.cancellation, 'cancellation at each reading')
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
        const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id: booking.id }))
        expectEqual(canceled.status, 'canceled', 'status')
        expectEqual(Number(asMembers(canceled.cancellation)?.fee), 0, 'fee')
      }
    },
    { needs },
  ),
  check(
    'BKG-091',
    'A cancel needs no body',
    async (c) => {
      const headers = { 'content-type': null }
      const { booking } = await c.book()
      const without = await c.caller.call('cancelBooking', { booking_id: booking.id }, { body: null, headers })
      expectEqual(bookingOf(without).status, 'canceled', 'status after a cancel without body')
      const { booking: other } = await c.book()
      const empty = await c.caller.call('cancelBooking', { booking_id: other.id }, { body: '{}' })
      expectEqual(bookingOf(empty).status, 'canceled', 'status after a cancel with an empty object')
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
    'The slot of a canceled booking can be booked at once by another platform',
    async (c) => {
      const { booking, slot } = await c.book()
      bookingOf(await c.caller.call('cancelBooking', { booking_id: booking.id }))
      bookingOf(await askToBook(c, slot, { caller: c.newPlatform().caller }))
    },
    { needs },
  ),
  check(
    'BKG-092 BKG-096',
    'A canceled booking of a group shows the reason and gives its spots back',
    async (c) => {
      const kinds = ['group', 'reservation'].map((type) => c.services.find((one) => one.type === type))
      const services = kinds.filter((service) => service !== undefined)
      if (services.length === 0) throw new Skip('The catalogue has no group or reservation service.')
      for (const service of services) {
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
      const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id: booking.id }))
      const again = await c.caller.call('cancelBooking', { booking_id: booking.id, reason: 'Again' })
      expectEqual(again.refusedWith('invalid_transition').severity, 'unrecoverable', 'severity')
      await expectUnchanged(c, canceled)
    },
    { needs },
  ),
  check(
    'LIV-065 LIV-066 LIV-070 BKG-088',
    'A booking that runs or is completed can be neither canceled, moved nor approved',
    async (c) => {
      const [start, complete, confirm] = [
        staffAction(c, 'start'),
        staffAction(c, 'complete'),
        staffAction(c, 'confirm'),
      ]
      const { booking } = await c.book()
      const slot_id = (await c.slot(c.simpleService)).id
      for (const advance of [start, complete]) {
        await advance(booking.id)
        const advanced = await readBooking(c, booking)
        const cancel = await c.caller.call('cancelBooking', { booking_id: booking.id })
        cancel.refusedWith('invalid_transition')
        const move = await c.caller.call('reschedule', { booking_id: booking.id, slot_id })
        move.refusedWith('invalid_transition')
        // The adapter may report the refusal as an error, or not: the state decides.
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
    'A booking that may not be canceled stays confirmed',
    async (c) => {
      const strict = c.service(
        'service that may not be canceled',
        (one) => termsOf(one).allowed === false && isConfirmedAtOnce(one),
      )
      // Only the business can undo such a booking, so the check needs a person of the business.
      const cancel = staffAction(c, 'cancel')
      const { booking } = await c.book(strict)
      c.afterwards(() => cancel(booking.id))
      const answer = await c.caller.call('cancelBooking', { booking_id: booking.id })
      expectEqual(answer.refusedWith('cancellation_not_allowed').severity, 'requires_buyer_review', 'severity')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-098',
    'A booking cannot be canceled shortly before its start, if its terms say so',
    async (c) => {
      const until = (service: Members) => days(termsOf(service).no_cancellation_after) ?? 0
      const service = c.service(
        'service that cannot be canceled more than a day before',
        (one) => until(one) > 1 && isConfirmedAtOnce(one),
      )
      const cancel = staffAction(c, 'cancel')
      const { booking } = await c.book(service, { where: (slot) => daysUntil(slot) < until(service) })
      c.afterwards(() => cancel(booking.id))
      const answer = await c.caller.call('cancelBooking', { booking_id: booking.id })
      answer.refusedWith('cancellation_not_allowed')
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'BKG-100',
    'A late cancellation costs the published fee',
    async (c) => {
      const { simpleService } = c
      const feeOf = (service: Members) => Number(termsOf(service).late_cancellation_fee ?? 0)
      const free = (service: Members) => days(termsOf(service).free_cancellation_until) ?? 0
      const service = c.service(
        'service with a fee for cancellations more than a day before',
        (one) => feeOf(one) > 0 && free(one) > 2 && isConfirmedAtOnce(one) && one.type === simpleService.type,
      )
      const blocked = days(termsOf(service).no_cancellation_after) ?? 0
      const isLate = (slot: { start: string }) => daysUntil(slot) < free(service) && daysUntil(slot) > blocked
      const { booking } = await c.book(service, { where: isLate })
      const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id: booking.id }))
      expectEqual(Number(asMembers(canceled.cancellation)?.fee), feeOf(service), 'fee')
    },
    { needs },
  ),
]
