import type { Running } from '../../core/jobs/loop.ts'
import { makePace, type Pace, takenAt } from '../../core/jobs/pace.ts'
import { startWorker, type Work, workAll } from '../../core/jobs/worker.ts'
import { MINUTE, SECOND } from '../../infra/time/units.ts'
import type { Means } from '../../protocol/means.ts'
import { askProvider } from '../payments/ask-provider.ts'
import { ProviderError } from '../payments/provider.ts'
import type { Providers } from '../payments/providers.ts'
import {
  type CheckoutRow,
  type ClosableCheckout,
  checkoutPutOff,
  checkoutsRenew,
  checkoutsTake,
} from '../payments/queries.ts'
import { recordCheckoutResult } from './record-checkout-result.ts'

type Needs = Means<'db' | 'clock' | 'clockFault' | 'log' | 'makeChange'> & { payments: Providers }

const AT_ONCE = 8
const AGAIN = 5 * MINUTE
/** While a booking waits for the answer. */
const AGAIN_SOON = 30 * SECOND
const CLOSED = { status: 'closed', payment: undefined } as const
/** Nobody announces that a time is up. */
const POLLED_EVERY_MS = 10 * SECOND

/**
 * Ends the checkouts that nobody needs any more, so that no one pays for a booking that is over or was paid another
 * way. Money that was paid there before is found out too, though its notification was lost.
 */
export const startClosingCheckouts = (means: Needs): Running =>
  startWorker(means, checkouts(means), { every: POLLED_EVERY_MS })

/** Ends all those of now, or as many as the provider answers for. */
export const closeCheckouts = (means: Needs): Promise<void> => workAll(means, checkouts(means))

function checkouts(means: Needs): Work<ClosableCheckout> {
  const { db, clock } = means
  const pace = makePace(AT_ONCE)
  return {
    name: 'close checkouts',
    idOf: ({ id }) => id,
    ...takenAt(pace, means, (most, now) => checkoutsTake(db, most, now)),
    async work(row) {
      await close(means, row, pace).catch((error) =>
        means.log.warn({ err: error, booking: row.booking_id }, 'A checkout could not be closed; it is tried again.'),
      )
      const again = new Date(clock().getTime() + (row.isAwaited ? AGAIN_SOON : AGAIN))
      return () => checkoutPutOff(db, row.id, again)
    },
    renew: (rows) => checkoutsRenew(db, rows),
  }
}

async function close(means: Needs, row: CheckoutRow, pace: Pace): Promise<void> {
  // One that was never answered for has an address that nobody knows.
  if (!row.reference) return recordCheckoutResult(means, row, CLOSED)
  const provider = await means.payments.named(row.provider)
  if (!provider) throw new Error(`The settings have no account for ${row.provider}`)
  const { reference } = row
  try {
    await recordCheckoutResult(means, row, await askProvider(pace, () => provider.close(reference)))
  } catch (error) {
    if (error instanceof ProviderError && error.isFinal) await recordCheckoutResult(means, row, CLOSED)
    throw error
  }
}
