import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { channelOf, isConfirmedAtOnce, reschedulingOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { cancelBooking } from '../transactions/slots-and-bookings.ts'
import { bookAndReceiveCancellation } from './event-causes.ts'
import { deliveries, eventWith, namesOfEvents, SETTLE_MS } from './received-events.ts'

const needs = ['services.availability', 'services.bookings']

export const bookingEventChecks = [
  check(
    'EVT-001 EVT-005 EVT-016 EVT-017',
    'The business sends a cancellation as one event to the webhook of the platform that booked',
    async (c) => {
      const { booking } = await c.book()
      const start = Date.now()
      await cancelBooking(c, booking)
      const { event, headers, method } = await eventWith(c.platform.hosted, { event: 'booking.canceled' })
      expectEqual(method, 'POST', 'the method')
      expectTrue(headers['content-type']?.startsWith('application/json') ?? false, 'application/json', headers)
      c.schemas.expectValid('webhook_event#BookingEvent', event, 'the event')
      expectText(event.event_id, 'event_id')
      expectEqual(event.booking_id, booking.id, 'booking_id')
      const age = expectInstant(event.timestamp, 'timestamp') - start
      expectTrue(Math.abs(age) < 60_000, 'a timestamp at the time of the cancellation', event.timestamp)
      await sleep(SETTLE_MS)
      expectEqual(namesOfEvents(c.platform.hosted, booking), ['booking.canceled'], 'the events of the booking')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-009 EVT-027',
    'A cancellation event contains the whole booking, and no order_id',
    async (c) => {
      const { booking, received } = await bookAndReceiveCancellation(c)
      const { event } = received
      c.schemas.expectValid('booking#Booking', event.data, 'data')
      const { id, status, service_id, buyer } = expectMembers(event.data, 'data')
      const expected = { id: booking.id, status: 'canceled', service_id: booking.service_id, buyer: booking.buyer }
      expectEqual({ id, status, service_id, buyer }, expected, 'the booking in data')
      expectEqual('order_id' in event, false, 'the presence of order_id in the event')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-012',
    'No event contains a credential',
    async (c) => {
      const { credential, received } = await bookAndReceiveCancellation(c)
      const { body } = received
      expectEqual(body.includes('booking_scoped_credential'), false, 'the presence of a credential in the event')
      const isSecret = credential !== undefined && body.includes(credential)
      expectEqual(isSecret || body.includes('bsc_'), false, 'the presence of the secret of a credential in the event')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-054',
    'Other platforms get no events of a booking',
    async (c) => {
      const other = c.newPlatform()
      const { booking: foreign } = await c.book(undefined, { caller: other.caller })
      const { booking } = await c.book()
      await cancelBooking(c, booking)
      await eventWith(c.platform.hosted, { event: 'booking.canceled', booking_id: booking.id })
      await other.caller.call('cancelBooking', { booking_id: foreign.id })
      await eventWith(other.hosted, { event: 'booking.canceled', booking_id: foreign.id })
      expectEqual(
        deliveries(other.hosted, { booking_id: booking.id }).length,
        0,
        'the number of events at the other platform',
      )
      expectEqual(
        deliveries(c.platform.hosted, { booking_id: foreign.id }).length,
        0,
        'the number of events about the booking of the other platform',
      )
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-019 EVT-010',
    'A reschedule event contains the slot of this reschedule, even if a later change precedes the event',
    async (c) => {
      const { hosted } = c.platform
      const { booking, second, third } = await rescheduleTwice(c)
      await cancelBooking(c, booking)
      await eventWith(hosted, { event: 'booking.canceled', booking_id: booking.id })
      const moves = deliveries(hosted, { event: 'booking.rescheduled', booking_id: booking.id })
      expectEqual(moves.length, 2, 'the number of events booking.rescheduled')
      for (const [nth, slot] of [second, third].entries()) {
        const data = expectMembers(moves[nth]?.event.data, 'data')
        expectEqual(data.status, 'confirmed', `data.status of reschedule ${nth + 1}`)
        const { start } = expectMembers(data.slot, 'data.slot')
        expectEqual(expectInstant(start, 'data.slot.start'), Date.parse(slot.start), `data.slot.start of ${nth + 1}`)
      }
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-047',
    'A refused call causes no event',
    async (c) => {
      const { hosted } = c.platform
      const { booking } = await c.book()
      const { slot: taken } = await c.hold(undefined, { caller: c.newPlatform().caller })
      const target = { booking_id: booking.id, slot_id: taken.id }
      ;(await c.caller.call('reschedule', target)).refusedWith('slot_unavailable')
      await cancelBooking(c, booking)
      ;(await c.caller.call('cancelBooking', { booking_id: booking.id })).refusedWith('invalid_transition')
      await eventWith(hosted, { event: 'booking.canceled' })
      await sleep(SETTLE_MS)
      expectEqual(namesOfEvents(hosted, booking), ['booking.canceled'], 'the events of the booking')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-048',
    'A call repeated with its idempotency key causes no second event',
    async (c) => {
      const { hosted } = c.platform
      const { booking } = await c.book()
      const options = { idempotencyKey: crypto.randomUUID() }
      for (let nth = 0; nth < 3; nth++)
        (await c.caller.call('cancelBooking', { booking_id: booking.id }, options)).success()
      await eventWith(hosted, { event: 'booking.canceled' })
      await sleep(SETTLE_MS)
      expectEqual(namesOfEvents(hosted, booking), ['booking.canceled'], 'the events of the booking')
    },
    { needs, newPlatform: true },
  ),
]

/** Reschedules a booking twice. The platform answers events slowly, so the second event must wait for the first. */
async function rescheduleTwice(c: CheckContext) {
  const service = c.service('appointment that is confirmed at once and can be rescheduled twice', (one) => {
    const { allowed = true, max_reschedules = 2 } = reschedulingOf(one)
    const isFit = one.type === 'appointment' && isConfirmedAtOnce(one) && channelOf(one) !== 'at_buyer_location'
    return isFit && allowed === true && Number(max_reschedules) >= 2
  })
  const { booking } = await c.book(service)
  const [second, third] = [await c.slot(service), await c.slot(service)]
  c.platform.hosted.answersAfter = 1_000
  for (const { id } of [second, third])
    (await c.caller.call('reschedule', { booking_id: booking.id, slot_id: id })).success()
  return { booking, second, third }
}
