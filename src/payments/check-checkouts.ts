import type { Database } from '../db/database.ts'
import type { Runtime } from '../runtime.ts'
import { checkoutsOfBooking } from './queries.ts'
import { settleCheckout } from './settle-checkout.ts'

/** Asks the provider what became of a booking's checkouts: the buyer may be back before the notification is here. */
export async function checkCheckouts(
  runtime: Pick<Runtime, 'makeChange' | 'clock' | 'payments'> & { db: Database },
  bookingId: string,
): Promise<void> {
  for (const row of await checkoutsOfBooking(runtime.db, bookingId)) {
    const provider = await runtime.payments.named(row.provider)
    if (provider && row.reference) await settleCheckout(runtime, row, await provider.read(row.reference))
  }
}
