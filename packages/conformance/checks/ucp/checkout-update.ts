import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { askToBook, bookingOf, expectOffered } from '../transactions/slots-and-bookings.ts'
import {
  checkoutOf,
  checkoutRequest,
  expectMessage,
  needs,
  openCheckout,
  readCheckout,
  unpaidService,
} from './checkout-steps.ts'
import { expectHeld } from './unfinished-checkout.ts'

export const checkoutUpdateChecks = [
  check(
    'HLD-012 HLD-026',
    'An update to another slot holds the new slot, and frees the former one',
    async (c) => {
      const { slot, id, checkouts } = await openCheckout(c)
      const next = await c.slot(unpaidService(c))
      const answer = await checkouts.call('updateCheckout', { id, checkout: checkoutRequest(c, next) })
      const { status, booking } = checkoutOf(answer)
      expectEqual([status, booking.booking_status], ['ready_for_complete', 'pending'], 'the statuses')
      expectEqual((booking.slot as { id: unknown }).id, next.id, 'id of the slot')
      await expectHeld(c, next)
      await expectOffered(c, slot, true)
    },
    { needs },
  ),
  check(
    'LIV-112',
    'An update to a slot that is gone leaves the checkout on its former slot',
    async (c) => {
      const { slot, id, checkouts, checkout } = await openCheckout(c)
      const gone = await c.slot(c.simpleService)
      bookingOf(await askToBook(c, gone, { caller: c.newPlatform().caller }))
      const answer = await checkouts.call('updateCheckout', { id, checkout: checkoutRequest(c, gone) })
      expectMessage(answer, 'slot_unavailable')
      const now = await readCheckout(checkouts, id)
      expectEqual(now.booking.slot, checkout.booking.slot, 'the slot of the checkout')
      await expectHeld(c, slot)
    },
    { needs: [...needs, 'services.bookings'] },
  ),
  check(
    'ERR-031',
    'A checkout has the price of the business, even if the platform shows another price',
    async (c) => {
      const { slot, id, checkouts, checkout } = await openCheckout(c)
      const line_items = [{ item: { id: slot.service_id, price: 1 }, quantity: 1 }]
      const answer = await checkouts.call('updateCheckout', { id, checkout: checkoutRequest(c, slot, { line_items }) })
      const mismatch = answer.messages.find(({ code }) => code === 'price_mismatch')
      if (mismatch) expectEqual(mismatch.severity, 'recoverable', 'severity of price_mismatch')
      const { totals } = await readCheckout(checkouts, id)
      expectTrue(totals !== undefined, 'totals', totals)
      expectEqual(totals, checkout.totals, 'the totals')
    },
    { needs },
  ),
]
