import { type ClaimHolder, claimEnd, claimPass } from '../../core/ledger/claims.ts'
import { seatsEnd, seatsPass } from '../../core/ledger/seats.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { BookingRow } from './booking-row.ts'

const holderOf = ({ id }: Pick<BookingRow, 'id'>): ClaimHolder => ({ kind: 'booking', id })

/** Extends the booking's claims and seats until another time, or without end. Returns false when they have lapsed. */
export async function allocationKeep(
  tx: UnitOfWork,
  booking: BookingRow,
  until: Date | null,
  now: Date,
): Promise<boolean> {
  const holder = holderOf(booking)
  if (booking.session_id !== null) return (await seatsPass(tx, holder, holder, until ?? undefined, now)) !== undefined
  const kept = await claimPass(tx, holder, holder, until ?? undefined, now)
  return kept.length === booking.resource_ids.length
}

export async function allocationEnd(tx: UnitOfWork, booking: BookingRow): Promise<void> {
  await claimEnd(tx, holderOf(booking))
  await seatsEnd(tx, holderOf(booking))
}
