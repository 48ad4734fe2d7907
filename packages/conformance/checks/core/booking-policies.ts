import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { days, millisecondsOf, type Slot } from '../../target/free-slots.ts'
import {
  cancellationOf,
  channelOf,
  isConfirmedAtOnce,
  maxReschedules,
  reschedulingOf,
} from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { bookLate } from '../payments/late-booking.ts'
import {
  askToMove,
  bookingOf,
  cancelBooking,
  expectNotCanceled,
  expectUnchanged,
  readBooking,
} from '../transactions/slots-and-bookings.ts'
import { amountOf } from './service-facts.ts'

const needs = ['services.availability', 'services.bookings']

/** Returns a service whose bookings are confirmed at once and need no address of the buyer. */
function bookable(c: CheckContext, description: string, fits: (service: Members) => boolean): Members {
  return c.service(description, (one) => isConfirmedAtOnce(one) && channelOf(one) !== 'at_buyer_location' && fits(one))
}

const startsAfter = (duration: unknown) => (slot: Slot) =>
  Date.parse(slot.start) > Date.now() + millisecondsOf(duration) + 60_000
const startsWithin = (duration: unknown) => (slot: Slot) =>
  Date.parse(slot.start) < Date.now() + millisecondsOf(duration) - 60_000

const feeOf = ({ cancellation }: Members): number => amountOf(asMembers(cancellation)?.fee) ?? 0

export const bookingPolicyChecks = [
  check(
    'CAT-114',
    'The server refuses to cancel a booking of a service that cannot be canceled',
    async (c) => {
      const service = bookable(c, 'service that cannot be canceled', (one) => cancellationOf(one).allowed === false)
      const { booking } = await c.book(service)
      await expectNotCanceled(c, booking)
    },
    { needs },
  ),
  check(
    'CAT-115',
    'An early cancellation costs nothing',
    async (c) => {
      const service = bookable(c, 'service with a free cancellation', (one) => {
        const { allowed, free_cancellation_until, late_cancellation_fee } = cancellationOf(one)
        return allowed === true && free_cancellation_until !== undefined && late_cancellation_fee !== undefined
      })
      const { booking } = await c.book(service, { where: startsAfter(cancellationOf(service).free_cancellation_until) })
      const canceled = await cancelBooking(c, booking)
      expectEqual(canceled.status, 'canceled', 'status')
      expectEqual(feeOf(canceled), 0, 'the fee of an early cancellation')
    },
    { needs },
  ),
  check(
    'CAT-115',
    'A late cancellation costs the fee of the policy',
    async (c) => {
      const service = bookable(c, 'service with a fee for late cancellations', (one) => {
        const { allowed, free_cancellation_until, late_cancellation_fee, no_cancellation_after } = cancellationOf(one)
        const isFee = Number(amountOf(late_cancellation_fee)) > 0 && no_cancellation_after === undefined
        return allowed === true && isFee && (days(free_cancellation_until) ?? 0) >= 1
      })
      const { free_cancellation_until, late_cancellation_fee } = cancellationOf(service)
      const booking = await bookLate(c, service, { freeUntil: free_cancellation_until })
      const canceled = await cancelBooking(c, booking)
      expectEqual(feeOf(canceled), amountOf(late_cancellation_fee), 'the fee of a late cancellation')
    },
    { needs },
  ),
  check(
    'CAT-116',
    'The server refuses a cancellation after the last allowed time',
    async (c) => {
      const service = bookable(c, 'service that allows no cancellations shortly before the start', (one) => {
        return cancellationOf(one).allowed === true && cancellationOf(one).no_cancellation_after !== undefined
      })
      const { booking } = await c.book(service, { where: startsWithin(cancellationOf(service).no_cancellation_after) })
      await expectNotCanceled(c, booking)
    },
    { needs },
  ),
  check(
    'CAT-117',
    'A booking of a service that cannot be rescheduled keeps its slot',
    async (c) => {
      const service = bookable(c, 'service that cannot be rescheduled', (one) => reschedulingOf(one).allowed === false)
      const { booking } = await c.book(service)
      const slot = await c.slot(service)
      const answer = await askToMove(c, booking, slot)
      expectTrue(answer.refusal !== undefined && answer.status === 200, 'a message of the type error', answer.result)
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'CAT-118',
    'A booking can be rescheduled only up to the maximum of the policy',
    async (c) => {
      const service = bookable(c, 'service that allows at most three reschedules', (one) => {
        return reschedulingOf(one).allowed === true && maxReschedules(one) <= 3
      })
      const { booking } = await c.book(service)
      for (let time = 0; time < maxReschedules(service); time++)
        bookingOf(await askToMove(c, booking, await c.slot(service)))
      const slot = await c.slot(service)
      ;(await askToMove(c, booking, slot)).refusedWith('reschedule_limit_reached')
      const { start } = asMembers((await readBooking(c, booking)).slot) ?? {}
      expectTrue(start !== slot.start, 'the booking to keep its slot', slot.start)
    },
    { needs },
  ),
  check(
    'CAT-069',
    'A booking belongs to the business of the endpoint, even if the request contains another business_id',
    async (c) => {
      const { booking } = await c.book(c.simpleService, { input: { business_id: 'biz_of_another' } })
      expectEqual(booking.service_id, c.simpleService.id, 'service_id')
      expectTrue(booking.business_id !== 'biz_of_another', 'the business of the endpoint', booking.business_id)
    },
    { needs },
  ),
  check(
    'CAT-101',
    'A service of a custom type is held and booked like an appointment',
    async (c) => {
      const service = bookable(c, 'service of a custom type', ({ type }) => String(type).includes('.'))
      const { hold, slot } = await c.hold(service)
      const answer = await c.caller.call('book', c.bookingOf(slot, { hold_id: hold.id }))
      c.cancelAfterwards(bookingOf(answer))
    },
    { needs },
  ),
  check(
    'LIV-053',
    'The server does not confirm a visit to a buyer outside the service area',
    async (c) => {
      const service = c.service('visit to the buyer with a service area that is confirmed at once', (one) => {
        const isVisit = channelOf(one) === 'at_buyer_location'
        return isVisit && asMembers(one.channel)?.service_area !== undefined && isConfirmedAtOnce(one)
      })
      const slot = await c.slot(service)
      // The South Pole is far from every business. The coordinates make this clear even without a lookup of the
      // address.
      const delivery_address = {
        line1: 'Amundsen-Scott South Pole Station',
        city: 'South Pole',
        postal_code: '96598',
        country: 'AQ',
        coordinates: { lat: -90, lng: 0 },
      }
      const answer = await c.caller.call('book', c.bookingOf(slot, { delivery_address }))
      const booking = asMembers(answer.result?.booking)
      if (booking) c.cancelAfterwards(booking)
      if (answer.error) throw new Skip(`The server refuses the address for another reason (${answer.error.code}).`)
      expectTrue(booking?.status !== 'confirmed', 'no confirmed booking at the South Pole', booking)
    },
    { needs },
  ),
]
