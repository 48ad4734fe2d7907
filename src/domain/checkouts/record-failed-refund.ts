import type { Dependencies } from '../../protocol/dependencies.ts'
import { notifyRefusedRefund } from '../bookings/notify-refused-refund.ts'
import type { FailedRefund } from '../payments/provider.ts'
import { refundFail } from '../payments/queries.ts'

/** Marks the refund as failed and notifies the staff once, however often the provider reports it. */
export async function recordFailedRefund(
  means: Dependencies<'makeChange' | 'clock' | 'log'>,
  { refund, why }: FailedRefund,
): Promise<void> {
  const owed = await means.makeChange(async (tx) => {
    const found = await refundFail(tx, refund, why)
    if (found) await notifyRefusedRefund(means)(tx, found, why)
    return found
  })
  if (owed)
    means.log.error({ refund, booking: owed.booking_id, reason: why }, 'A refund did not arrive: return it by hand.')
}
