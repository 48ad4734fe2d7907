import type { Change } from '../db/change.ts'
import { claimEnd, claimPass, type Holder } from '../ledger/claims.ts'
import { seatsEnd, seatsPass } from '../ledger/seats.ts'
import type { BookingRow } from './record.ts'

const holderOf = ({ id }: Pick<BookingRow, 'id'>): Holder => ({ kind: 'booking', id })

/** Keeps what the booking takes up until another time, or for good. No means that it has lapsed and others have it. */
export async function placesKeep(tx: Change, booking: BookingRow, until: Date | null, now: Date): Promise<boolean> {
  const holder = holderOf(booking)
  if (booking.session_id !== null) return (await seatsPass(tx, holder, holder, until ?? undefined, now)) !== undefined
  const kept = await claimPass(tx, holder, holder, until ?? undefined, now)
  return kept.length === booking.resource_ids.length
}

export async function placesEnd(tx: Change, booking: BookingRow): Promise<void> {
  await claimEnd(tx, holderOf(booking))
  await seatsEnd(tx, holderOf(booking))
}
