import type { Change } from '../../infra/db/change.ts'
import type { MailedBuyer } from '../../infra/db/outbox.ts'
import { leadsNowhere } from '../../infra/util/email-address.ts'
import type { Need } from '../bookings/booking-letters.ts'
import { isOfPlatform } from '../bookings/tell-of-booking.ts'
import type { EntryRow } from './queries.ts'

/** The notifications of the waitlist. The value says if a buyer who joined through a platform needs the notification. */
const letters = {
  'waitlist.joined': 'told anyway',
  'waitlist.offered': 'needed',
  'waitlist.lapsed': 'told anyway',
} as const satisfies Record<string, Need>
export type EntryLetterKind = keyof typeof letters

export interface MailedEntry extends EntryRow {
  /** Id of an earlier entry of the same address for the same wish. */
  earlier?: string | undefined
}

/** Queues the notification in the same transaction as the change. */
export function tellOfEntry(tx: Change, kind: EntryLetterKind, entry: MailedEntry, now: Date): void {
  const to = mailedToEntry(entry, kind)
  if (to) tx.mail({ kind, subject: `entry ${entry.id}`, snapshot: entry, to }, now)
}

/** The recipient, or undefined when the entry has no usable address. */
export function mailedToEntry(
  { buyer: { email }, principal, locale }: Pick<EntryRow, 'buyer' | 'principal' | 'locale'>,
  kind: EntryLetterKind,
): MailedBuyer | undefined {
  if (leadsNowhere(email)) return undefined
  return { email, locale: locale ?? undefined, platform: isOfPlatform(principal) ? letters[kind] : undefined }
}
