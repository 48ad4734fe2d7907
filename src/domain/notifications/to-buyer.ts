import type { Message } from '../../infra/i18n/catalogue.ts'
import type { BookingLetterKind, clockLetters } from '../bookings/booking-letters.ts'
import { takesPayment } from '../payments/payment.ts'
import { type About, valuesOf } from './about.ts'
import {
  feeOfCanceling,
  howToPay,
  reasonGiven,
  refundIn,
  refundTotal,
  termsOfCanceling,
  toDo,
  wordOfBusiness,
} from './sentences.ts'

type StaffAlone = 'booking.dispute_opened' | 'booking.payment_claimed'
export type BuyersLetterKind = Exclude<BookingLetterKind, StaffAlone> | (typeof clockLetters)[number]

export const toBuyer: Record<BuyersLetterKind, (about: About) => string[]> = {
  'booking.requested': (about) => [
    said(about, 'letter.booking.requested.text'),
    ...(takesPayment(about.booking.record.payment) ? [said(about, 'letter.request.unpaid')] : []),
  ],
  'booking.to_complete': toDo,
  'booking.confirmed': standing,
  'booking.approved': (about) => [...standing(about), ...wordOfBusiness(about)],
  'booking.declined': (about) => [
    said(about, 'letter.booking.declined.text'),
    ...reasonGiven(about, 'letter.reason'),
    ...refundIn(about),
  ],
  'booking.withdrawn': (about) => [said(about, 'letter.booking.withdrawn.text'), ...refundIn(about)],
  'booking.unanswered': (about) => [said(about, 'letter.booking.unanswered.text'), ...refundIn(about)],
  'booking.canceled': (about) => [
    said(about, 'letter.booking.canceled.text'),
    ...feeOfCanceling(about),
    ...refundIn(about),
  ],
  'booking.canceled_by_business': (about) => [
    said(about, 'letter.booking.canceled_by_business.text'),
    ...reasonGiven(about, 'letter.reason'),
    ...refundIn(about),
  ],
  'booking.lapsed': (about) => [
    said(about, 'letter.booking.lapsed.text'),
    ...(takesPayment(about.booking.record.payment) ? [said(about, 'letter.booking.lapsed.unpaid')] : []),
    ...refundIn(about),
  ],
  'booking.moved': (about) => [moved(about), ...toDo(about)],
  'booking.moved_by_business': (about) => [moved(about), said(about, 'letter.booking.moved.objection'), ...toDo(about)],
  'booking.no_show_fee': noShow,
  'booking.refunded': (about) => [said(about, 'letter.booking.refunded.text'), ...refundTotal(about)],
  'booking.changed': (about) => [said(about, 'letter.booking.changed.text')],
  'booking.reminder': (about) => [said(about, 'letter.booking.reminder.text')],
}

const said = (about: About, message: Message) => about.speech.say(message, valuesOf(about))

/**
 * The pending tasks if there are any, else the confirmation. A booking made by the staff is confirmed before payment, so
 * how to pay follows.
 */
function standing(about: About): string[] {
  if (about.booking.status === 'requires_action') return toDo(about)
  return [said(about, 'letter.booking.confirmed.text'), ...howToPay(about).paragraphs, ...termsOfCanceling(about)]
}

function moved(about: About): string {
  const { moved_from, starts_at } = about.booking
  if (!moved_from) return said(about, 'letter.booking.moved.place')
  const isLength = moved_from.starts_at.getTime() === starts_at.getTime()
  return said(about, isLength ? 'letter.booking.moved.length' : 'letter.booking.moved.text')
}

function noShow(about: About): string[] {
  const { amount_due = 0 } = about.booking.record.no_show ?? {}
  return [
    said(about, 'letter.booking.no_show_fee.text'),
    ...(amount_due === 0 ? [said(about, 'letter.booking.no_show_fee.kept')] : []),
    ...(amount_due > 0 ? [said(about, 'letter.booking.no_show_fee.due'), ...howToPay(about).paragraphs] : []),
    ...refundIn(about),
  ]
}
