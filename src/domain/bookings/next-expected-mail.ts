import { HOUR } from '../../infra/time/time-units.ts'
import type { BookingRow } from './booking-row.ts'
import type { MailNeed } from './notification-rules.ts'

export type NextMail = 'pending' | 'requires_action' | 'confirmed' | 'confirmed_reminder' | 'reminder'

/** After a change of the booking, its page announces the mail about the change for this number of milliseconds. */
const MAIL_EXPECTED_MS = HOUR

interface Outlook {
  /**
   * Whether the business mails this buyer. If a platform made the booking, the platform may inform the buyer instead.
   */
  isSent(need: MailNeed): boolean
  isReminded: boolean
  now: Date
}

export function nextMail(
  { status, updated_at, ends_at }: Pick<BookingRow, 'status' | 'updated_at' | 'ends_at'>,
  { isSent, isReminded, now }: Outlook,
): NextMail | undefined {
  if (status === 'pending' || status === 'requires_action') return isSent('told anyway') ? status : undefined
  // After the end of a booking, the server sends no mail about a correction of the booking.
  if (status !== 'confirmed' || ends_at <= now) return undefined
  const isConfirmed = isSent('told anyway') && now.getTime() - updated_at.getTime() < MAIL_EXPECTED_MS
  const reminder = isReminded && isSent('needed') ? 'reminder' : undefined
  if (!isConfirmed) return reminder
  return reminder ? 'confirmed_reminder' : 'confirmed'
}
