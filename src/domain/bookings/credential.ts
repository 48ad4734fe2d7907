import {
  boundUntil,
  issueScopedCredential,
  renewScopedCredential,
} from '../../core/authentication/scoped-credentials.ts'
import { deadlineAt } from '../../infra/time/deadline.ts'
import { HOUR } from '../../infra/time/units.ts'
import type { ChangeContext, Context } from '../../protocol/operation.ts'
import type { BookingScopedCredential } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'
import { isOver } from './lifecycle.ts'
import { actionableUntil } from './policies.ts'

/** A credential is renewed when less than this is left of it. */
const RENEWED_BEFORE_END = HOUR / 4

/** Of a booking that is being made. */
export const issueCredential = ({ db, caller, now }: ChangeContext, booking: BookingRow) =>
  issueScopedCredential(db, resourceOf(booking), caller, lastingOf(booking, now))

/**
 * Another one for the key that the first was bound to, once that has ended, is about to, or ends before the booking,
 * which was moved since. No other key gets one, nor whoever proved to be the owner by anything but that key.
 */
export async function renewCredential(
  { db, caller, now }: Context,
  booking: BookingRow,
): Promise<BookingScopedCredential | undefined> {
  if (isOver(booking.status)) return undefined
  const last = await boundUntil(db, resourceOf(booking), caller)
  if (!last || (last.getTime() > now.getTime() + RENEWED_BEFORE_END && last >= actionableUntil(booking)))
    return undefined
  return renewScopedCredential(db, resourceOf(booking), caller, lastingOf(booking, now))
}

const resourceOf = ({ id }: BookingRow) => ({ kind: 'booking', id }) as const

/** As long as something can be done about the booking, and for an hour at least. */
function lastingOf(booking: BookingRow, now: Date) {
  const until = Math.max(actionableUntil(booking).getTime(), now.getTime() + HOUR)
  return { expiresAt: deadlineAt(until), zone: booking.record.zone }
}
