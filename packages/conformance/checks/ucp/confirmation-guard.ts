import type { Answer, Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { simultaneously } from '../transactions/simultaneous-calls.ts'
import { readBooking } from '../transactions/slots-and-bookings.ts'
import {
  checkoutOf,
  needs as ofCheckouts,
  openCheckout,
  readCheckout,
  serviceWith,
  unpaidService,
} from './checkout-steps.ts'
import { expectNotBooked } from './unfinished-checkout.ts'

const needs = [...ofCheckouts, 'services.bookings']
const AT_ONCE = 5

/** Returns a function with which a person of the business confirms a booking. Skips the check without staff. */
function confirmationBy(c: CheckContext): (booking: Members) => Promise<Answer> {
  const { bearer } = c.staff
  if (bearer === undefined) throw new Skip('The adapter for staff has no bearer value.')
  const headers = { authorization: `Bearer ${bearer}` }
  return ({ booking_id }) => c.anonymous.call('confirmBooking', { booking_id }, { headers })
}

/** The booking of such a checkout is pending, also for a business that stores the booking only at the completion. */
const expectConfirmationRefused = (answer: Answer) => answer.refusedWith('invalid_transition')

/** Requires that a confirmation of the booking of a checkout that is not completed changes nothing. */
async function expectNotConfirmed(c: CheckContext, service: Members): Promise<void> {
  const confirm = confirmationBy(c)
  const { checkouts, checkout, id } = await openCheckout(c, service)
  expectConfirmationRefused(await confirm(checkout.booking))
  await expectNotBooked(c, checkouts, checkout)
  const { status } = await readCheckout(checkouts, id)
  expectTrue(status === 'ready_for_complete', 'a checkout that is still ready', status)
}

/** The checks of the vector flow/105. Its variants without a checkout are in the file booking-confirmation.ts. */
export const confirmationGuardChecks = [
  check(
    'LIV-070 BKG-075',
    'The business cannot confirm the booking of a checkout that is not paid (flow/105)',
    (c) => expectNotConfirmed(c, serviceWith(c, 'at_booking')),
    { needs },
  ),
  check(
    'LIV-070 BKG-075',
    'The business cannot confirm the booking of a checkout that is not completed, even if nothing is due',
    (c) => expectNotConfirmed(c, unpaidService(c)),
    { needs },
  ),
  check(
    'LIV-070 BKG-075 LIV-114',
    'Confirmations during completions without payment leave the booking of a checkout unconfirmed (flow/105)',
    async (c) => {
      const confirm = confirmationBy(c)
      const { checkouts, checkout, id } = await openCheckout(c, serviceWith(c, 'at_booking'))
      const [confirmations, completions] = await Promise.all([
        simultaneously(AT_ONCE, () => confirm(checkout.booking)),
        simultaneously(AT_ONCE, () => checkouts.call('completeCheckout', { id })),
      ])
      for (const answer of confirmations) expectConfirmationRefused(answer)
      for (const { result } of completions)
        expectTrue(result?.status !== 'completed', 'a checkout that is not completed', result?.status)
      await expectNotBooked(c, checkouts, checkout)
    },
    { needs },
  ),
  check(
    'LIV-070 BKG-076',
    'Confirmations during the completion of a checkout change neither its booking nor its order (flow/105)',
    async (c) => {
      const confirm = confirmationBy(c)
      const { checkouts, checkout, id } = await openCheckout(c, unpaidService(c))
      const [confirmations, completion] = await Promise.all([
        simultaneously(AT_ONCE, () => confirm(checkout.booking)),
        checkouts.call('completeCheckout', { id }),
      ])
      const done = checkoutOf(completion)
      expectEqual([done.status, done.booking.booking_status], ['completed', 'confirmed'], 'the statuses')
      // A confirmation after the completion returns the confirmed booking.
      for (const answer of confirmations) if (!answer.result?.booking) expectConfirmationRefused(answer)
      const booking = await readBooking(c, { id: done.booking.booking_id })
      expectEqual(booking.status, 'confirmed', 'status of the booking')
      ;(await confirm(done.booking)).success()
      const { revision } = await readBooking(c, { id: done.booking.booking_id })
      expectEqual(revision, booking.revision, 'revision after another confirmation')
      expectEqual((await readCheckout(checkouts, id)).order, done.order, 'the order')
    },
    { needs },
  ),
]
