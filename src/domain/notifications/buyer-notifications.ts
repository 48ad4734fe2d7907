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
    said(about, 'letter.booking.requested.text'),
    ...(takesPayment(about.booking.record.payment) ? [said(about, 'letter.request.unpaid')] : []),
  ],
  'booking.to_complete': taskSentences,
  'booking.confirmed': standing,
  'booking.approved': (about) => [...standing(about), ...approvalNote(about)],
  'booking.declined': (about) => [
    said(about, 'letter.booking.declined.text'),
    ...cancellationReason(about, 'letter.reason'),
    ...refundSentences(about),
  ],
  'booking.withdrawn': (about) => [said(about, 'letter.booking.withdrawn.text'), ...refundSentences(about)],
  'booking.unanswered': (about) => [said(about, 'letter.booking.unanswered.text'), ...refundSentences(about)],
  'booking.canceled': (about) => [
    said(about, 'letter.booking.canceled.text'),
    ...cancellationFee(about),
    ...refundSentences(about),
  ],
  'booking.canceled_by_business': (about) => [
    said(about, 'letter.booking.canceled_by_business.text'),
    ...cancellationReason(about, 'letter.reason'),
    ...refundSentences(about),
  ],
  'booking.lapsed': (about) => [
    said(about, 'letter.booking.lapsed.text'),
    ...(takesPayment(about.booking.record.payment) ? [said(about, 'letter.booking.lapsed.unpaid')] : []),
    ...refundSentences(about),
  ],
  'booking.moved': (about) => [moved(about), ...taskSentences(about)],
  'booking.moved_by_business': (about) => [
    moved(about),
    said(about, 'letter.booking.moved.objection'),
    ...taskSentences(about),
  ],
  'booking.no_show_fee': noShow,
  'booking.refunded': (about) => [said(about, 'letter.booking.refunded.text'), ...refundTotal(about)],
  'booking.changed': (about) => [said(about, 'letter.booking.changed.text')],
  'booking.reminder': (about) => [said(about, 'letter.booking.reminder.text')],
}

const said = (about: NotificationContext, message: Message) => about.localizer.say(message, valuesOf(about))

/**
 * The pending tasks if there are any, else the confirmation. A booking made by the staff is confirmed before payment, so
 * how to pay follows.
 */
function standing(about: NotificationContext): string[] {
  if (about.booking.status === 'requires_action') return taskSentences(about)
  return [said(about, 'letter.booking.confirmed.text'), ...howToPay(about).paragraphs, ...cancellationTermsText(about)]
}

function moved(about: NotificationContext): string {
  const { moved_from, starts_at } = about.booking
  if (!moved_from) return said(about, 'letter.booking.moved.place')
  const isLength = moved_from.starts_at.getTime() === starts_at.getTime()
  return said(about, isLength ? 'letter.booking.moved.length' : 'letter.booking.moved.text')
}

function noShow(about: NotificationContext): string[] {
  const { amount_due = 0 } = about.booking.record.no_show ?? {}
  return [
    said(about, 'letter.booking.no_show_fee.text'),
    ...(amount_due === 0 ? [said(about, 'letter.booking.no_show_fee.kept')] : []),
    ...(amount_due > 0 ? [said(about, 'letter.booking.no_show_fee.due'), ...howToPay(about).paragraphs] : []),
    ...refundSentences(about),
  ]
}
