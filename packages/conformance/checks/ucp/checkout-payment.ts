import type { Answer, Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { readBooking } from '../transactions/slots-and-bookings.ts'
import {
  type Checkout,
  checkoutOf,
  needs as ofCheckouts,
  openCheckout,
  readCheckout,
  readOrder,
  serviceWith,
  totalOf,
} from './checkout-steps.ts'
import { completionWith, completionWithUnknownToken, foreignInstrument } from './payment-instruments.ts'
import { expectHeld, expectNotBooked } from './unfinished-checkout.ts'

const needs = [...ofCheckouts, 'services.bookings']

const timings = [
  ['at_booking', 'that is paid at the booking'],
  ['deposit_required', 'with a deposit'],
] as const

/** How a platform tries to complete a checkout without paying. */
const attempts: [how: string, completion: (checkout: Checkout) => Members][] = [
  ['without an instrument', () => ({})],
  ['with an instrument of an unknown payment handler', () => ({ payment: { instruments: [foreignInstrument()] } })],
  ['with a token that nobody issued', completionWithUnknownToken],
]

/** Requires a refusal of the payment that does not complete the checkout. */
function expectUnpaid(answer: Answer): void {
  const isFault = answer.error !== undefined && answer.status < 500
  expectTrue(answer.refusal !== undefined || isFault, 'a refusal of the payment', answer.text)
  expectTrue(answer.result?.status !== 'completed', 'a checkout that is not completed', answer.result?.status)
}

/** Requires three states after a failed completion: the checkout is ready, its slot is held, and its booking is pending. */
async function expectStillReady(c: CheckContext, opened: Awaited<ReturnType<typeof openCheckout>>): Promise<void> {
  const { checkouts, checkout, slot, id } = opened
  await expectNotBooked(c, checkouts, checkout)
  expectEqual((await readCheckout(checkouts, id)).status, 'ready_for_complete', 'status')
  await expectHeld(c, slot)
}

export const checkoutPaymentChecks = [
  ...timings.flatMap(([timing, which]) =>
    attempts.map(([how, completion]) =>
      check(
        'LIV-114 LIV-116',
        `A checkout ${which} is not completed ${how}, and keeps its slot`,
        async (c) => {
          const opened = await openCheckout(c, serviceWith(c, timing))
          const { checkouts, checkout, id } = opened
          expectUnpaid(await checkouts.call('completeCheckout', { id, checkout: completion(checkout) }))
          await expectStillReady(c, opened)
        },
        { needs },
      ),
    ),
  ),
  check(
    'LIV-116 PAY-084',
    'A payment token completes a checkout after a failed attempt, and the booking shows no payment',
    async (c) => {
      const { checkouts, checkout, id } = await openCheckout(c, serviceWith(c, 'at_booking'))
      const completion = completionWith(c, checkout)
      expectUnpaid(await checkouts.call('completeCheckout', { id }))
      const done = checkoutOf(await checkouts.call('completeCheckout', { id, checkout: completion }))
      expectEqual([done.status, done.booking.booking_status], ['completed', 'confirmed'], 'the statuses')
      const booking = await readBooking(c, { id: done.booking.booking_id })
      expectEqual([booking.status, booking.payment], ['confirmed', undefined], 'status and payment of the booking')
      const order = await readOrder(checkouts, done)
      expectEqual(totalOf(order, 'total'), totalOf(checkout, 'total'), 'the total of the order')
    },
    { needs },
  ),
]
