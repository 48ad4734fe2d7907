import type { Message } from '../../infra/i18n/localizer.ts'
import { isAttending } from '../bookings/confirm-attendance.ts'
import type { BookingNotificationKind, scheduledNotifications } from '../bookings/notification-rules.ts'
import { takesPayment } from '../pricing/payment-amounts.ts'
import { type NotificationContext, valuesOf } from './notification-context.ts'
import {
  approvalNote,
  cancellationFee,
  cancellationReason,
  cancellationTermsText,
  howToPay,
  refundSentences,
  refundTotal,
  taskSentences,
} from './notification-sentences.ts'

type StaffOnlyKind = 'booking.dispute_opened' | 'booking.payment_claimed'
export type BuyerNotificationKind =
  | Exclude<BookingNotificationKind, StaffOnlyKind>
  | (typeof scheduledNotifications)[number]

export const toBuyer: Record<BuyerNotificationKind, (context: NotificationContext) => string[]> = {
  'booking.requested': (context) => [
    sentence(context, 'letter.booking.requested.text'),
    ...(takesPayment(context.booking.record.payment) ? [sentence(context, 'letter.request.unpaid')] : []),
  ],
  'booking.to_complete': taskSentences,
  'booking.confirmed': statusSentences,
  'booking.approved': (context) => [...statusSentences(context), ...approvalNote(context)],
  'booking.declined': (context) => [
    sentence(context, 'letter.booking.declined.text'),
    ...cancellationReason(context, 'letter.reason'),
    ...refundSentences(context),
  ],
  'booking.withdrawn': (context) => [sentence(context, 'letter.booking.withdrawn.text'), ...refundSentences(context)],
  'booking.unanswered': (context) => [sentence(context, 'letter.booking.unanswered.text'), ...refundSentences(context)],
  'booking.canceled': (context) => [
    sentence(context, 'letter.booking.canceled.text'),
    ...cancellationFee(context),
    ...refundSentences(context),
  ],
  'booking.canceled_by_business': (context) => [
    sentence(context, 'letter.booking.canceled_by_business.text'),
    ...cancellationReason(context, 'letter.reason'),
    ...refundSentences(context),
  ],
  'booking.lapsed': (context) => [
    sentence(context, 'letter.booking.lapsed.text'),
    ...(takesPayment(context.booking.record.payment) ? [sentence(context, 'letter.booking.lapsed.unpaid')] : []),
    ...refundSentences(context),
  ],
  'booking.moved': (context) => [moved(context), ...taskSentences(context)],
  'booking.moved_by_business': (context) => [
    moved(context),
    sentence(context, 'letter.booking.moved.objection'),
    ...taskSentences(context),
  ],
  'booking.no_show_fee': noShow,
  'booking.refunded': (context) => [sentence(context, 'letter.booking.refunded.text'), ...refundTotal(context)],
  'booking.changed': (context) => [sentence(context, 'letter.booking.changed.text')],
  'booking.reminder': (context) => [
    sentence(context, 'letter.booking.reminder.text'),
    sentence(context, isAttending(context.booking) ? 'booking.attending' : 'letter.booking.reminder.attend'),
  ],
}

/** A reminder asks the buyer to confirm that they will come, until they have done so. */
export const asksForAttendance = (kind: BuyerNotificationKind, booking: NotificationContext['booking']): boolean =>
  kind === 'booking.reminder' && !isAttending(booking)

const sentence = (context: NotificationContext, message: Message) => context.localizer.say(message, valuesOf(context))

/**
 * Returns sentences about the open tasks of the booking, such as a payment. If the booking has no open tasks, the
 * sentences confirm the booking. Payment instructions follow, because the staff can confirm a booking before the
 * payment.
 */
function statusSentences(context: NotificationContext): string[] {
  if (context.booking.status === 'requires_action') return taskSentences(context)
  return [
    sentence(context, 'letter.booking.confirmed.text'),
    ...howToPay(context).paragraphs,
    ...cancellationTermsText(context),
  ]
}

function moved(context: NotificationContext): string {
  const { moved_from, starts_at } = context.booking
  if (!moved_from) return sentence(context, 'letter.booking.moved.place')
  const isLength = moved_from.starts_at.getTime() === starts_at.getTime()
  return sentence(context, isLength ? 'letter.booking.moved.length' : 'letter.booking.moved.text')
}

function noShow(context: NotificationContext): string[] {
  const { amount_due = 0 } = context.booking.record.no_show ?? {}
  return [
    sentence(context, 'letter.booking.no_show_fee.text'),
    ...(amount_due === 0 ? [sentence(context, 'letter.booking.no_show_fee.kept')] : []),
    ...(amount_due > 0 ? [sentence(context, 'letter.booking.no_show_fee.due'), ...howToPay(context).paragraphs] : []),
    ...refundSentences(context),
  ]
}
