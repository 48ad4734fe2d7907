import {
  type BookingStep,
  type Condition,
  canceledBy,
  isAgreed,
  isDetailsChange,
  isMove,
  isMoveByStaff,
  isNewDispute,
  isNewPaymentClaim,
  isNoShowWithFee,
  isRefund,
  paymentClaimedAt,
  statusChanges,
} from './booking-steps.ts'

/**
 * How important a mail is for a platform's buyer. 'told anyway': the platform informs the buyer itself. 'needed': only the
 * business does.
 */
export type MailNeed = 'needed' | 'told anyway'

/** Scheduled notifications. Each booking gets its own, also in a series. */
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
  is: Condition
  buyer: MailNeed | ((step: BookingStep) => MailNeed) | undefined
  staff: Condition | undefined
}

const rule = (
  kind: BookingNotificationKind,
  is: Condition,
  buyer?: NotificationRule['buyer'],
  staff?: NotificationRule['staff'],
): NotificationRule => ({ kind, is, buyer, staff })

const unlessByStaff: Condition = ({ byStaff }) => !byStaff
/** The staff need no notification that a booking ended if they never got one that it began. */
const ifStaffWereNotified: Condition = ({ before, byStaff }) =>
  !byStaff && (before?.status === 'pending' || isAgreed(before) || paymentClaimedAt(before) !== undefined)
const always: Condition = () => true

/** A platform does not know how to pay the business, nor the deadline, so the business must mail both. */
const ifToDo = ({ after }: BookingStep): MailNeed => (after.status === 'requires_action' ? 'needed' : 'told anyway')

/**
 * No event reports this change to the platform. It knows its own changes, but a correction by the staff only when it reads
 * the booking.
 */
const ifNoEvent = ({ byStaff }: BookingStep): MailNeed => (byStaff ? 'needed' : 'told anyway')

/** The first matching rule wins, so each recipient gets one notification for each change. */
export const notificationRules: readonly NotificationRule[] = [
  // Columns: the kind, its condition, how much a platform's buyer needs the mail, and when the staff are notified.
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
  /** Which iCalendar method the mail to the buyer has. */
  calendar: 'REQUEST' | 'CANCEL' | undefined
}

/** Undefined if no rule matches or the people of the booking were erased. */
export function notificationOf(step: BookingStep): BookingNotification | undefined {
  const found = step.after.people.erased ? undefined : notificationRules.find(({ is }) => is(step))
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

/** A calendar event exists only after the business has agreed, so only then a cancellation is sent. */
function calendarMethodOf(
  kind: BookingNotificationKind,
  { before, after }: BookingStep,
): BookingNotification['calendar'] {
  if (after.status === 'canceled') return isAgreed(before) ? 'CANCEL' : undefined
  return CALENDAR_KINDS.includes(kind) && isAgreed(after) ? 'REQUEST' : undefined
}
