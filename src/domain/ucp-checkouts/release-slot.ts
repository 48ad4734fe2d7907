import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { holdLockById, holdStatus } from '../availability/hold-queries.ts'
import { endHold } from '../availability/release-hold.ts'
import type { CheckoutRow } from './checkout-row.ts'

/** Ends the hold (the reservation of the slot) of a UCP checkout, if the hold is still active. */
export async function releaseSlot(tx: UnitOfWork, { hold_id }: CheckoutRow, now: Date): Promise<void> {
  const hold = hold_id === null ? undefined : await holdLockById(tx, hold_id)
  if (hold && holdStatus(hold, now) === 'active') await endHold(tx, hold.id, now)
}
