import type { Context } from '../protocol/operation.ts'
import type { BookingScopedCredential } from '../protocol/types.generated.ts'
import { boundUntil, issueScopedCredential } from '../trust/scoped-credentials.ts'
import { isOver } from './lifecycle.ts'
import { actionableUntil } from './policies.ts'
import type { BookingRow } from './record.ts'

const HOUR = 3_600_000
const SOON = HOUR / 4

/** A credential lasts for as long as something can be done about its booking, and for an hour at least. */
export function issueCredential({ db, caller, now }: Context, booking: BookingRow) {
  const until = Math.max(actionableUntil(booking).getTime(), now.getTime() + HOUR)
  const lasts = { expiresAt: new Date(until), zone: booking.record.zone }
  return issueScopedCredential(db, { kind: 'booking', id: booking.id }, caller, lasts)
}

/**
 * Another one for the key that the first was bound to, once that has ended, is about to, or ends before the booking,
 * which was moved since. No other key gets one, nor whoever proved to be the owner by anything but that key.
 */
export async function renewCredential(
  context: Context,
  booking: BookingRow,
): Promise<BookingScopedCredential | undefined> {
  const { db, caller, now } = context
  if (isOver(booking.status)) return undefined
  const last = await boundUntil(db, { kind: 'booking', id: booking.id }, caller)
  if (!last || (last.getTime() > now.getTime() + SOON && last >= actionableUntil(booking))) return undefined
  return issueCredential(context, booking)
}
