import { useMailQuota } from '../../core/limits/mail-quota.ts'
import type { MailedBuyer, NewMail } from '../../infra/db/mail-outbox.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import type { BookingRow } from './booking-row.ts'
import { bookingSourceOf } from './booking-source.ts'
import { type PlaceOfBooking, placeOf } from './drop-reversed-move-mails.ts'
import {
  type BookingStep,
  type MailNeed,
  notificationOf,
  refundTotalOf,
  scheduledNotifications,
} from './notification-rules.ts'
import { amountToPay } from './payment-instructions.ts'

/** The content of a notification: the booking directly after the change, and details of the change. */
export interface BookingSnapshot extends BookingRow {
  calendar?: 'REQUEST' | 'CANCEL'
  /** The amount that this change refunds, in minor units. */
  returned?: number
  refusal?: { provider: string; words: string }
  moved_from?: Pick<BookingRow, 'starts_at' | 'ends_at'>
  /**
   * The place and time of the booking before a move whose mail is delayed. If the staff move the booking back before
   * the mail is sent, the server drops the mail.
   */
  place_before?: PlaceOfBooking
  /**
   * The other bookings of a series that the same notification is about. They contain no personal data, because the
   * recipient is the same for all.
   */
  others?: readonly BookingSnapshot[]
}

/** Queues the notifications about a change of a booking, in the transaction of the change. */
export function notifyAboutBooking(tx: UnitOfWork, step: BookingStep, now: Date): void {
  const letter = notificationOf(step)
  if (!letter) return
  const { before, after, stranger, mailNotBefore } = step
  const { kind, buyer, staff, calendar } = letter
  const returned = refundTotalOf(after) - refundTotalOf(before)
  const snapshot: BookingSnapshot = {
    ...after,
    ...(calendar && { calendar }),
    ...(returned > 0 && { returned }),
    ...(before && isOtherTime(before, after) && { moved_from: timesOf(before) }),
    ...(before && mailNotBefore && { place_before: placeOf(before) }),
  }
  const isMailed =
    buyer !== undefined && notifyBuyer(tx, snapshot, { kind, need: buyer, notBefore: mailNotBefore }, now)
  if (isMailed && stranger) useMailQuota(tx, stranger, mailCauseOf(before, after), now)
  if (staff) notifyStaff(tx, kind, snapshot, now)
}

const isOtherTime = (before: BookingRow, after: BookingRow) =>
  before.starts_at.getTime() !== after.starts_at.getTime() || before.ends_at.getTime() !== after.ends_at.getTime()

/**
 * Names what a mail counts against in the mail quota. A mail to the address that the booking already had counts against
 * the booking. A mail to a new address counts against this address.
 */
function mailCauseOf(before: BookingRow | undefined, { id, people: { buyer } }: BookingRow) {
  return before?.people.buyer.email === buyer.email ? { existing: id } : { email: buyer.email }
}

/** Queues a mail to the buyer. Returns false if the buyer gets no mail. */
export function notifyBuyer(
  tx: UnitOfWork,
  snapshot: BookingSnapshot,
  { kind, need, notBefore }: { kind: string; need: MailNeed; notBefore?: Date | undefined },
  now: Date,
): boolean {
  const to = mailedBuyer(snapshot, need)
  const subject = `booking ${snapshot.id}`
  return (
    to !== undefined &&
    tx.queueMail({ kind, subject, snapshot, to, notBefore, ...groupedBySeries(kind, snapshot) }, now)
  )
}

/**
 * Merges the mails about a series of bookings into one. Scheduled notifications, tasks and due payments keep separate
 * mails, because each mail has its own link and reference.
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

/** The buyer as a recipient of mails. Undefined if the buyer has no email address or was erased. */
export function mailedBuyer(
  { principal, people, record }: Pick<BookingRow, 'principal' | 'people' | 'record'>,
  need: MailNeed,
): MailedBuyer | undefined {
  const { email, phone_number: phone } = people.buyer
  if (!isReachable(people)) return undefined
  return { email, phone, locale: record.locale, platform: isOfPlatform(principal) ? need : undefined }
}

/** Whether a platform made the booking, and not the staff, a booking page or an assistant. */
export const isOfPlatform = (principal: string): boolean => bookingSourceOf(principal) === 'platform'
