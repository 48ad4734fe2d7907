import type Stripe from 'stripe'
import { asRecord } from '../../infra/util/records.ts'
import type { FailedRefund } from './provider.ts'
import { isId } from './stripe-session.ts'

export const hasFailed = ({ status }: Pick<Stripe.Refund, 'status'>): boolean =>
  status === 'failed' || status === 'canceled'

/** The bank may report a reason. Stripe reports none for canceled refunds. */
export const failureOf = ({ status, failure_reason }: Pick<Stripe.Refund, 'status' | 'failure_reason'>): string =>
  `the refund is ${status}${failure_reason ? `: ${failure_reason}` : ''}`

/** A failed refund of ours in a notice; undefined for any other content. */
export function readFailedRefund(body: unknown): FailedRefund | undefined {
  const { object, status, failure_reason, metadata } = asRecord(body)
  const { refund } = asRecord(metadata)
  if (object !== 'refund' || typeof status !== 'string' || !hasFailed({ status }) || !isId(refund)) return undefined
  return { refund, why: failureOf({ status, ...(isId(failure_reason) && { failure_reason }) }) }
}
