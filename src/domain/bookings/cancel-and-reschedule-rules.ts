import { DAY, deadlineAt, secondsOf } from '../../infra/time/time-units.ts'
import { rounded } from '../../infra/util/round-money.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import { keptAmountOf, totalOf } from '../pricing/payment-amounts.ts'
import { isClaimed } from './booking-amounts-owed.ts'
import type { BookingRow } from './booking-row.ts'
import { isPending } from './buyer-tasks.ts'
import { isUnresolved } from './lifecycle.ts'
import { permissionFor, refuseByStatus } from './operations-by-status.ts'

type Terms = Pick<BookingRow, 'status' | 'starts_at' | 'record'>

export type Canceler = 'buyer' | 'business' | 'system'

const within = (duration: string | undefined, { starts_at }: Terms, now: Date) =>
  duration !== undefined && starts_at.getTime() - now.getTime() < secondsOf(duration) * 1000

/**
 * Tells whether the start time of the booking has passed. The status of the booking can still be `confirmed` after the
 * start.
 */
const hasBegun = ({ starts_at }: Terms, now: Date) => starts_at <= now

/**
 * Returns the fee and the refund for a cancellation under the agreed terms. Throws an error if the terms or the status
 * of the booking forbid the cancellation.
 */
export function cancellationTerms(booking: Terms, by: Canceler, now: Date): { fee: number; refund: number } {
  refuseByStatus('cancel', booking)
  const { record } = booking
  const net = keptAmountOf(record.payment)
  if (by !== 'buyer') return { fee: 0, refund: net }
  if (isFreeToCancel(booking)) return { fee: 0, refund: 0 }
  const refusal = whyNotCancelable(booking, now)
  if (refusal) throw refusedCancel(CANCEL_REFUSALS[refusal])
  const { free_cancellation_until } = record.policies.cancellation
  const late = within(free_cancellation_until, booking, now) && !record.fee_waived
  const fee = late ? lateCancellationFee(record) : 0
  const keptAmount = isNothingRefunded(record) ? net : fee
  return { fee, refund: Math.max(0, net - keptAmount) }
}

/**
 * Tells whether the buyer can cancel without a fee. This is so while the booking is not confirmed and the buyer has
 * paid nothing. After that, the cancellation terms of the service apply.
 */
export const isFreeToCancel = ({ status, record }: Pick<Terms, 'status' | 'record'>): boolean =>
  isUnresolved(status) && keptAmountOf(record.payment) === 0

/** Returns the fee for a cancellation after the end of the free period, in minor units such as cents. */
export function lateCancellationFee({ policies, payment }: Pick<Terms['record'], 'policies' | 'payment'>): number {
  const { late_cancellation_fee: fee, late_cancellation_fee_percentage: percent = 0 } = policies.cancellation
  return fee ?? shareOfPrice(payment, percent)
}

/** Returns a percentage of the price with tax, in minor units such as cents. */
const shareOfPrice = (payment: Terms['record']['payment'], percent: number): number =>
  payment ? rounded((totalOf(payment) * percent) / 100) : 0

/**
 * Tells whether the business keeps all payments after a cancellation, even after an early one. This is so if the
 * booking requires a deposit and the deposit is not refundable.
 */
export const isNothingRefunded = ({
  payment,
  deposit_refundable,
}: Pick<Terms['record'], 'payment' | 'deposit_refundable'>) =>
  payment?.timing === 'deposit_required' && !deposit_refundable

const CANCEL_REFUSALS = {
  never: 'The terms of this booking do not allow canceling it.',
  too_late: 'It is too late to cancel this booking.',
} as const

/**
 * Returns the reason why the buyer cannot cancel the booking under the agreed terms. The result is undefined if the
 * buyer can cancel.
 */
export function whyNotCancelable(booking: Terms, now: Date): keyof typeof CANCEL_REFUSALS | undefined {
  const { record } = booking
  if (isFreeToCancel(booking)) return undefined
  const { allowed, no_cancellation_after } = record.policies.cancellation
  if (!allowed) return 'never'
  return hasBegun(booking, now) || within(no_cancellation_after, booking, now) ? 'too_late' : undefined
}

const refusedCancel = (message: string) => new BusinessRefusal('cancellation_not_allowed', message)

const MOVE_REFUSALS = {
  never: 'The terms of this booking do not allow moving it.',
  too_late: 'It is too late to move this booking.',
} as const

export function whyNotMovable(booking: Terms, now: Date): keyof typeof MOVE_REFUSALS | undefined {
  if (!booking.record.policies.rescheduling.allowed) return 'never'
  return hasBegun(booking, now) ? 'too_late' : undefined
}

export function refuseMoving(booking: Terms, now: Date): void {
  const refusal = whyNotMovable(booking, now)
  if (!refusal) return
  const code = permissionFor('reschedule', booking) === 'by terms' ? 'invalid_transition' : 'reschedule_not_allowed'
  throw new BusinessRefusal(code, MOVE_REFUSALS[refusal])
}

/**
 * The maximum number of moves of one booking, if the agreed terms set no maximum. Each move may add a payment, and each
 * read of the booking loads all its payments. Therefore the number of moves must stay limited.
 */
const MAX_MOVES = 100

const mostMoves = ({ policies }: Terms['record']): number => policies.rescheduling.max_reschedules ?? MAX_MOVES

export const hasUsedAllMoves = ({ record }: Pick<Terms, 'record'>): boolean => record.reschedules >= mostMoves(record)

/**
 * Returns the fee for one more move of the booking, under the agreed terms. Throws an error if the terms allow no more
 * moves.
 */
export function reschedulingFee(booking: Terms, now: Date): number {
  const { record } = booking
  const { free_reschedule_until, fee = 0 } = record.policies.rescheduling
  if (hasUsedAllMoves(booking))
    throw new BusinessRefusal(
      'reschedule_limit_reached',
      `This booking was already moved ${mostMoves(record)} times, which is the maximum.`,
    )
  return within(free_reschedule_until, booking, now) ? fee : 0
}

/**
 * Returns the fee if the buyer does not come (a no-show), in minor units such as cents. Also returns the earliest time
 * when the staff can report the no-show.
 */
export function noShowTerms({ record, starts_at }: Terms): { from: Date; fee: number } {
  const { fee, fee_percentage = 0, grace_period } = record.policies.no_show ?? {}
  const grace = grace_period === undefined ? 0 : secondsOf(grace_period) * 1000
  return {
    from: new Date(starts_at.getTime() + grace),
    fee: fee ?? shareOfPrice(record.payment, fee_percentage),
  }
}

/** Returns the last moment when the buyer can move, cancel or pay the booking. */
export function actionableUntil({
  starts_at,
  expires_at,
  record,
}: Pick<BookingRow, 'starts_at' | 'expires_at' | 'record'>) {
  const { cancellation, rescheduling } = record.policies
  const { allowed, no_cancellation_after: last } = cancellation
  const before = rescheduling.allowed || !allowed || last === undefined ? 0 : secondsOf(last) * 1000
  return new Date(Math.max(starts_at.getTime() - before, expires_at?.getTime() ?? 0))
}

export function deadlineAfterApproval(
  status: Booking['status'],
  { record, starts_at }: Pick<Terms, 'starts_at' | 'record'>,
  now: Date,
) {
  const { window_after_approval: payment_window = DAY } = record
  return deadline(status, { record: { ...record, payment_window }, starts_at }, now)
}

/**
 * Returns the time when an unconfirmed booking expires, which is at the latest its start. If the buyer has reported a
 * manual payment, such as a bank transfer, the booking expires only at its start.
 */
export function deadline(
  status: Booking['status'],
  { record, starts_at }: Pick<Terms, 'starts_at' | 'record'>,
  now: Date,
) {
  if (!isUnresolved(status)) return null
  const isPaying = status === 'requires_action' && isPending(record.tasks, 'payment')
  const payment = isClaimed({ record }) ? Number.POSITIVE_INFINITY : record.payment_window
  const window = isPaying ? payment : DAY
  return deadlineAt(Math.min(now.getTime() + window, Math.max(starts_at.getTime(), now.getTime())))
}
