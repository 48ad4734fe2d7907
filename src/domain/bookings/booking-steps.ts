import type { Stranger } from '../../protocol/caller.ts'
import { refundedOf } from '../payments/payment.ts'
import type { BookingRow } from './booking-row.ts'

/** A change of a booking, and whether the staff made it. A new booking has no `before`. */
export interface BookingStep {
  before: BookingRow | undefined
  after: BookingRow
  byStaff: boolean
  /** The stranger who made the change. Strangers can repeat a change without limit, so their mails are counted. */
  stranger?: Stranger | undefined
  mailNotBefore?: Date | undefined
}

export type Condition = (step: BookingStep) => boolean

export const statusChanges =
  (before: BookingRow['status'] | 'nothing', ...after: BookingRow['status'][]): Condition =>
  (step) =>
    (step.before?.status ?? 'nothing') === before && after.includes(step.after.status)

export const canceledBy =
  (by: 'buyer' | 'business' | 'system', status?: 'pending'): Condition =>
  ({ before, after }) =>
    before?.status !== 'canceled' &&
    after.status === 'canceled' &&
    after.record.cancellation?.canceled_by === by &&
    (status === undefined || before?.status === status)

export const isMove: Condition = ({ before, after }) =>
  before !== undefined &&
  (before.starts_at.getTime() !== after.starts_at.getTime() || before.record.slot_id !== after.record.slot_id)
export const isMoveByStaff: Condition = (step) => step.byStaff && isMove(step)

export const isNoShowWithFee: Condition = ({ before, after }) =>
  before?.status !== 'no_show' && after.status === 'no_show' && (after.record.no_show?.fee ?? 0) > 0

export const isNewDispute: Condition = ({ before, after }) =>
  !before?.record.dispute && after.record.dispute !== undefined

export const paymentClaimedAt = (booking: BookingRow | undefined) => booking?.record.payment_claimed_at
export const isNewPaymentClaim: Condition = ({ before, after }) =>
  paymentClaimedAt(after) !== undefined && paymentClaimedAt(after) !== paymentClaimedAt(before)

export const refundTotalOf = (booking: BookingRow | undefined): number =>
  booking?.record.payment ? refundedOf(booking.record.payment) : 0
export const isRefund: Condition = ({ before, after }) => refundTotalOf(after) > refundTotalOf(before)

/**
 * Details whose change is news: people, party size, notes and address. Intake answers are not, because the buyer wrote
 * them.
 */
const detailsOf = ({ people: { buyer, recipient, notes, delivery_address }, record: { party_size } }: BookingRow) =>
  JSON.stringify([buyer, recipient, notes, delivery_address, party_size])
export const isDetailsChange: Condition = ({ before, after }) =>
  before !== undefined && detailsOf(before) !== detailsOf(after)

/** Whether the business has agreed to the time. From then on the staff rely on it and calendars show it. */
export function isAgreed(booking: BookingRow | undefined): boolean {
  if (booking?.status !== 'requires_action') return booking?.status === 'confirmed' || booking?.status === 'in_progress'
  // A booking with pending tasks was agreed if the staff approved it, or if it moved to a more expensive time after
  // confirmation.
  return booking.record.confirmation_mode === 'manual' || booking.record.reschedules > 0
}
