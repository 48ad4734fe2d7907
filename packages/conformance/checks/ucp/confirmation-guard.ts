import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { needs as ofCheckouts, openCheckout, readCheckout, serviceWith, unpaidService } from './checkout-scene.ts'
import { expectNotBooked } from './unfinished-checkout.ts'

const needs = [...ofCheckouts, 'services.bookings']

/**
 * Lets a person of the business confirm the booking of a checkout that is not completed, and requires that this changes
 * nothing. A business that makes the booking only at the completion does not know it yet.
 */
async function expectNotConfirmed(c: CheckContext, service: Members): Promise<void> {
  const { bearer } = c.staff
  if (bearer === undefined) throw new Skip('The adapter for staff has no bearer value.')
  const { checkouts, checkout, id } = await openCheckout(c, service)
  const { booking_id } = checkout.booking
  const headers = { authorization: `Bearer ${bearer}` }
  const answer = await c.anonymous.call('confirmBooking', { booking_id }, { headers })
  if (answer.error) expectEqual(answer.error.code, 'booking_not_found', 'code of the refusal')
  else answer.refusedWith('invalid_transition')
  await expectNotBooked(c, checkouts, checkout)
  const { status } = await readCheckout(checkouts, id)
  expectTrue(status === 'ready_for_complete', 'a checkout that is still ready', status)
}

export const confirmationGuardChecks = [
  check(
    'LIV-070 BKG-075',
    'The business cannot confirm the booking of a checkout that is not paid',
    (c) => expectNotConfirmed(c, serviceWith(c, 'at_booking')),
    { needs },
  ),
  check(
    'LIV-070 BKG-075',
    'The business cannot confirm the booking of a checkout that is not completed, even if nothing is due',
    (c) => expectNotConfirmed(c, unpaidService(c)),
    { needs },
  ),
]
