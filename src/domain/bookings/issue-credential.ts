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
 * Extends the credential of a booking. Without this, the credential would end too early after a move to a later time.
 */
export const extendCredential = ({ db, caller, now }: ChangeContext, booking: BookingRow) =>
  extendScopedCredential(db, resourceOf(booking), caller, lifetimeOf(booking, now))

/**
 * Renews the credential of a booking if it has ended or ends soon. Also renews a credential that ends before the last
 * possible action on the booking, such as after a move. Only a caller with the key that got the first credential gets a
 * new one.
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

/** The lifetime of a booking's credential: until the last possible action on the booking, but at least one hour. */
function lifetimeOf(booking: BookingRow, now: Date) {
  const until = Math.max(actionableUntil(booking).getTime(), now.getTime() + HOUR)
  return { expiresAt: deadlineAt(until), zone: booking.record.zone }
}

/**
 * For this number of days after the end of a booking, its credential can be renewed, unless the booking has a final
 * status.
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
