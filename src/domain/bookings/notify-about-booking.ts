import { useMailQuota } from '../../core/limits/mail-quota.ts'
import type { MailedBuyer, NewMail } from '../../infra/db/queued-mail-types.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import type { BookingRow } from './booking-row.ts'
import { bookingSourceOf } from './booking-source.ts'
import { type PlaceOfBooking, placeOf } from './drop-mails-of-undone-move.ts'
import {
  type BookingStep,
  type MailAboutMove,
  type MailNeed,
  notificationOf,
  refundTotalOf,
  scheduledNotifications,
} from './notification-rules.ts'
import { amountToPay } from './payment-instructions.ts'
import { textNumberOf } from './text-message-consent.ts'

/** The stored content of a notification: the booking directly after a change, and details of the change. */
export interface BookingSnapshot extends BookingRow {
  calendar?: 'REQUEST' | 'CANCEL'
  /** The amount that the server refunds because of this change, in minor units such as cents. */
  returned?: number
  refusal?: { provider: string; words: string }
  moved_from?: Pick<BookingRow, 'starts_at' | 'ends_at'>
  /**
   * The place and time of the booking before a move. After a move by the staff, the server waits before it sends the
   * mail. If the staff move the booking back in the meantime, the server drops the mail.
   */
  place_before?: PlaceOfBooking
  /**
   * The other bookings of a series, if one notification is about the whole series. Their personal data are left out,
   * because the first booking already names the recipient.
   */
  others?: readonly BookingSnapshot[]
}

/** Adds the notifications about a change of a booking to the mail queue, in the same transaction as the change. */
export function notifyAboutBooking(tx: UnitOfWork, step: BookingStep, now: Date): void {
  const letter = notificationOf(step)
  if (!letter) return
  const { before, after, stranger, mail } = step
  const { kind, buyer, staff, calendar } = letter
  const returned = refundTotalOf(after) - refundTotalOf(before)
  const snapshot: BookingSnapshot = {
    ...after,
    ...(calendar && { calendar }),
    ...(returned > 0 && { returned }),
    ...(before && isOtherTime(before, after) && { moved_from: timesOf(before) }),
    ...(before && mail && { place_before: placeOf(before) }),
  }
  const isMailed = buyer !== undefined && notifyBuyer(tx, snapshot, { kind, need: buyer, ...mail }, now)
  if (isMailed && stranger) useMailQuota(tx, stranger, mailCauseOf(before, after), now)
  if (staff) notifyStaff(tx, kind, snapshot, now)
}

const isOtherTime = (before: BookingRow, after: BookingRow) =>
  before.starts_at.getTime() !== after.starts_at.getTime() || before.ends_at.getTime() !== after.ends_at.getTime()

/**
 * Returns what a mail counts for in the mail quota. A mail to an email address that the booking already had counts for
 * the booking. A mail to a new email address counts for this email address.
 */
function mailCauseOf(before: BookingRow | undefined, { id, people: { buyer } }: BookingRow) {
  return before?.people.buyer.email === buyer.email ? { existing: id } : { email: buyer.email }
}

/** Adds a mail to the buyer to the mail queue. Returns false if the buyer gets no mail. */
export function notifyBuyer(
  tx: UnitOfWork,
  snapshot: BookingSnapshot,
  { kind, need, by, notBefore, isWithheld }: Pick<NewMail, 'kind' | 'by'> & { need: MailNeed } & MailAboutMove,
  now: Date,
): boolean {
  const to = mailedBuyer(snapshot, need)
  const subject = `booking ${snapshot.id}`
  return (
    to !== undefined &&
    tx.queueMail({ kind, subject, snapshot, to, by, notBefore, isWithheld, ...groupedBySeries(kind, snapshot) }, now)
  )
}

/**
 * The buyer of a series of bookings gets one mail about the whole series. Reminders and mails about tasks or due
 * payments stay separate, because each of them has the link and the reference of one booking.
 */
function groupedBySeries(kind: string, snapshot: BookingSnapshot): Pick<NewMail, 'mergeWith'> {
  if (snapshot.series === null || scheduledNotifications.some((one) => one === kind)) return {}
  if (snapshot.status === 'requires_action' || amountToPay(snapshot) !== undefined) return {}
  const withoutPeople = { ...snapshot, people: { buyer: NO_BUYER }, search_text: '' }
  return { mergeWith: { group: snapshot.series, entry: withoutPeople } }
}

const NO_BUYER = { first_name: '', last_name: '', email: '' }

export const notifyStaff = (tx: UnitOfWork, kind: string, snapshot: BookingSnapshot, now: Date): boolean =>
  tx.queueMail({ kind, subject: `booking ${snapshot.id}`, snapshot, to: 'staff' }, now)

const timesOf = ({ starts_at, ends_at }: BookingRow) => ({ starts_at, ends_at })

export const isReachable = ({ buyer, erased }: BookingRow['people']): boolean =>
  !erased && !isUndeliverable(buyer.email)

/**
 * Returns the buyer as a recipient of mails and text messages. The result is undefined if neither can reach the buyer,
 * or if the server has erased the buyer's data.
 */
export function mailedBuyer(
  { principal, people, record }: Pick<BookingRow, 'principal' | 'people' | 'record'>,
  need: MailNeed,
): MailedBuyer | undefined {
  const { email, phone_number: phone } = people.buyer
  const textNumber = textNumberOf(people.buyer)
  if (people.erased || (textNumber === undefined && !isReachable(people))) return undefined
  const platform = isOfPlatform(principal) ? need : undefined
  return { email, phone, textNumber, locale: record.locale, platform }
}

/** Tells whether a platform made the booking, and not the staff, a booking page or an AI assistant. */
export const isOfPlatform = (principal: string): boolean => bookingSourceOf(principal) === 'platform'
