import { expectEqual, expectMembers } from '../../run/expectations.ts'
import { manualService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { staffAction } from '../transactions/slots-and-bookings.ts'
import { eventWith } from './received-events.ts'

const needs = ['services.availability', 'services.bookings']

export const staffEventChecks = [
  check(
    'EVT-013',
    'A confirmation by the staff causes an event with the confirmed booking',
    async (c) => {
      const confirm = staffAction(c, 'confirm')
      const { booking } = await c.book(manualService(c))
      expectEqual(booking.status, 'pending', 'the status before the confirmation')
      await confirm(booking.id)
      const { event } = await eventWith(c.platform.hosted, { event: 'booking.confirmed', booking_id: booking.id })
      expectEqual(expectMembers(event.data, 'data').status, 'confirmed', 'data.status')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-017',
    'A cancellation by the staff causes an event',
    async (c) => {
      const cancel = staffAction(c, 'cancel')
      const { booking } = await c.book()
      await cancel(booking.id)
      const { event } = await eventWith(c.platform.hosted, { event: 'booking.canceled', booking_id: booking.id })
      const { cancellation } = expectMembers(event.data, 'data')
      expectEqual(expectMembers(cancellation, 'data.cancellation').canceled_by, 'business', 'canceled_by')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-021',
    'The completion of a booking causes an event',
    async (c) => {
      const [start, complete] = [staffAction(c, 'start'), staffAction(c, 'complete')]
      const { booking } = await c.book()
      await start(booking.id)
      await complete(booking.id)
      const { event } = await eventWith(c.platform.hosted, { event: 'booking.completed', booking_id: booking.id })
      expectEqual(expectMembers(event.data, 'data').status, 'completed', 'data.status')
    },
    { needs, newPlatform: true },
  ),
]
