import type { Database } from '../../infra/db/database.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { type BookingRow, isBeingChecked } from '../bookings/booking-row.ts'
import { lockAndExpire } from '../bookings/change-booking.ts'
import { notifyRefusedRefund } from '../bookings/notify-about-booking.ts'
import type { Checkout, FailedRefund } from '../payments/provider.ts'
import type { Providers } from '../payments/providers.ts'
import { type CheckoutRow, checkoutEnd, checkoutsOfBooking, refundFail } from '../payments/queries.ts'
import { receivePayment } from './receive-payment.ts'

/**
 * Records the result of a checkout. It comes from a notification, from the buyer's return or from our own request, in any
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
    // Lock order: the booking before its checkouts.
    if (payment) await receivePayment(tx, { ...row, reference: reference ?? row.reference }, payment, now)
    else await lockAndExpire(tx, row.booking_id, undefined, now)
    await checkoutEnd(tx, row.id, status)
    // After its payment window a booking expires with its last open checkout.
    await lockAndExpire(tx, row.booking_id, undefined, now)
  })
}

/** Marks the refund as failed and notifies the staff once, however often the provider reports it. */
export async function recordFailedRefund(
  dependencies: Dependencies<'makeChange' | 'clock' | 'log'>,
  { refund, why }: FailedRefund,
): Promise<void> {
  const failedRefund = await dependencies.makeChange(async (tx) => {
    const found = await refundFail(tx, refund, why)
    if (found) await notifyRefusedRefund(dependencies)(tx, found, why)
    return found
  })
  if (failedRefund)
    dependencies.log.error(
      { refund, booking: failedRefund.booking_id, reason: why },
      'A refund did not arrive: return it by hand.',
    )
}

/**
 * Fetches the state of a booking's checkouts from the provider, because the buyer may return before the notification
 * arrives. After the payment window it closes them. The booking is then confirmed or expired when this returns.
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
