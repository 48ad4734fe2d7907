import { seatsLock, sessionCancel, sessionEnd, sessionLock } from '../../../core/ledger/class-sessions.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { cancel } from '../../bookings/cancel-and-refund.ts'
import { lockAndExpire } from '../../bookings/lock-and-save-booking.ts'
import { isPossible } from '../../bookings/operations-by-status.ts'
import { expireEntries } from '../../waitlist/expire-entries.ts'
import { entriesOfClass } from '../../waitlist/queries.ts'
import { lockWaitlist } from '../../waitlist/read-and-lock-entry.ts'
import { notFound } from '../shared/operation-defaults.ts'
import { hasBegun } from './class-session-queries.ts'

/**
 * Closes a class to new bookings. Callers who have reserved a place, or got an offer from the waitlist, can no longer
 * book the class either.
 */
export async function closeClass(tx: UnitOfWork, id: string, now: Date): Promise<void> {
  await lockWaitlist(tx, now)
  const session = await sessionLock(tx, id)
  if (!session) throw notFound('session', id)
  if (session.canceled_at) return
  if (session.ends_at <= now) throw new BusinessRefusal('invalid_transition', 'This class is over.')
  await refuseStarted(tx, id)
  // Marks the class session as canceled before its places are released. Otherwise, the server would offer these places
  // to other buyers.
  await sessionCancel(tx, id, now)
  await seatsLock(tx, id)
  await expireEntries(tx, await entriesOfClass(tx, session.service_id, session.starts_at, now), now)
  await sessionEnd(tx, id)
}

export async function refuseStarted(tx: UnitOfWork, id: string): Promise<void> {
  if (await hasBegun(tx, id))
    throw new BusinessRefusal(
      'cancellation_not_allowed',
      'This class has begun for at least one booking, so it cannot be canceled.',
    )
}

interface Cancellation {
  session: string
  ids: readonly string[]
  by: Parameters<typeof cancel>[2]
}

/** Cancels the bookings of a class that can still be canceled, and returns their ids. */
export async function cancelBookingsOf(
  tx: UnitOfWork,
  { session, ids, by }: Cancellation,
  now: Date,
): Promise<string[]> {
  const canceled: string[] = []
  for (const id of ids) {
    const booking = await lockAndExpire(tx, id, undefined, now)
    // Another transaction may have changed the booking just before this lock. For example, the booking may be in
    // another class now.
    if (!booking || booking.session_id !== session || !isPossible('cancel', booking)) continue
    await cancel(tx, booking, by, now)
    canceled.push(id)
  }
  return canceled
}

/**
 * Writes the cancellation of a class to the audit log. Call this function only after the class and all its bookings are
 * canceled.
 */
export function logCancellation(
  tx: UnitOfWork,
  { id, booking_ids, actor }: { id: string; booking_ids: readonly string[]; actor: string },
  now: Date,
): void {
  const by = { actor, action: 'cancel', subject: `session ${id}`, detail: { booking_ids } }
  insertAuditEntry(tx, { ...by, from: 'open', to: 'canceled' }, now)
}
