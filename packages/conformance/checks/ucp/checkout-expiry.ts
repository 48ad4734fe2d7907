import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { check } from '../check.ts'
import { waitForEnd } from '../transactions/wait-for-end.ts'
import { expectHoldAgain, openWithHold } from './checkout-hold-steps.ts'
import { type Checkout, needs as ofCheckouts, readCheckout, serviceWith, unpaidService } from './checkout-steps.ts'
import { completionWith } from './payment-instruments.ts'

const options = { needs: [...ofCheckouts, 'services.bookings'] }

/** Waits until the hold of a checkout has ended, completes the checkout, and then holds its slot again. */
async function expectExpired(c: CheckContext, service: Members, completion: (checkout: Checkout) => Members) {
  const scene = await openWithHold(c, service)
  const { hold, checkout, checkouts, id } = scene
  const complete = () => checkouts.call('completeCheckout', { id, checkout: completion(checkout) })
  await waitForEnd(hold)
  const open = await readCheckout(checkouts, id)
  // A business may let a checkout hold its slot for longer than the hold.
  if (open.status === 'ready_for_complete') await waitForEnd(open)
  await expectHoldAgain(c, scene, complete)
}

/** The vector flow/101, with a hold that ends by itself. The file checkout-holds.ts ends holds by a release. */
export const checkoutExpiryChecks = [
  check(
    'LIV-118 LIV-112 LIV-059',
    'A checkout whose hold has expired says hold_expired while its slot is free, and can hold it again (flow/101)',
    (c) => expectExpired(c, unpaidService(c), () => ({})),
    options,
  ),
  check(
    'LIV-118 LIV-112',
    'A paid checkout whose hold has expired says hold_expired in spite of its payment token (flow/101)',
    (c) => expectExpired(c, serviceWith(c, 'at_booking'), (checkout) => completionWith(c, checkout)),
    options,
  ),
]
