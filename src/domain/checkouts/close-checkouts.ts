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
/** The retry delay while a booking waits for the result. */
const AGAIN_SOON = 30 * SECOND
const CLOSED = { status: 'closed', payment: undefined } as const
/** No announcement reports that a checkout has expired. */
const POLLED_EVERY_MS = 10 * SECOND

/**
 * Starts the worker that closes unneeded checkouts, so no buyer pays for a booking that is over or already paid. It also
 * finds payments whose notification was lost.
 */
export const startClosingCheckouts = (means: Needs): Running =>
  startWorker(means, checkouts(means), { every: POLLED_EVERY_MS })

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
  // Without a reference no buyer has the address of the payment page.
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
