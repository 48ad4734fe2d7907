import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { expectOffered, readBooking } from '../transactions/slots-and-bookings.ts'
import { askForCheckout, checkoutOf, needs, openCheckout, readCheckout } from './checkout-steps.ts'
import { expectNotBooked } from './unfinished-checkout.ts'

export const checkoutCancelChecks = [
  check(
    'LIV-119 HLD-026',
    'The cancellation of a checkout frees its slot at once, and leaves no pending booking',
    async (c) => {
      const { slot, checkouts, id } = await openCheckout(c)
      const canceled = checkoutOf(await checkouts.call('cancelCheckout', { id }))
      expectEqual(canceled.status, 'canceled', 'status')
      const { booking_status } = canceled.booking
      expectTrue([undefined, 'canceled'].includes(booking_status as string), 'no pending booking', booking_status)
      expectEqual((await readCheckout(checkouts, id)).status, 'canceled', 'status')
      await expectOffered(c, slot, true)
      const other = checkoutOf(await askForCheckout(c, slot, { platform: c.newPlatform() }))
      expectEqual(other.status, 'ready_for_complete', 'status of the checkout of another platform')
    },
    { needs },
  ),
  check(
    'LIV-119',
    'A canceled checkout is never completed, and a second cancellation changes nothing',
    async (c) => {
      const { slot, checkouts, checkout, id } = await openCheckout(c)
      checkoutOf(await checkouts.call('cancelCheckout', { id }))
      const again = checkoutOf(await checkouts.call('cancelCheckout', { id }))
      expectEqual(again.status, 'canceled', 'status after the second cancellation')
      const late = await checkouts.call('completeCheckout', { id })
      expectTrue(late.result?.status !== 'completed', 'no completed checkout', late.result?.status)
      await expectNotBooked(c, checkouts, checkout)
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'LIV-115',
    'The cancellation of a completed checkout leaves its booking confirmed',
    async (c) => {
      const { checkouts, id } = await openCheckout(c)
      const done = checkoutOf(await checkouts.call('completeCheckout', { id }))
      expectEqual(done.status, 'completed', 'status')
      const late = await checkouts.call('cancelCheckout', { id })
      expectTrue((late.refusal ?? late.error) !== undefined, 'a refusal of the cancellation', late.text)
      const now = await readCheckout(checkouts, id)
      expectEqual([now.status, now.order], ['completed', expectMembers(done.order, 'order')], 'status and order')
      expectEqual((await readBooking(c, { id: done.booking.booking_id })).status, 'confirmed', 'status of the booking')
    },
    { needs: [...needs, 'services.bookings'] },
  ),
]
