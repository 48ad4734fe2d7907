import type { Dependencies } from '../../protocol/dependencies.ts'
import { lockAndExpire } from '../bookings/change-booking.ts'
import type { Checkout } from '../payments/provider.ts'
import { type CheckoutRow, checkoutEnd } from '../payments/queries.ts'
import { receivePayment } from './receive-payment.ts'

/**
 * Records the result of a checkout. It comes from a notification, from the buyer's return or from our own request, in any
 * order.
 */
export async function recordCheckoutResult(
  means: Dependencies<'makeChange' | 'clock'>,
  row: CheckoutRow,
  { status, reference, payment }: Pick<Checkout, 'status' | 'payment'> & Partial<Checkout>,
): Promise<void> {
  if (status === 'open') return
  await means.makeChange(async (tx) => {
    const now = means.clock()
    // Lock order: the booking before its checkouts.
    if (payment) await receivePayment(tx, { ...row, reference: reference ?? row.reference }, payment, now)
    else await lockAndExpire(tx, row.booking_id, undefined, now)
    await checkoutEnd(tx, row.id, status)
    // After its payment window a booking expires with its last open checkout.
    await lockAndExpire(tx, row.booking_id, undefined, now)
  })
}
