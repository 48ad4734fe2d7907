import type { Message } from '../../infra/i18n/localizer.ts'
import type { BookingNotificationKind } from '../bookings/notification-rules.ts'
import { type NotificationContext, valuesOf } from './notification-context.ts'
import { cancellationReason } from './notification-sentences.ts'

/** The kinds of notifications that only the buyer gets. The staff get none, because they usually made the change. */
type BuyerOnlyKind =
  | 'booking.to_complete'
  | 'booking.approved'
  | 'booking.declined'
  | 'booking.canceled_by_business'
  | 'booking.moved_by_business'
  | 'booking.no_show_fee'
  | 'booking.refunded'
  | 'booking.changed'
export type StaffNotificationKind = Exclude<BookingNotificationKind, BuyerOnlyKind> | 'booking.refund_refused'

export const toStaff: Record<StaffNotificationKind, (context: NotificationContext) => string[]> = {
  'booking.requested': (context) => [sentence(context, 'letter.staff.booking.requested.text')],
  'booking.confirmed': (context) => [sentence(context, 'letter.staff.booking.confirmed.text')],
  'booking.withdrawn': (context) => ended(context, 'letter.staff.booking.withdrawn.text'),
  'booking.unanswered': (context) => ended(context, 'letter.staff.booking.unanswered.text'),
  'booking.canceled': (context) => ended(context, 'letter.staff.booking.canceled.text'),
  'booking.lapsed': (context) => [sentence(context, 'letter.staff.booking.lapsed.text')],
  'booking.moved': (context) => {
    const { moved_from, starts_at } = context.booking
    return moved_from && moved_from.starts_at.getTime() !== starts_at.getTime()
      ? [sentence(context, 'letter.booking.moved.text')]
      : []
  },
  'booking.payment_claimed': (context) => [sentence(context, 'letter.staff.booking.payment_claimed.text')],
  'booking.dispute_opened': (context) => [
    context.localizer.say('letter.staff.booking.dispute_opened.text', {
      reason: context.booking.record.dispute?.reason ?? '',
    }),
  ],
  'booking.refund_refused': (context) => [
    context.localizer.say('letter.staff.booking.refund_refused.text', {
      provider: '',
      words: '',
      ...context.booking.refusal,
    }),
  ],
}

const sentence = (context: NotificationContext, message: Message) => context.localizer.say(message, valuesOf(context))

const ended = (context: NotificationContext, message: Message): string[] => [
  sentence(context, message),
  ...(context.booking.record.cancellation?.canceled_by === 'buyer'
    ? cancellationReason(context, 'letter.staff.reason')
    : []),
  ...returns(context),
]

const returns = (context: NotificationContext): string[] =>
  context.booking.returned ? [sentence(context, 'letter.staff.refund')] : []
