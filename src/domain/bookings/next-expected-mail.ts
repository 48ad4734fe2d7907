import { HOUR } from '../../infra/time/time-units.ts'
import type { BookingRow } from './booking-row.ts'
import type { MailNeed } from './notification-rules.ts'

export type NextMail = 'pending' | 'requires_action' | 'confirmed' | 'confirmed_reminder' | 'reminder'

/**
 * After a change of a booking, the page of the booking says that a mail about the change will arrive. The page shows
 * this text for this number of milliseconds.
 */
const MAIL_EXPECTED_MS = HOUR

interface Outlook {
  /**
   * Tells whether the server sends this mail to the buyer. If a platform made the booking, the platform may inform the
   * buyer instead.
   */
  isSent(need: MailNeed): boolean
  isReminded: boolean
  now: Date
}

export function nextMail(
  {
    status,
    updated_at,
    ends_at,
    record: { attending },
  }: Pick<BookingRow, 'status' | 'updated_at' | 'ends_at' | 'record'>,
  { isSent, isReminded, now }: Outlook,
): NextMail | undefined {
  if (status === 'pending' || status === 'requires_action') return isSent('told anyway') ? status : undefined
  // The staff can correct a booking after its end. The server then sends no confirmation, so the page promises no mail.
  if (status !== 'confirmed' || ends_at <= now) return undefined
  // A buyer who has confirmed to come has opened a page of the booking, and that change sends no mail.
  const isConfirmed =
    attending === undefined && isSent('told anyway') && now.getTime() - updated_at.getTime() < MAIL_EXPECTED_MS
  const reminder = isReminded && isSent('needed') ? 'reminder' : undefined
  if (!isConfirmed) return reminder
  return reminder ? 'confirmed_reminder' : 'confirmed'
}
