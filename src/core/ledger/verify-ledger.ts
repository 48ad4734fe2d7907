import type { Database, Tx } from '../../infra/db/database.ts'
import { allowLong } from '../../infra/db/prepared-statements.ts'
import type { Findings } from './verification-findings.ts'
import { verifyBusyTimes } from './verify-busy-times.ts'
import { verifyCharges } from './verify-charges.ts'
import { verifyBookedSeats, verifyHolders } from './verify-claim-holders.ts'
import { type ClaimsVerified, verifyClaims } from './verify-claims.ts'
import { verifyPayments } from './verify-payments.ts'
import { type SeatsVerified, verifySeats } from './verify-seats.ts'
import { verifyOffers } from './verify-waitlist-offers.ts'

export interface Verified {
  findings: Findings
  claims: ClaimsVerified
  seats: SeatsVerified
  /**
   * The number of bookings, blocks (times that the staff removed), class sessions and waitlist offers that the command
   * checked.
   */
  holders: number
  payments: number
  /** The number of charges (payments through the Universal Commerce Protocol) that the command checked. */
  charges: number
}

/**
 * Checks that no time or seat was booked twice, and that no money was lost. The check reads one snapshot of the
 * database, with the journals of claims (occupied times) and seats. Therefore other transactions can continue
 * meanwhile.
 */
export async function verify(db: Database, now: Date): Promise<Verified> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => verifyWithin(tx, now))
}

export async function verifyWithin(tx: Tx, now: Date): Promise<Verified> {
  await allowLong(tx, 'any time')
  const findings: Findings = { listed: [], count: 0 }
  const claims = await verifyClaims(tx, findings)
  const seats = await verifySeats(tx, findings)
  const bookings = (await verifyHolders(tx, findings, now)) + (await verifyBookedSeats(tx, findings, now))
  const holders = bookings + (await verifyOffers(tx, findings, now))
  await verifyBusyTimes(tx, findings)
  const payments = await verifyPayments(tx, findings)
  const charges = await verifyCharges(tx, findings, now)
  return { findings, claims, seats, holders, payments, charges }
}
