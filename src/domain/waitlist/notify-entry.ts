import type { MailedBuyer } from '../../infra/db/queued-mail-types.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import type { MailNeed } from '../bookings/notification-rules.ts'
import { isOfPlatform } from '../bookings/notify-about-booking.ts'
import { textNumberOf } from '../bookings/text-message-consent.ts'
import type { EntryRow } from './queries.ts'

/**
 * Says whether a buyer who joined through a platform needs a waitlist mail. 'needed' means that only the business
 * informs the buyer. 'told anyway' means that the platform also informs the buyer.
 */
const notificationNeeds = {
  'waitlist.joined': 'told anyway',
  'waitlist.offered': 'needed',
  'waitlist.lapsed': 'told anyway',
} as const satisfies Record<string, MailNeed>
export type EntryNotificationKind = keyof typeof notificationNeeds

export interface MailedEntry extends EntryRow {
  /** The id of an earlier entry. Set if the same email address already waits for the same times. */
  earlier?: string | undefined
}

/** Adds a notification about a waitlist entry to the mail queue, in the transaction that changes the entry. */
export function notifyEntry(tx: UnitOfWork, kind: EntryNotificationKind, entry: MailedEntry, now: Date): void {
  const to = recipientOf(entry, kind)
  if (to) tx.queueMail({ kind, subject: `entry ${entry.id}`, snapshot: entry, to }, now)
}

/**
 * Returns the recipient of a notification. The result is undefined if neither a mail nor a text message can reach the
 * buyer of the entry.
 */
export function recipientOf(
  { buyer, principal, locale }: Pick<EntryRow, 'buyer' | 'principal' | 'locale'>,
  kind: EntryNotificationKind,
): MailedBuyer | undefined {
  const { email } = buyer
  const textNumber = textNumberOf(buyer)
  if (isUndeliverable(email) && textNumber === undefined) return undefined
  const platform = isOfPlatform(principal) ? notificationNeeds[kind] : undefined
  return { email, textNumber, locale: locale ?? undefined, platform }
}
