import type { Runtime } from '../runtime.ts'
import { ProviderError } from './provider.ts'
import { type CheckoutRow, checkoutEnd, checkoutsTake } from './queries.ts'
import { settleCheckout } from './settle-checkout.ts'

const AT_ONCE = 20
const AGAIN = 5 * 60_000

/**
 * Ends the checkouts that nobody needs any more, so that no one pays for a booking that is over or was paid another
 * way. Money that was paid there before is found out too, though its notification was lost.
 */
export async function closeCheckouts(runtime: Runtime): Promise<void> {
  const { db, clock, log } = runtime
  const now = clock()
  for (const row of await checkoutsTake(db, AT_ONCE, new Date(now.getTime() + AGAIN), now))
    await close(runtime, row).catch((error) => log.warn({ err: error, booking: row.booking_id }, 'close checkout'))
}

async function close(runtime: Runtime, row: CheckoutRow): Promise<void> {
  // One that was never answered for has an address that nobody knows.
  if (!row.reference) return checkoutEnd(runtime.db, row.id, 'closed')
  const provider = await runtime.payments.named(row.provider)
  if (!provider) throw new Error(`The settings have no account for ${row.provider}`)
  try {
    await settleCheckout(runtime, row, await provider.close(row.reference))
  } catch (error) {
    if (error instanceof ProviderError && error.isFinal) await checkoutEnd(runtime.db, row.id, 'closed')
    throw error
  }
}
