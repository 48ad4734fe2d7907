import type { BackgroundLoop } from '../../core/jobs/background-loop.ts'
import type { Announcements } from '../../core/jobs/postgres-notify-listener.ts'
import { startWorker, type Work, type WriteOutcome, workAll } from '../../core/jobs/queue-worker.ts'
import { type Backoff, makeBackoff, takeWithBackoff } from '../../core/jobs/retry-backoff.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { HOUR, MINUTE } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { Providers } from './find-payment-provider.ts'
import { callProvider, ProviderError } from './payment-provider.ts'
import {
  type DueRefund,
  type OwedRefund,
  refundEnd,
  refundLeasesRenew,
  refundPostpone,
  refundsLease,
} from './queries.ts'

/**
 * The maximum number of refunds that the server requests in parallel. With this number, all refunds of a canceled class
 * take less than a minute, and use only a small part of Stripe's rate limit.
 */
const AT_ONCE = 8
/**
 * The interval between two searches for due refunds, in milliseconds. The server must search, because no event
 * announces that a postponed refund is due or that a process crashed.
 */
const POLLED_EVERY_MS = 1_000
const LONGEST_WAIT_MS = 6 * HOUR

/**
 * The server calls this function when it stores the result of a refund, in the same transaction. The parameter `reason`
 * is set if the provider refused the refund.
 */
export type AfterRefund = (tx: UnitOfWork, refund: OwedRefund, reason?: string) => Promise<void>

type ReturnDependencies = Dependencies<'db' | 'makeChange' | 'clock' | 'clockFault' | 'log'> & { payments: Providers }

export const startRefundWorker = (
  dependencies: ReturnDependencies,
  afterRefund: AfterRefund,
  announcements: Announcements,
): BackgroundLoop =>
  startWorker(dependencies, refunds(dependencies, afterRefund), {
    every: POLLED_EVERY_MS,
    announced: { announcements, channel: 'refunds' },
  })

export const refundAllDue = (dependencies: ReturnDependencies, afterRefund: AfterRefund): Promise<void> =>
  workAll(dependencies, refunds(dependencies, afterRefund))

function refunds(dependencies: ReturnDependencies, afterRefund: AfterRefund): Work<DueRefund> {
  const { db } = dependencies
  const pace = makeBackoff(AT_ONCE)
  return {
    name: 'refunds',
    idOf: ({ id }) => id,
    ...takeWithBackoff(pace, dependencies, (most, now) => refundsLease(db, most, now)),
    work: (due) => requestRefund(dependencies, due, { afterRefund, pace }),
    renew: (all) => refundLeasesRenew(db, all),
  }
}

async function requestRefund(
  dependencies: ReturnDependencies,
  due: DueRefund,
  { afterRefund, pace }: { afterRefund: AfterRefund; pace: Backoff },
): Promise<WriteOutcome> {
  const { db, clock, log, payments } = dependencies
  const { id, receipt, booking_id, provider: name, amount, currency, attempts } = due
  try {
    const provider = await payments.find(name)
    if (!provider) throw new Error(`The settings have no account for ${name}`)
    const isRetry = attempts > 1
    const request = { id, receipt, bookingId: booking_id, amount, currency, isRetry }
    const reference = await callProvider(pace, () => provider.refund(request))
    return () => recordReturned(dependencies, due, afterRefund, reference)
  } catch (error) {
    if (error instanceof ProviderError && error.isFinal) {
      const { message } = error
      return () => leaveToStaff(dependencies, due, afterRefund, message)
    }
    log.warn({ err: error, refund: id }, 'A refund failed; it is tried again later.')
    const wait = Math.min(LONGEST_WAIT_MS, MINUTE * 2 ** Math.min(attempts - 1, 10))
    const until = new Date(clock().getTime() + wait)
    return () => refundPostpone(db, id, until)
  }
}

const recordReturned = (
  { makeChange }: ReturnDependencies,
  due: DueRefund,
  afterRefund: AfterRefund,
  reference: string,
): Promise<void> =>
  makeChange(async (tx) => {
    if (await refundEnd(tx, due.id, 'given', reference)) await afterRefund(tx, due)
  })

/**
 * Stores that the provider refused the refund, so the staff must return the money. If the failure is already stored,
 * nothing changes.
 */
async function leaveToStaff(
  { makeChange, log }: ReturnDependencies,
  due: DueRefund,
  afterRefund: AfterRefund,
  reason: string,
) {
  const { id: refund, booking_id: booking } = due
  const isNew = await makeChange(async (tx) => {
    const hasEnded = await refundEnd(tx, refund, 'refused', reason)
    if (hasEnded) await afterRefund(tx, due, reason)
    return hasEnded
  })
  if (isNew) log.error({ refund, booking, reason }, 'The provider refuses a refund: return it by hand.')
}
