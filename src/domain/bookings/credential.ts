import {
  boundCredentialExpiry,
  issueScopedCredential,
  renewScopedCredential,
} from '../../core/authentication/scoped-credentials.ts'
import { deadlineAt, HOUR } from '../../infra/time/units.ts'
import type { ChangeContext, Context } from '../../protocol/operation.ts'
import type { BookingScopedCredential } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'
import { isOver } from './lifecycle.ts'
import { actionableUntil } from './policies.ts'

const RENEWED_BEFORE_END_MS = HOUR / 4

export const issueCredential = ({ db, caller, now }: ChangeContext, booking: BookingRow) =>
  issueScopedCredential(db, resourceOf(booking), caller, lifetimeOf(booking, now))

/**
 * Renews a credential that has ended, ends soon, or ends before the booking, which may have moved. Only the key that the
 * first credential was bound to gets a new one.
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

/** Until the last possible action on the booking, and for at least an hour. */
function lifetimeOf(booking: BookingRow, now: Date) {
  const until = Math.max(actionableUntil(booking).getTime(), now.getTime() + HOUR)
  return { expiresAt: deadlineAt(until), zone: booking.record.zone }
}
