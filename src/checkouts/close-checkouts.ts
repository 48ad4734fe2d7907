import { ProviderError } from '../payments/provider.ts'
import type { Providers } from '../payments/providers.ts'
import { type CheckoutRow, checkoutEnd, checkoutsTake } from '../payments/queries.ts'
import type { Means } from '../protocol/means.ts'
import { MINUTE } from '../time/units.ts'
import { recordCheckoutResult } from './record-checkout-result.ts'

type Needs = Means<'db' | 'clock' | 'log' | 'makeChange'> & { payments: Providers }

const AT_ONCE = 20
const AGAIN = 5 * MINUTE

/**
 * Ends the checkouts that nobody needs any more, so that no one pays for a booking that is over or was paid another
 * way. Money that was paid there before is found out too, though its notification was lost.
 */
export async function closeCheckouts(means: Needs): Promise<void> {
  const { db, clock, log } = means
  const now = clock()
  for (const row of await checkoutsTake(db, AT_ONCE, new Date(now.getTime() + AGAIN), now))
    await close(means, row).catch((error) => log.warn({ err: error, booking: row.booking_id }, 'close checkout'))
}

async function close(means: Needs, row: CheckoutRow): Promise<void> {
  // One that was never answered for has an address that nobody knows.
  if (!row.reference) return checkoutEnd(means.db, row.id, 'closed')
  const provider = await means.payments.named(row.provider)
  if (!provider) throw new Error(`The settings have no account for ${row.provider}`)
  try {
    await recordCheckoutResult(means, row, await provider.close(row.reference))
  } catch (error) {
    if (error instanceof ProviderError && error.isFinal) await checkoutEnd(means.db, row.id, 'closed')
    throw error
  }
}
