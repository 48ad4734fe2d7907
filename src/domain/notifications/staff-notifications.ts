import type { Message } from '../../infra/i18n/localizer.ts'
import type { BookingNotificationKind } from '../bookings/notification-rules.ts'
import { type NotificationContext, valuesOf } from './notification-context.ts'
import { cancellationReason } from './sentences.ts'

/** Notifications that only the buyer receives, mostly because the staff did the action. */
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

export const toStaff: Record<StaffNotificationKind, (about: NotificationContext) => string[]> = {
  'booking.requested': (about) => [sentence(about, 'letter.staff.booking.requested.text')],
  'booking.confirmed': (about) => [sentence(about, 'letter.staff.booking.confirmed.text')],
  'booking.withdrawn': (about) => ended(about, 'letter.staff.booking.withdrawn.text'),
  'booking.unanswered': (about) => ended(about, 'letter.staff.booking.unanswered.text'),
  'booking.canceled': (about) => ended(about, 'letter.staff.booking.canceled.text'),
  'booking.lapsed': (about) => [sentence(about, 'letter.staff.booking.lapsed.text')],
  'booking.moved': (about) => {
    const { moved_from, starts_at } = about.booking
    return moved_from && moved_from.starts_at.getTime() !== starts_at.getTime()
      ? [sentence(about, 'letter.booking.moved.text')]
      : []
  },
  'booking.payment_claimed': (about) => [sentence(about, 'letter.staff.booking.payment_claimed.text')],
  'booking.dispute_opened': (about) => [
    about.localizer.say('letter.staff.booking.dispute_opened.text', {
      reason: about.booking.record.dispute?.reason ?? '',
    }),
  ],
  'booking.refund_refused': (about) => [
    about.localizer.say('letter.staff.booking.refund_refused.text', {
      provider: '',
      words: '',
      ...about.booking.refusal,
    }),
  ],
}

const sentence = (about: NotificationContext, message: Message) => about.localizer.say(message, valuesOf(about))

const ended = (about: NotificationContext, message: Message): string[] => [
  sentence(about, message),
  ...(about.booking.record.cancellation?.canceled_by === 'buyer'
    ? cancellationReason(about, 'letter.staff.reason')
    : []),
  ...returns(about),
]

const returns = (about: NotificationContext): string[] =>
  about.booking.returned ? [sentence(about, 'letter.staff.refund')] : []
