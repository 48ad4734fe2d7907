import { sql } from 'kysely'
import {
  boundCredentialExpiry,
  extendScopedCredential,
  issueScopedCredential,
  renewScopedCredential,
} from '../../core/authentication/booking-scoped-credentials.ts'
import type { Database } from '../../infra/db/database.ts'
import { BATCH, deleteInBatches } from '../../infra/db/delete-in-batches.ts'
import { DAY, deadlineAt, HOUR } from '../../infra/time/time-units.ts'
import type { ChangeContext, Context } from '../../protocol/define-operation.ts'
import type { BookingScopedCredential } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'
import { actionableUntil } from './cancel-and-reschedule-rules.ts'
import { endings, isOver } from './lifecycle.ts'

const RENEWED_BEFORE_END_MS = HOUR / 4

export const issueCredential = ({ db, caller, now }: ChangeContext, booking: BookingRow) =>
  issueScopedCredential(db, resourceOf(booking), caller, lifetimeOf(booking, now))

/**
 * Extends the validity of the credential, a secret that gives access to one booking. Otherwise, after a move to a later
 * time, the credential would end before the booking.
 */
export const extendCredential = ({ db, caller, now }: ChangeContext, booking: BookingRow) =>
  extendScopedCredential(db, resourceOf(booking), caller, lifetimeOf(booking, now))

/**
 * Returns a new credential (a secret that gives access to one booking) if the old credential ends too early. This means
 * that it ends within minutes, or before the buyer's last chance to change the booking. The caller must use the same
 * key as for the first credential.
 */
export async function renewCredential(
  { db, caller, now }: Context,
  booking: BookingRow,
): Promise<BookingScopedCredential | undefined> {
  if (isOver(booking.status)) return undefined
  const last = await boundCredentialExpiry(db, resourceOf(booking), caller)
  if (!last || (last.getTime() > now.getTime() + RENEWED_BEFORE_END_MS && last >= actionableUntil(booking)))
    return undefined
  return renewScopedCredential(db, resourceOf(booking), caller, lifetimeOf(booking, now))
}

const resourceOf = ({ id }: BookingRow) => ({ kind: 'booking', id }) as const

/**
 * The credential of a booking (a secret that gives access) is valid until the buyer can no longer change or pay the
 * booking. It is valid for at least one hour.
 */
function lifetimeOf(booking: BookingRow, now: Date) {
  const until = Math.max(actionableUntil(booking).getTime(), now.getTime() + HOUR)
  return { expiresAt: deadlineAt(until), zone: booking.record.zone }
}

/**
 * The server keeps an expired credential (a secret for one booking) for this number of days after the end of the
 * booking. Until then, the caller can renew the credential. If the booking has a final status, such as canceled, the
 * server deletes the credential earlier.
 */
const RENEWED_DAYS = 30

export async function deleteExpiredCredentials(db: Database, now: Date): Promise<void> {
  const past = new Date(now.getTime() - RENEWED_DAYS * DAY)
  const forget = sql`
    delete from scoped_credentials where value_hash in (
      select value_hash from scoped_credentials c
      where expires_at < ${now} and not exists (
        select from bookings b
        where c.resource_kind = 'booking' and b.id = c.resource_id and b.status <> all (${endings}::text[]) and b.ends_at > ${past}
      )
      order by expires_at limit ${BATCH} for update skip locked
    )`
  await deleteInBatches(() => forget.execute(db))
}
