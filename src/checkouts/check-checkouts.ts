import type { Database } from '../db/database.ts'
import type { Providers } from '../payments/providers.ts'
import { checkoutsOfBooking } from '../payments/queries.ts'
import type { Means } from '../protocol/means.ts'
import { recordCheckoutResult } from './record-checkout-result.ts'

/** Asks the provider what became of a booking's checkouts: the buyer may be back before the notification is here. */
export async function checkCheckouts(
  means: Means<'makeChange' | 'clock'> & { payments: Providers } & { db: Database },
  bookingId: string,
): Promise<void> {
  for (const row of await checkoutsOfBooking(means.db, bookingId)) {
    const provider = await means.payments.named(row.provider)
    if (provider && row.reference) await recordCheckoutResult(means, row, await provider.read(row.reference))
  }
}
