import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { dateIn, days, type Slot } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { channelOf, isManual, isPaidAhead } from '../transactions/service-kinds.ts'
import { askToBook, bookingOf, expectUnchanged, readBooking } from '../transactions/slots-and-bookings.ts'
import { amountOf, policiesOf } from './service-facts.ts'

const needs = ['services.availability', 'services.bookings']
const DAY_MS = 86_400_000

const cancellationOf = (service: Members): Members => asMembers(policiesOf(service).cancellation) ?? {}
const reschedulingOf = (service: Members): Members => asMembers(policiesOf(service).rescheduling) ?? {}

/** A service that a platform books without payment ahead. */
function bookable(c: CheckContext, description: string, fits: (service: Members) => boolean): Members {
  return c.service(
    description,
    (one) => !isPaidAhead(one) && !isManual(one) && channelOf(one) !== 'at_buyer_location' && fits(one),
  )
}

const startsAfter = (duration: unknown) => (slot: Slot) =>
  Date.parse(slot.start) > Date.now() + (days(duration) ?? 0) * DAY_MS + 60_000
const startsWithin = (duration: unknown) => (slot: Slot) =>
  Date.parse(slot.start) < Date.now() + (days(duration) ?? 0) * DAY_MS - 60_000

/** Cancels a booking of the service, and returns the fee. */
async function feeOf(c: CheckContext, service: Members, where: (slot: Slot) => boolean): Promise<number> {
  const { booking } = await c.book(service, { where })
  const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id: booking.id }))
  expectEqual(canceled.status, 'canceled', 'status')
  return amountOf(asMembers(canceled.cancellation)?.fee) ?? 0
}

export const bookingPolicyChecks = [
  check(
    'CAT-114',
    'A booking of a service that cannot be canceled is kept',
    async (c) => {
      const service = bookable(c, 'service that cannot be canceled', (one) => cancellationOf(one).allowed === false)
      const { booking } = await c.book(service)
      const answer = await c.caller.call('cancelBooking', { booking_id: booking.id })
      answer.refusedWith('cancellation_not_allowed')
      await expectUnchanged(c, booking)
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
      const { free_cancellation_until } = cancellationOf(service)
      expectEqual(await feeOf(c, service, startsAfter(free_cancellation_until)), 0, 'the fee of an early cancellation')
    },
    { needs },
  ),
  check(
    'CAT-115',
    'A late cancellation costs the fee of the policy',
    async (c) => {
      const service = bookable(c, 'service with a fee for a late cancellation', (one) => {
        const { allowed, free_cancellation_until, late_cancellation_fee, no_cancellation_after } = cancellationOf(one)
        const isFee = Number(amountOf(late_cancellation_fee)) > 0 && no_cancellation_after === undefined
        return allowed === true && isFee && (days(free_cancellation_until) ?? 0) >= 1
      })
      const { free_cancellation_until, late_cancellation_fee } = cancellationOf(service)
      const slot = await soonSlot(c, service, startsWithin(free_cancellation_until))
      const booking = bookingOf(await askToBook(c, slot))
      const canceled = bookingOf(await c.caller.call('cancelBooking', { booking_id: booking.id }))
      const { fee } = asMembers(canceled.cancellation) ?? {}
      expectEqual(amountOf(fee), amountOf(late_cancellation_fee), 'the fee of a late cancellation')
    },
    { needs },
  ),
  check(
    'CAT-116',
    'A booking can no longer be canceled shortly before its start',
    async (c) => {
      const service = bookable(c, 'service with an end of cancellations', (one) => {
        return cancellationOf(one).allowed === true && cancellationOf(one).no_cancellation_after !== undefined
      })
      const { booking } = await c.book(service, { where: startsWithin(cancellationOf(service).no_cancellation_after) })
      const answer = await c.caller.call('cancelBooking', { booking_id: booking.id })
      answer.refusedWith('cancellation_not_allowed')
      await expectUnchanged(c, booking)
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
      const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: slot.id })
      expectTrue(answer.refusal !== undefined && answer.status === 200, 'a message of the type error', answer.result)
      await expectUnchanged(c, booking)
    },
    { needs },
  ),
  check(
    'CAT-118',
    'A booking is rescheduled up to the number of times of the policy',
    async (c) => {
      const service = bookable(c, 'service with up to three reschedules', (one) => {
        const { allowed, max_reschedules } = reschedulingOf(one)
        return allowed === true && Number(max_reschedules) <= 3
      })
      const times = Number(reschedulingOf(service).max_reschedules)
      const { booking } = await c.book(service)
      for (let time = 1; time <= times + 1; time++) {
        const slot = await c.slot(service)
        const answer = await c.caller.call('reschedule', { booking_id: booking.id, slot_id: slot.id })
        if (time <= times) bookingOf(answer)
        else {
          answer.refusedWith('reschedule_limit_reached')
          expectTrue(
            asMembers((await readBooking(c, booking)).slot)?.start !== slot.start,
            'the booking to keep its slot',
            slot.start,
          )
        }
      }
    },
    { needs },
  ),
  check(
    'CAT-069',
    'The endpoint alone decides the business of a booking',
    async (c) => {
      const { booking } = await c.book(c.simpleService, { input: { business_id: 'biz_of_another' } })
      expectEqual(booking.service_id, c.simpleService.id, 'service_id')
      expectTrue(booking.business_id !== 'biz_of_another', 'the business of the endpoint', booking.business_id)
    },
    { needs },
  ),
  check(
    'CAT-101',
    'A service of a vertical of the business is held and booked like an appointment',
    async (c) => {
      const service = bookable(c, 'service of a vertical of its own', ({ type }) => String(type).includes('.'))
      const { hold, slot } = await c.hold(service)
      const answer = await c.caller.call('book', c.bookingOf(slot, { hold_id: hold.id }))
      c.cancelAfterwards(bookingOf(answer))
    },
    { needs },
  ),
  check(
    'LIV-053',
    'A booking outside the area of a service at the buyer’s place is not confirmed',
    async (c) => {
      const service = c.service('visit of which the area is stated, confirmed at once without payment ahead', (one) => {
        const isVisit = channelOf(one) === 'at_buyer_location'
        return isVisit && asMembers(one.channel)?.service_area !== undefined && !isPaidAhead(one) && !isManual(one)
      })
      const slot = await c.slot(service)
      // The station is far from every business, and its coordinates say so too.
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

/** A free slot of today or tomorrow. The slots that the suite reserves for checks are later. */
async function soonSlot(c: CheckContext, service: Members, where: (slot: Slot) => boolean): Promise<Slot> {
  const query = { service_id: service.id, start_date: dateIn(0), end_date: dateIn(1), limit: 200 }
  const slots = (await c.anonymous.call('queryAvailability', query)).success().slots as Slot[]
  const fitting = slots.filter((slot) => slot.state !== 'waitlist' && where(slot))
  const slot = fitting[Math.floor(Math.random() * fitting.length)]
  if (!slot) throw new Skip(`The service ${service.id} has no free time today or tomorrow.`)
  return slot
}
