import type { Answer, Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers } from '../../run/expectations.ts'
import { expectOffered } from '../transactions/slots-and-bookings.ts'
import { checkoutOf, checkoutRequest, expectMessage, openCheckoutOf } from './checkout-steps.ts'
import { expectNotBooked } from './unfinished-checkout.ts'

/** Holds a free slot, and creates a checkout with the hold. */
export async function openWithHold(c: CheckContext, service: Members) {
  c.needsHolds()
  const slot = await c.slot(service)
  const result = (await c.caller.call('hold', { service_id: service.id, slot_id: slot.id })).success()
  const hold = expectMembers(result.hold, 'hold')
  const opened = await openCheckoutOf(c, slot, { changes: { booking: { hold_id: hold.id } } })
  return { ...opened, hold }
}

export const release = (c: CheckContext, { id }: Members): Promise<Answer> => c.caller.call('release', { hold_id: id })

/** Completes a checkout whose hold has ended, holds its slot again with an update, and completes it again. */
export async function expectHoldAgain(
  c: CheckContext,
  { slot, checkout, checkouts, id }: Awaited<ReturnType<typeof openWithHold>>,
  complete: () => Promise<Answer>,
): Promise<void> {
  const late = await complete()
  expectMessage(late, 'hold_expired')
  expectEqual(checkoutOf(late).status, 'incomplete', 'status')
  await expectNotBooked(c, checkouts, checkout)
  await expectOffered(c, slot, true)
  const renewed = checkoutOf(await checkouts.call('updateCheckout', { id, checkout: checkoutRequest(c, slot) }))
  expectEqual(renewed.status, 'ready_for_complete', 'status after an update')
  const done = checkoutOf(await complete())
  expectEqual([done.status, done.booking.booking_status], ['completed', 'confirmed'], 'the statuses')
}
