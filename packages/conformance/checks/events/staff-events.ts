import { expectEqual, expectMembers } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { eventWith } from './received-events.ts'

const needs = ['services.availability', 'services.bookings']

export const staffEventChecks = [
  check(
    'EVT-021',
    'A completed booking is sent as an event',
    async (c) => {
      const { staff } = c
      if (!staff.start || !staff.complete) throw new Skip('The staff adapter cannot start and complete bookings.')
      const { booking } = await c.book()
      await staff.start(String(booking.id))
      await staff.complete(String(booking.id))
      const { event } = await eventWith(c.platform.hosted, { event: 'booking.completed', booking_id: booking.id })
      expectEqual(expectMembers(event.data, 'data').status, 'completed', 'data.status')
    },
    { needs, newPlatform: true },
  ),
]
