import { asMembers } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import type { Slot } from '../../target/free-slots.ts'
import { askForHold, expectOffered } from '../transactions/slots-and-bookings.ts'
import { type Checkout, readCheckout } from './checkout-steps.ts'
import type { UcpCaller } from './ucp-caller.ts'

/** Requires that the checkout holds its slot: no availability query offers it, and no other platform gets a hold. */
export async function expectHeld(c: CheckContext, slot: Slot): Promise<void> {
  await expectOffered(c, slot, false)
  if (c.target.capability('services.availability')?.holds !== true) return
  ;(await askForHold(c, slot, { caller: c.newPlatform().caller })).refusedWith('slot_unavailable')
}

/** Requires that the checkout is not completed, and that its booking is not confirmed. */
export async function expectNotBooked(c: CheckContext, checkouts: UcpCaller, { id, booking }: Checkout): Promise<void> {
  const { status, booking: now, ...others } = await readCheckout(checkouts, id)
  expectTrue(status !== 'completed', 'a checkout that is not completed', status)
  expectEqual('order' in others, false, 'whether the checkout has an order')
  const expected = status === 'canceled' ? [undefined, 'canceled'] : ['pending']
  expectTrue(expected.includes(now.booking_status as string), 'no confirmed booking', now.booking_status)
  // The business may make the booking before the checkout is completed, or only then.
  const { result } = await c.caller.call('getBooking', { booking_id: booking.booking_id })
  expectTrue(asMembers(result?.booking)?.status !== 'confirmed', 'no confirmed booking', result?.booking)
}
