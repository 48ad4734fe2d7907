import type { Database } from '../../infra/db/database.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { isBeingChecked } from '../bookings/booking-as-of.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import type { Providers } from '../payments/providers.ts'
import { checkoutsOfBooking } from '../payments/queries.ts'
import { recordCheckoutResult } from './record-checkout-result.ts'

/**
 * Fetches the state of a booking's checkouts from the provider, because the buyer may return before the notification
 * arrives. After the payment window it closes them. The booking is then confirmed or expired when this returns.
 */
export async function refreshCheckouts(
  means: Dependencies<'makeChange' | 'clock'> & { payments: Providers } & { db: Database },
  booking: BookingRow,
): Promise<void> {
  const isOver = isBeingChecked(booking, means.clock())
  for (const row of await checkoutsOfBooking(means.db, booking.id)) {
    const { reference } = row
    const provider = await means.payments.named(row.provider)
    if (!provider || !reference) continue
    await recordCheckoutResult(means, row, await (isOver ? provider.close(reference) : provider.read(reference)))
  }
}
