import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { sampleInputs } from '../core/sample-inputs.ts'
import { expectBooking } from './booked.ts'
import { expectRefused } from './probe.ts'

const needs = ['services.bookings']

export const staffCredentialChecks = [
  check(
    'AUT-092',
    'The credential of a person of the business confirms a booking, without a platform profile',
    async (c) => {
      const headers = bearerOf(c)
      const service = c.service('service in manual mode without payment', ({ policies, type }) => {
        const { confirmation_mode, requires_payment } = (policies ?? {}) as Members
        return type === 'appointment' && confirmation_mode === 'manual' && requires_payment === false
      })
      const { booking } = await c.book(service)
      const answer = await c.anonymous.call('confirmBooking', { booking_id: booking.id }, { headers })
      expectEqual(expectBooking(answer, String(booking.id)).status, 'confirmed', 'status')
    },
    { needs },
  ),
  check(
    'AUT-096',
    'The credential of a person of the business is no platform',
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
  if (staff.bearer === undefined) throw new Skip('The adapter for staff has no bearer value.')
  return { authorization: `Bearer ${staff.bearer}` }
}
