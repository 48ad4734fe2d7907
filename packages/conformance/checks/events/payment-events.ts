import { expectEqual, expectMembers } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { bookPaidAhead, pay } from '../payments/payment-steps.ts'
import { cancelBooking } from '../transactions/slots-and-bookings.ts'
import { deliveries, eventWith, namesOfEvents } from './received-events.ts'

const needs = ['services.availability', 'services.bookings']

export const paymentEventChecks = [
  check(
    'EVT-014',
    'A payment that completes the last action causes the event booking.confirmed',
    async (c) => {
      const { booking } = await bookPaidAhead(c)
      await pay(c, booking)
      const { event } = await eventWith(c.platform.hosted, { event: 'booking.confirmed', booking_id: booking.id })
      const { status, payment } = expectMembers(event.data, 'data')
      expectEqual(status, 'confirmed', 'data.status')
      expectEqual(expectMembers(payment, 'data.payment').amount_due, 0, 'data.payment.amount_due')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-022 EVT-006',
    'A refund causes an event with the new payment status',
    async (c) => {
      const { hosted } = c.platform
      const { booking } = await bookPaidAhead(c)
      await pay(c, booking)
      const { status } = expectMembers((await cancelBooking(c, booking)).payment, 'payment')
      const { event } = await eventWith(hosted, { event: 'booking.refund_issued', booking_id: booking.id })
      c.schemas.expectValid('webhook_event#BookingEvent', event, 'the event')
      const { payment } = expectMembers(event.data, 'data')
      expectEqual(expectMembers(payment, 'data.payment').status, status, 'data.payment.status')
      await eventWith(hosted, { event: 'booking.canceled', booking_id: booking.id })
      for (const { event } of deliveries(hosted))
        c.schemas.expectValid('webhook_event#BookingEvent', event, 'each event of the platform')
      const refunds = namesOfEvents(hosted, booking).filter((name) => name === 'booking.refund_issued')
      expectEqual(refunds.length, 1, 'the number of events booking.refund_issued')
    },
    { needs, newPlatform: true },
  ),
]
