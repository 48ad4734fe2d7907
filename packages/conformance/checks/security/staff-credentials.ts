import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { manualService } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { sampleInputs } from '../core/sample-inputs.ts'
import { expectBooking } from './booked.ts'
import { expectRefused } from './probe.ts'

const needs = ['services.bookings']

export const staffCredentialChecks = [
  check(
    'AUT-092',
    'The staff can confirm a booking with their token, without a platform profile',
    async (c) => {
      const headers = bearerOf(c)
      const { booking } = await c.book(manualService(c))
      const answer = await c.anonymous.call('confirmBooking', { booking_id: booking.id }, { headers })
      expectEqual(expectBooking(answer, String(booking.id)).status, 'confirmed', 'status')
    },
    { needs },
  ),
  check(
    'AUT-096',
    'The token of a staff member does not authenticate a platform',
    async (c) => {
      const headers = bearerOf(c)
      for (const name of ['book', 'getBooking'] as const) {
        const { caller } = c.sharedPlatform
        const answer = await caller.call(name, sampleInputs[name], { authentication: 'none', headers })
        expectRefused(answer, 'authentication_required')
      }
    },
    { needs },
  ),
]

function bearerOf({ staff }: CheckContext): Record<string, string> {
  if (staff.bearer === undefined) throw new Skip('The staff adapter has no bearer token.')
  return { authorization: `Bearer ${staff.bearer}` }
}
