import type { MailedBuyer } from '../../infra/db/outbox.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import type { MailNeed } from '../bookings/notification-rules.ts'
import { isOfPlatform } from '../bookings/notify-about-booking.ts'
import type { EntryRow } from './queries.ts'

/** The notifications of the waitlist. The value says if a buyer who joined through a platform needs the notification. */
const notificationNeeds = {
  'waitlist.joined': 'told anyway',
  'waitlist.offered': 'needed',
  'waitlist.lapsed': 'told anyway',
} as const satisfies Record<string, MailNeed>
export type EntryNotificationKind = keyof typeof notificationNeeds

export interface MailedEntry extends EntryRow {
  /** Id of an earlier entry of the same address for the same wish. */
  earlier?: string | undefined
}

/** Queues the notification in the same transaction as the change. */
export function notifyEntry(tx: UnitOfWork, kind: EntryNotificationKind, entry: MailedEntry, now: Date): void {
  const to = recipientOf(entry, kind)
  if (to) tx.queueMail({ kind, subject: `entry ${entry.id}`, snapshot: entry, to }, now)
}

/** The recipient, or undefined when the entry has no usable address. */
export function recipientOf(
  { buyer: { email }, principal, locale }: Pick<EntryRow, 'buyer' | 'principal' | 'locale'>,
  kind: EntryNotificationKind,
): MailedBuyer | undefined {
  if (isUndeliverable(email)) return undefined
  return { email, locale: locale ?? undefined, platform: isOfPlatform(principal) ? notificationNeeds[kind] : undefined }
}
