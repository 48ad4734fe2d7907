import type { Stranger } from '../../protocol/caller-types.ts'
import { refundedOf } from '../pricing/payment-amounts.ts'
import type { BookingRow } from './booking-row.ts'
import { withTextConsent } from './text-message-consent.ts'

/**
 * A change of a booking: the booking before and after the change, and whether the staff made the change. For a new
 * booking, `before` is undefined.
 */
export interface BookingStep {
  before: BookingRow | undefined
  after: BookingRow
  byStaff: boolean
  /**
   * Set if a caller without a known identity (a stranger) made the change. A stranger could repeat changes without
   * limit, so the mails about the change count toward a mail quota.
   */
  stranger?: Stranger | undefined
  mail?: MailAboutMove | undefined
}

/** When and whether the server sends the mail about a move by the staff. */
export interface MailAboutMove {
  notBefore?: Date | undefined
  /** If true, the server keeps the mail, and sends it only if the staff decide so later. */
  isWithheld?: boolean
  /** If true, the staff asked for the mail when they moved the booking. */
  isRequested?: boolean
}

type Condition = (step: BookingStep) => boolean

const statusChanges =
  (before: BookingRow['status'] | 'nothing', ...after: BookingRow['status'][]): Condition =>
  (step) =>
    (step.before?.status ?? 'nothing') === before && after.includes(step.after.status)

const canceledBy =
  (by: 'buyer' | 'business' | 'system', status?: 'pending'): Condition =>
  ({ before, after }) =>
    before?.status !== 'canceled' &&
    after.status === 'canceled' &&
    after.record.cancellation?.canceled_by === by &&
    (status === undefined || before?.status === status)

const isMove: Condition = ({ before, after }) =>
  before !== undefined &&
  (before.starts_at.getTime() !== after.starts_at.getTime() || before.record.slot_id !== after.record.slot_id)
export const isMoveByStaff: Condition = (step) => step.byStaff && isMove(step)

const isNoShowWithFee: Condition = ({ before, after }) =>
  before?.status !== 'no_show' && after.status === 'no_show' && (after.record.no_show?.fee ?? 0) > 0

const isNewDispute: Condition = ({ before, after }) => !before?.record.dispute && after.record.dispute !== undefined

const paymentClaimedAt = (booking: BookingRow | undefined) => booking?.record.payment_claimed_at
const isNewPaymentClaim: Condition = ({ before, after }) =>
  paymentClaimedAt(after) !== undefined && paymentClaimedAt(after) !== paymentClaimedAt(before)

export const refundTotalOf = (booking: BookingRow | undefined): number =>
  booking?.record.payment ? refundedOf(booking.record.payment) : 0
const isRefund: Condition = ({ before, after }) => refundTotalOf(after) > refundTotalOf(before)

/**
 * Returns the booking details that cause a notification when they change. The answers to the intake questions (the
 * questions before a visit) are left out, because only the buyer writes them. The consent to text messages is left out
 * too, because it changes nothing about the visit.
 */
const detailsOf = ({ people: { buyer, recipient, notes, delivery_address }, record: { party_size } }: BookingRow) =>
  JSON.stringify([withTextConsent(buyer, undefined), recipient, notes, delivery_address, party_size])
const isDetailsChange: Condition = ({ before, after }) => before !== undefined && detailsOf(before) !== detailsOf(after)

/**
 * Tells whether the business has agreed to the time of the booking. The staff then expect the buyer at this time, and
 * calendars show the booking.
 */
function isAgreed(booking: BookingRow | undefined): boolean {
  if (booking?.status !== 'requires_action') return booking?.status === 'confirmed' || booking?.status === 'in_progress'
  // A booking with the status `requires_action` has open tasks. The business has agreed to its time in two cases.
  // Either the staff approved the booking, or the buyer moved a confirmed booking to a more expensive time.
  return booking.record.confirmation_mode === 'manual' || booking.record.reschedules > 0
}

/**
 * Tells whether the buyer needs a mail from the business, if the buyer booked through a platform. 'needed' means that
 * only the business informs the buyer. 'told anyway' means that the platform informs the buyer, so no mail is
 * necessary.
 */
export type MailNeed = 'needed' | 'told anyway'

/**
 * Notifications that the server sends at a certain time, and not after a change of a booking. In a series of bookings,
 * each booking has its own notification.
 */
export const scheduledNotifications = ['booking.reminder'] as const

export type BookingNotificationKind =
  | 'booking.requested'
  | 'booking.to_complete'
  | 'booking.confirmed'
  | 'booking.approved'
  | 'booking.declined'
  | 'booking.withdrawn'
  | 'booking.unanswered'
  | 'booking.canceled'
  | 'booking.canceled_by_business'
  | 'booking.lapsed'
  | 'booking.moved'
  | 'booking.moved_by_business'
  | 'booking.no_show_fee'
  | 'booking.dispute_opened'
  | 'booking.payment_claimed'
  | 'booking.refunded'
  | 'booking.changed'

interface NotificationRule {
  kind: BookingNotificationKind
  applies: Condition
  buyer: MailNeed | ((step: BookingStep) => MailNeed) | undefined
  staff: Condition | undefined
}

const rule = (
  kind: BookingNotificationKind,
  applies: Condition,
  buyer?: NotificationRule['buyer'],
  staff?: NotificationRule['staff'],
): NotificationRule => ({ kind, applies, buyer, staff })

const unlessByStaff: Condition = ({ byStaff }) => !byStaff
/**
 * The staff get a notification about the end of a booking only if the server had notified them about the booking
 * before.
 */
const ifStaffWereNotified: Condition = ({ before, byStaff }) =>
  !byStaff && (before?.status === 'pending' || isAgreed(before) || paymentClaimedAt(before) !== undefined)
const always: Condition = () => true

/**
 * Tells whether a buyer who booked through a platform needs a mail from the business. If the booking has open tasks,
 * the platform does not know the payment instructions and the deadline. Therefore the business must mail this
 * information to the buyer.
 */
const ifToDo = ({ after }: BookingStep): MailNeed => (after.status === 'requires_action' ? 'needed' : 'told anyway')

/**
 * Tells whether a buyer who booked through a platform needs a mail about a change without an event (a message to the
 * platform). The platform knows its own changes. It notices a change by the staff only when it reads the booking again,
 * so the business must mail the buyer.
 */
const ifNoEvent = ({ byStaff }: BookingStep): MailNeed => (byStaff ? 'needed' : 'told anyway')

/**
 * These rules choose the notification about a change of a booking. Only the first matching rule applies, so each
 * recipient gets one notification for each change.
 */
export const notificationRules: readonly NotificationRule[] = [
  // Each rule has four columns. They are the kind of notification, the condition, the buyer's need for a mail, and the
  // condition for a mail to the staff.
  rule('booking.requested', statusChanges('nothing', 'pending'), 'told anyway', unlessByStaff),
  rule('booking.to_complete', statusChanges('nothing', 'requires_action'), 'needed'),
  rule('booking.confirmed', statusChanges('nothing', 'confirmed'), 'told anyway', unlessByStaff),
  rule('booking.approved', statusChanges('pending', 'confirmed', 'requires_action'), ifToDo),
  rule('booking.confirmed', statusChanges('requires_action', 'confirmed'), 'told anyway', unlessByStaff),
  rule('booking.declined', canceledBy('business', 'pending'), 'told anyway'),
  rule('booking.withdrawn', canceledBy('buyer', 'pending'), 'told anyway', ifStaffWereNotified),
  rule('booking.unanswered', canceledBy('system', 'pending'), 'told anyway', ifStaffWereNotified),
  rule('booking.canceled', canceledBy('buyer'), 'told anyway', ifStaffWereNotified),
  rule('booking.canceled_by_business', canceledBy('business'), 'needed'),
  rule('booking.lapsed', canceledBy('system'), 'told anyway', ifStaffWereNotified),
  rule('booking.moved_by_business', isMoveByStaff, 'needed'),
  rule('booking.moved', isMove, ifToDo, always),
  rule('booking.no_show_fee', isNoShowWithFee, 'needed'),
  rule('booking.dispute_opened', isNewDispute, undefined, always),
  rule('booking.payment_claimed', isNewPaymentClaim, undefined, always),
  rule('booking.refunded', isRefund, 'needed'),
  rule('booking.changed', isDetailsChange, ifNoEvent),
]

export interface BookingNotification {
  kind: BookingNotificationKind
  buyer: MailNeed | undefined
  staff: boolean
  /**
   * The iCalendar method of the calendar file in the mail to the buyer. REQUEST adds or changes the calendar event, and
   * CANCEL removes it.
   */
  calendar: 'REQUEST' | 'CANCEL' | undefined
}

/**
 * Returns the notification about a change of a booking. The result is undefined if no rule matches, or if the server
 * has erased the personal data of the booking.
 */
export function notificationOf(step: BookingStep): BookingNotification | undefined {
  const found = step.after.people.erased ? undefined : notificationRules.find(({ applies }) => applies(step))
  if (!found) return undefined
  const { kind, buyer, staff } = found
  return {
    kind,
    buyer: typeof buyer === 'function' ? buyer(step) : buyer,
    staff: staff?.(step) ?? false,
    calendar: calendarMethodOf(kind, step),
  }
}

const CALENDAR_KINDS: readonly BookingNotificationKind[] = [
  ...(['booking.confirmed', 'booking.approved', 'booking.changed'] as const),
  ...(['booking.moved', 'booking.moved_by_business'] as const),
]

/**
 * Returns the iCalendar method of the mail about a change. The buyer's calendar contains a booking only after the
 * business has agreed to its time. Therefore the server sends CANCEL only for bookings with an agreed time.
 */
function calendarMethodOf(
  kind: BookingNotificationKind,
  { before, after }: BookingStep,
): BookingNotification['calendar'] {
  if (after.status === 'canceled') return isAgreed(before) ? 'CANCEL' : undefined
  return CALENDAR_KINDS.includes(kind) && isAgreed(after) ? 'REQUEST' : undefined
}
