import type { Change } from '../../infra/db/change.ts'
import type { MailedBuyer } from '../../infra/db/outbox.ts'
import { leadsNowhere } from '../../infra/util/email-address.ts'
import type { Need } from '../bookings/booking-letters.ts'
import { isOfPlatform } from '../bookings/tell-of-booking.ts'
import type { EntryRow } from './queries.ts'

/** What whoever waits is told by a letter; what of it they need who joined through a platform. */
const letters = {
  'waitlist.joined': 'told anyway',
  'waitlist.offered': 'needed',
  'waitlist.lapsed': 'told anyway',
} as const satisfies Record<string, Need>
export type EntryLetterKind = keyof typeof letters

/** An entry as a letter tells of it. */
export interface MailedEntry extends EntryRow {
  /** By which the same address waited for the same before. */
  earlier?: string | undefined
}

/** Tells whoever waits, in the transaction that made it so. */
export function tellOfEntry(tx: Change, kind: EntryLetterKind, entry: MailedEntry, now: Date): void {
  const to = mailedToEntry(entry, kind)
  if (to) tx.mail({ kind, subject: `entry ${entry.id}`, snapshot: entry, to }, now)
}

/** Where to write to who waits; nowhere, when they left no address. */
export function mailedToEntry(
  { buyer: { email }, principal, locale }: Pick<EntryRow, 'buyer' | 'principal' | 'locale'>,
  kind: EntryLetterKind,
): MailedBuyer | undefined {
  if (leadsNowhere(email)) return undefined
  return { email, locale: locale ?? undefined, platform: isOfPlatform(principal) ? letters[kind] : undefined }
}
