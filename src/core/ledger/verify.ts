import type { Database, Tx } from '../../infra/db/database.ts'
import { allowLong } from '../../infra/db/prepared-statements.ts'
import { verifyCharges } from './verify-charges.ts'
import { verifyBookedSeats, verifyHolders } from './verify-claim-holders.ts'
import { type ClaimsVerified, verifyClaims } from './verify-claims.ts'
import type { Findings } from './verify-findings.ts'
import { verifyPayments } from './verify-payments.ts'
import { type SeatsVerified, verifySeats } from './verify-seats.ts'
import { verifyOffers } from './verify-waitlist-offers.ts'

export interface Verified {
  findings: Findings
  claims: ClaimsVerified
  seats: SeatsVerified
  /** How many bookings, blocks, class sessions and waitlist offers have claims that the command checked. */
  holders: number
  payments: number
  /** How many charges (payments in progress) of UCP checkouts the command checked. */
  charges: number
}

/**
 * Proves from the journals of claims and seats that no time was booked twice, and checks that no money was lost. Reads
 * one snapshot of the database, so other transactions can continue meanwhile.
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
  const payments = await verifyPayments(tx, findings)
  const charges = await verifyCharges(tx, findings, now)
  return { findings, claims, seats, holders, payments, charges }
}
