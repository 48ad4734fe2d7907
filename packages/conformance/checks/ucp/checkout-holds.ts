import { expectEqual, expectMembers } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { askToBook, bookingOf, expectOffered } from '../transactions/slots-and-bookings.ts'
import { expectHoldAgain, openWithHold, release } from './checkout-hold-steps.ts'
import { checkoutOf, expectMessage, needs as ofCheckouts, serviceWith, unpaidService } from './checkout-steps.ts'
import { completionWith } from './payment-instruments.ts'
import { expectNotBooked } from './unfinished-checkout.ts'

const needs = [...ofCheckouts, 'services.bookings']

/** A hold that its platform releases stands for an expired one, because a hold usually lasts for several minutes. */
export const checkoutHoldChecks = [
  check(
    'HLD-035 HLD-029',
    'A checkout takes over a hold of its platform, and its completion converts the hold',
    async (c) => {
      const { hold, checkout, checkouts, id } = await openWithHold(c, unpaidService(c))
      expectEqual(checkout.booking.hold_id, hold.id, 'hold_id of the booking')
      const { status } = checkoutOf(await checkouts.call('completeCheckout', { id }))
      expectEqual(status, 'completed', 'status')
      const released = (await release(c, hold)).success()
      expectEqual(expectMembers(released.hold, 'hold').status, 'converted', 'status of the hold')
    },
    { needs },
  ),
  check(
    'LIV-118 LIV-112 LIV-059',
    'A checkout whose hold has ended says hold_expired while its slot is free, and an update holds it again (flow/101)',
    async (c) => {
      const scene = await openWithHold(c, unpaidService(c))
      await release(c, scene.hold)
      await expectHoldAgain(c, scene, () => scene.checkouts.call('completeCheckout', { id: scene.id }))
    },
    { needs },
  ),
  check(
    'LIV-118 LIV-060',
    'A checkout whose hold has ended says slot_unavailable after another platform booked the slot',
    async (c) => {
      const { hold, slot, checkout, checkouts, id } = await openWithHold(c, unpaidService(c))
      await release(c, hold)
      bookingOf(await askToBook(c, slot, { caller: c.newPlatform().caller }))
      expectMessage(await checkouts.call('completeCheckout', { id }), 'slot_unavailable')
      await expectNotBooked(c, checkouts, checkout)
    },
    { needs },
  ),
  check(
    'LIV-118 LIV-112',
    'A paid checkout whose hold has ended says hold_expired, although the platform sends a token (flow/101)',
    async (c) => {
      const { hold, slot, checkout, checkouts, id } = await openWithHold(c, serviceWith(c, 'at_booking'))
      const payment = completionWith(c, checkout)
      await release(c, hold)
      const late = await checkouts.call('completeCheckout', { id, checkout: payment })
      expectMessage(late, 'hold_expired')
      await expectNotBooked(c, checkouts, checkout)
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
]
