import { HOUR } from '../../infra/time/units.ts'
import type { Need } from './booking-letters.ts'
import type { BookingRow } from './booking-row.ts'

export type MailToCome = 'pending' | 'requires_action' | 'confirmed' | 'confirmed_reminder' | 'reminder'

/** So long after a booking was made or changed whoever looks at it may still wait for the mail. */
const FRESH = HOUR

interface Outlook {
  /** Whether mails go to whoever booked; what the platform tells them anyway may be left out. */
  isSent(need: Need): boolean
  /** Whether it is reminded of from now on. */
  isReminded: boolean
  now: Date
}

/** What whoever booked gets next by mail, as long as nothing else happens. */
export function mailToCome(
  { status, updated_at, ends_at }: Pick<BookingRow, 'status' | 'updated_at' | 'ends_at'>,
  { isSent, isReminded, now }: Outlook,
): MailToCome | undefined {
  if (status === 'pending' || status === 'requires_action') return isSent('told anyway') ? status : undefined
  // Whatever is corrected when it is over, nobody is told that it takes place.
  if (status !== 'confirmed' || ends_at <= now) return undefined
  const isConfirmed = isSent('told anyway') && now.getTime() - updated_at.getTime() < FRESH
  const reminder = isReminded && isSent('needed') ? 'reminder' : undefined
  if (!isConfirmed) return reminder
  return reminder ? 'confirmed_reminder' : 'confirmed'
}
