import type { Stranger } from '../../protocol/caller.ts'
import { refundedOf } from '../payments/payment.ts'
import type { BookingRow } from './booking-row.ts'

/** A change of a booking, and whether the staff made it. Of a new one there is nothing before. */
export interface BookingStep {
  before: BookingRow | undefined
  after: BookingRow
  byStaff: boolean
  /** Who made it, where nobody knows them and they can make it as often as they like. */
  stranger?: Stranger | undefined
  /** When the mail about it may be sent; at once when left out. */
  mailNotBefore?: Date | undefined
}

export type Condition = (step: BookingStep) => boolean

export const from =
  (before: BookingRow['status'] | 'nothing', ...after: BookingRow['status'][]): Condition =>
  (step) =>
    (step.before?.status ?? 'nothing') === before && after.includes(step.after.status)

export const ended =
  (by: 'buyer' | 'business' | 'system', status?: 'pending'): Condition =>
  ({ before, after }) =>
    before?.status !== 'canceled' &&
    after.status === 'canceled' &&
    after.record.cancellation?.canceled_by === by &&
    (status === undefined || before?.status === status)

export const moved: Condition = ({ before, after }) =>
  before !== undefined &&
  (before.starts_at.getTime() !== after.starts_at.getTime() || before.record.slot_id !== after.record.slot_id)
export const movedByStaff: Condition = (step) => step.byStaff && moved(step)

export const missed: Condition = ({ before, after }) =>
  before?.status !== 'no_show' && after.status === 'no_show' && (after.record.no_show?.fee ?? 0) > 0

export const disputed: Condition = ({ before, after }) => !before?.record.dispute && after.record.dispute !== undefined

export const claimedAt = (booking: BookingRow | undefined) => booking?.record.payment_claimed_at
export const claimed: Condition = ({ before, after }) =>
  claimedAt(after) !== undefined && claimedAt(after) !== claimedAt(before)

export const returnedOf = (booking: BookingRow | undefined): number =>
  booking?.record.payment ? refundedOf(booking.record.payment) : 0
export const refunded: Condition = ({ before, after }) => returnedOf(after) > returnedOf(before)

/** Who comes, how many, and what was said for the business; answers to its questions are no news to whoever gave them. */
const said = ({ people: { buyer, recipient, notes, delivery_address }, record: { party_size } }: BookingRow) =>
  JSON.stringify([buyer, recipient, notes, delivery_address, party_size])
export const changed: Condition = ({ before, after }) => before !== undefined && said(before) !== said(after)

/** Whether the business has agreed to its time: from then on the staff count on it, and calendars have it. */
export function isAgreed(booking: BookingRow | undefined): boolean {
  if (booking?.status !== 'requires_action') return booking?.status === 'confirmed' || booking?.status === 'in_progress'
  // What asks for something had to be approved, or stood before it was moved to a dearer time.
  return booking.record.confirmation_mode === 'manual' || booking.record.reschedules > 0
}
