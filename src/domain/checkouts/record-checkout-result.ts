import type { Database } from '../../infra/db/database.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { type BookingRow, isBeingChecked } from '../bookings/booking-row.ts'
import { lockAndExpire } from '../bookings/lock-and-save-booking.ts'
import { afterRefund } from '../bookings/report-finished-refund.ts'
import type { Providers } from '../payments/find-payment-provider.ts'
import type { Checkout, FailedRefund } from '../payments/payment-provider.ts'
import { type CheckoutRow, checkoutEnd, checkoutsOfBooking, refundFail } from '../payments/queries.ts'
import { receivePayment } from './record-provider-payment.ts'

/**
 * Records the result of a payment page. The provider sends the result in a notification. The server also asks the
 * provider, for example when the buyer returns from the page. The same result may arrive several times, and in any
 * order.
 */
export async function recordCheckoutResult(
  dependencies: Dependencies<'makeChange' | 'clock'>,
  row: CheckoutRow,
  { status, reference, payment }: Pick<Checkout, 'status' | 'payment'> & Partial<Checkout>,
): Promise<void> {
  if (status === 'open') return
  await dependencies.makeChange(async (tx) => {
    const now = dependencies.clock()
    // To prevent deadlocks, all transactions lock a booking before its checkout (payment page). `receivePayment` and
    // `lockAndExpire` lock the booking, and `checkoutEnd` then locks the checkout.
    if (payment) await receivePayment(tx, { ...row, reference: reference ?? row.reference }, payment, now)
    else await lockAndExpire(tx, row.booking_id, undefined, now)
    await checkoutEnd(tx, row.id, status)
    // After the buyer's time to pay, the booking expires when its last open checkout (payment page) ends.
    await lockAndExpire(tx, row.booking_id, undefined, now)
  })
}

/** Marks a refund as failed and notifies the staff. If the provider reports the same failure again, nothing changes. */
export async function recordFailedRefund(
  dependencies: Dependencies<'makeChange' | 'clock' | 'log'>,
  { refund, why }: FailedRefund,
): Promise<void> {
  const failedRefund = await dependencies.makeChange(async (tx) => {
    const found = await refundFail(tx, refund, why)
    if (found) await afterRefund(dependencies)(tx, found, why)
    return found
  })
  if (failedRefund)
    dependencies.log.error(
      { refund, booking: failedRefund.booking_id, reason: why },
      'A refund did not arrive: return it by hand.',
    )
}

/**
 * Asks the provider for the state of a booking's payment pages. The buyer may return from a page before the provider's
 * notification arrives. After the time to pay, the server also closes the pages. The booking is then either confirmed
 * or expired.
 */
export async function refreshCheckouts(
  dependencies: Dependencies<'makeChange' | 'clock'> & { payments: Providers } & { db: Database },
  booking: BookingRow,
): Promise<void> {
  const isOver = isBeingChecked(booking, dependencies.clock())
  for (const row of await checkoutsOfBooking(dependencies.db, booking.id)) {
    const { reference } = row
    const provider = await dependencies.payments.find(row.provider)
    if (!provider || !reference) continue
    await recordCheckoutResult(dependencies, row, await (isOver ? provider.close(reference) : provider.read(reference)))
  }
}
