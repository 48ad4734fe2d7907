import { setTimeout as sleep } from 'node:timers/promises'
import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectInstant, expectMembers, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { deliveries, eventWith, namesOfEvents, SETTLE_MS } from './received-events.ts'

const needs = ['services.availability', 'services.bookings']

export const bookingEventChecks = [
  check(
    'EVT-001 EVT-005 EVT-016 EVT-017',
    'A cancellation is sent as one event to the webhook of the platform that booked',
    async (c) => {
      const { booking } = await c.book()
      const start = Date.now()
      await cancel(c, booking)
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
    'The event of a cancellation contains the whole booking, and no order_id',
    async (c) => {
      const { booking } = await c.book()
      await cancel(c, booking)
      const { event } = await eventWith(c.platform.hosted, { event: 'booking.canceled' })
      c.schemas.expectValid('booking#Booking', event.data, 'data')
      const { id, status, service_id, buyer } = expectMembers(event.data, 'data')
      const expected = { id: booking.id, status: 'canceled', service_id: booking.service_id, buyer: booking.buyer }
      expectEqual({ id, status, service_id, buyer }, expected, 'the booking in data')
      expectEqual('order_id' in event, false, 'whether the event has an order_id')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-012',
    'No event contains a credential',
    async (c) => {
      const { booking, credential } = await c.book()
      await cancel(c, booking)
      const { body } = await eventWith(c.platform.hosted, { event: 'booking.canceled' })
      expectEqual(body.includes('booking_scoped_credential'), false, 'whether the event has a credential')
      const isSecret = credential !== undefined && body.includes(credential)
      expectEqual(isSecret || body.includes('bsc_'), false, 'whether the event has the value of a credential')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-054',
    'Another platform gets no event of the booking',
    async (c) => {
      const other = c.newPlatform()
      const { booking: foreign } = await c.book(undefined, { caller: other.caller })
      const { booking } = await c.book()
      await cancel(c, booking)
      await eventWith(c.platform.hosted, { event: 'booking.canceled', booking_id: booking.id })
      await other.caller.call('cancelBooking', { booking_id: foreign.id })
      await eventWith(other.hosted, { event: 'booking.canceled', booking_id: foreign.id })
      expectEqual(deliveries(other.hosted, { booking_id: booking.id }).length, 0, 'the events at the other platform')
      expectEqual(deliveries(c.platform.hosted, { booking_id: foreign.id }).length, 0, 'the events of its booking')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-019 EVT-010',
    'The event of a reschedule contains the new slot, also if it comes after a later change',
    async (c) => {
      const { hosted } = c.platform
      const { booking, second, third } = await rescheduleTwice(c)
      await cancel(c, booking)
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
    'A refused call sends no event',
    async (c) => {
      const { hosted } = c.platform
      const { booking } = await c.book()
      const { slot: taken } = await c.hold(undefined, { caller: c.newPlatform().caller })
      const target = { booking_id: booking.id, slot_id: taken.id }
      ;(await c.caller.call('reschedule', target)).refusedWith('slot_unavailable')
      await cancel(c, booking)
      ;(await c.caller.call('cancelBooking', { booking_id: booking.id })).refusedWith('invalid_transition')
      await eventWith(hosted, { event: 'booking.canceled' })
      await sleep(SETTLE_MS)
      expectEqual(namesOfEvents(hosted, booking), ['booking.canceled'], 'the events of the booking')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-048',
    'A repeated call with its idempotency key sends no further event',
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
  check(
    'EVT-013',
    'A confirmation by the staff is sent as an event with the confirmed booking',
    async (c) => {
      const { staff } = c
      if (!staff.confirm) throw new Skip('The staff adapter cannot confirm bookings.')
      const { booking } = await c.book(manualService(c))
      expectEqual(booking.status, 'pending', 'the status before')
      await staff.confirm(String(booking.id))
      const { event } = await eventWith(c.platform.hosted, { event: 'booking.confirmed', booking_id: booking.id })
      expectEqual(expectMembers(event.data, 'data').status, 'confirmed', 'data.status')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-017',
    'A cancellation by the staff is sent as an event',
    async (c) => {
      const { staff } = c
      if (!staff.cancel) throw new Skip('The staff adapter cannot cancel bookings.')
      const { booking } = await c.book()
      await staff.cancel(String(booking.id))
      const { event } = await eventWith(c.platform.hosted, { event: 'booking.canceled', booking_id: booking.id })
      const { cancellation } = expectMembers(event.data, 'data')
      expectEqual(expectMembers(cancellation, 'data.cancellation').canceled_by, 'business', 'canceled_by')
    },
    { needs, newPlatform: true },
  ),
]

/** Reschedules a booking two times while the host answers the first event slowly, so that the second event waits. */
async function rescheduleTwice(c: CheckContext) {
  const service = c.service('appointment that is confirmed at once and can be rescheduled twice', (one) => {
    const { confirmation_mode, requires_payment, payment_timing, rescheduling } = (one.policies ?? {}) as Members
    const { allowed = true, max_reschedules = 2 } = (rescheduling ?? {}) as Members
    const isPaidLater = requires_payment === false || payment_timing === 'at_service'
    const isAtBuyer = (one.channel as Members | undefined)?.type === 'at_buyer_location'
    return (
      one.type === 'appointment' &&
      confirmation_mode === 'auto' &&
      isPaidLater &&
      !isAtBuyer &&
      allowed === true &&
      Number(max_reschedules) >= 2
    )
  })
  const { booking } = await c.book(service)
  const [second, third] = [await c.slot(service), await c.slot(service)]
  c.platform.hosted.answersAfter = 1_000
  for (const { id } of [second, third])
    (await c.caller.call('reschedule', { booking_id: booking.id, slot_id: id })).success()
  return { booking, second, third }
}

async function cancel(c: CheckContext, { id }: Members): Promise<void> {
  ;(await c.caller.call('cancelBooking', { booking_id: id })).success()
}

const manualService = (c: CheckContext) =>
  c.service('appointment with manual confirmation and without payment', ({ type, policies }) => {
    const { confirmation_mode, requires_payment } = (policies ?? {}) as Members
    return type === 'appointment' && confirmation_mode === 'manual' && requires_payment === false
  })
