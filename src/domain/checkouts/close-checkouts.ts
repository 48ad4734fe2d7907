import type { BackgroundLoop } from '../../core/jobs/background-loop.ts'
import { startWorker, type Work, workAll } from '../../core/jobs/queue-worker.ts'
import { type Backoff, makeBackoff, takeWithBackoff } from '../../core/jobs/retry-backoff.ts'
import { MINUTE, SECOND } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { Providers } from '../payments/find-payment-provider.ts'
import { callProvider, ProviderError } from '../payments/payment-provider.ts'
import {
  type CheckoutRow,
  type ClosableCheckout,
  checkoutLeasesRenew,
  checkoutPostpone,
  checkoutsLease,
} from '../payments/queries.ts'
import { recordCheckoutResult } from './record-checkout-result.ts'

type Needs = Dependencies<'db' | 'clock' | 'clockFault' | 'log' | 'makeChange'> & { payments: Providers }

const AT_ONCE = 8
const RETRY_MS = 5 * MINUTE
/**
 * The wait before the next attempt to close a payment page, in milliseconds. This short wait applies if a booking still
 * waits for the result of the page. Otherwise, `RETRY_MS` applies.
 */
const RETRY_AWAITED_MS = 30 * SECOND
const CLOSED = { status: 'closed', payment: undefined } as const
/**
 * The server searches for payment pages that it must close at this interval, in milliseconds. The search is necessary,
 * because no event announces the expiry of a page.
 */
const POLLED_EVERY_MS = 10 * SECOND

/**
 * Starts the background worker that closes payment pages that are no longer needed. On an open page, a buyer could pay
 * for a booking that is over or already paid. The worker also finds payments that the provider received, but whose
 * notification never arrived.
 */
export const startClosingCheckouts = (dependencies: Needs): BackgroundLoop =>
  startWorker(dependencies, checkouts(dependencies), { every: POLLED_EVERY_MS })

export const closeCheckouts = (dependencies: Needs): Promise<void> => workAll(dependencies, checkouts(dependencies))

function checkouts(dependencies: Needs): Work<ClosableCheckout> {
  const { db, clock } = dependencies
  const pace = makeBackoff(AT_ONCE)
  return {
    name: 'close checkouts',
    idOf: ({ id }) => id,
    ...takeWithBackoff(pace, dependencies, (most, now) => checkoutsLease(db, most, now)),
    async work(row) {
      await close(dependencies, row, pace).catch((error) =>
        dependencies.log.warn(
          { err: error, booking: row.booking_id },
          'A checkout could not be closed; it is tried again.',
        ),
      )
      const nextAt = new Date(clock().getTime() + (row.isAwaited ? RETRY_AWAITED_MS : RETRY_MS))
      return () => checkoutPostpone(db, row.id, nextAt)
    },
    renew: (rows) => checkoutLeasesRenew(db, rows),
  }
}

async function close(dependencies: Needs, row: CheckoutRow, pace: Backoff): Promise<void> {
  // The server did not store the provider's id of this payment page, so it cannot close the page at the provider. The
  // buyer never got the web address of the page.
  if (!row.reference) return recordCheckoutResult(dependencies, row, CLOSED)
  const provider = await dependencies.payments.find(row.provider)
  if (!provider) throw new Error(`The settings have no account for ${row.provider}`)
  const { reference } = row
  try {
    await recordCheckoutResult(dependencies, row, await callProvider(pace, () => provider.close(reference)))
  } catch (error) {
    if (error instanceof ProviderError && error.isFinal) await recordCheckoutResult(dependencies, row, CLOSED)
    throw error
  }
}
