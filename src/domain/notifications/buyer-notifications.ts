import type { Message } from '../../infra/i18n/localizer.ts'
import type { BookingNotificationKind, scheduledNotifications } from '../bookings/notification-rules.ts'
import { takesPayment } from '../pricing/payment.ts'
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
} from './sentences.ts'

type StaffOnlyKind = 'booking.dispute_opened' | 'booking.payment_claimed'
export type BuyerNotificationKind =
  | Exclude<BookingNotificationKind, StaffOnlyKind>
  | (typeof scheduledNotifications)[number]

export const toBuyer: Record<BuyerNotificationKind, (about: NotificationContext) => string[]> = {
  'booking.requested': (about) => [
    sentence(about, 'letter.booking.requested.text'),
    ...(takesPayment(about.booking.record.payment) ? [sentence(about, 'letter.request.unpaid')] : []),
  ],
  'booking.to_complete': taskSentences,
  'booking.confirmed': statusSentences,
  'booking.approved': (about) => [...statusSentences(about), ...approvalNote(about)],
  'booking.declined': (about) => [
    sentence(about, 'letter.booking.declined.text'),
    ...cancellationReason(about, 'letter.reason'),
    ...refundSentences(about),
  ],
  'booking.withdrawn': (about) => [sentence(about, 'letter.booking.withdrawn.text'), ...refundSentences(about)],
  'booking.unanswered': (about) => [sentence(about, 'letter.booking.unanswered.text'), ...refundSentences(about)],
  'booking.canceled': (about) => [
    sentence(about, 'letter.booking.canceled.text'),
    ...cancellationFee(about),
    ...refundSentences(about),
  ],
  'booking.canceled_by_business': (about) => [
    sentence(about, 'letter.booking.canceled_by_business.text'),
    ...cancellationReason(about, 'letter.reason'),
    ...refundSentences(about),
  ],
  'booking.lapsed': (about) => [
    sentence(about, 'letter.booking.lapsed.text'),
    ...(takesPayment(about.booking.record.payment) ? [sentence(about, 'letter.booking.lapsed.unpaid')] : []),
    ...refundSentences(about),
  ],
  'booking.moved': (about) => [moved(about), ...taskSentences(about)],
  'booking.moved_by_business': (about) => [
    moved(about),
    sentence(about, 'letter.booking.moved.objection'),
    ...taskSentences(about),
  ],
  'booking.no_show_fee': noShow,
  'booking.refunded': (about) => [sentence(about, 'letter.booking.refunded.text'), ...refundTotal(about)],
  'booking.changed': (about) => [sentence(about, 'letter.booking.changed.text')],
  'booking.reminder': (about) => [sentence(about, 'letter.booking.reminder.text')],
}

const sentence = (about: NotificationContext, message: Message) => about.localizer.say(message, valuesOf(about))

/**
 * The pending tasks if there are any, else the confirmation. A booking made by the staff is confirmed before payment, so
 * how to pay follows.
 */
function statusSentences(about: NotificationContext): string[] {
  if (about.booking.status === 'requires_action') return taskSentences(about)
  return [
    sentence(about, 'letter.booking.confirmed.text'),
    ...howToPay(about).paragraphs,
    ...cancellationTermsText(about),
  ]
}

function moved(about: NotificationContext): string {
  const { moved_from, starts_at } = about.booking
  if (!moved_from) return sentence(about, 'letter.booking.moved.place')
  const isLength = moved_from.starts_at.getTime() === starts_at.getTime()
  return sentence(about, isLength ? 'letter.booking.moved.length' : 'letter.booking.moved.text')
}

function noShow(about: NotificationContext): string[] {
  const { amount_due = 0 } = about.booking.record.no_show ?? {}
  return [
    sentence(about, 'letter.booking.no_show_fee.text'),
    ...(amount_due === 0 ? [sentence(about, 'letter.booking.no_show_fee.kept')] : []),
    ...(amount_due > 0 ? [sentence(about, 'letter.booking.no_show_fee.due'), ...howToPay(about).paragraphs] : []),
    ...refundSentences(about),
  ]
}
