import { BusinessRefusal } from '../../protocol/errors.ts'
import type { Context } from '../../protocol/operation.ts'
import { holdStatus } from '../availability/hold.ts'
import { type HoldRow, holdLock } from '../availability/hold-queries.ts'
import { holdNotFound } from '../availability/release-hold.ts'
import { holdExpired } from './allocate-for-booking.ts'

export async function lockHold({ db, caller }: Context, id: string): Promise<HoldRow> {
  const hold = await holdLock(db, id, caller)
  if (!hold) throw holdNotFound()
  return hold
}

export function refuseUnfitHold(
  hold: HoldRow,
  slot: { service_id: string; slot_id: string; isOffered?: boolean },
  now: Date,
): void {
  if (holdStatus(hold, now) !== 'active') throw holdExpired()
  if (hold.service_id !== slot.service_id || hold.slot_id !== slot.slot_id)
    throw new BusinessRefusal('validation_error', 'The hold is for another slot.', '$.hold_id')
  // A hold from an offer has no claim; the offer has it.
  if (hold.offer !== null && !slot.isOffered)
    throw new BusinessRefusal(
      'validation_error',
      'This slot is offered by the waitlist. Accept the offer with this hold.',
      '$.hold_id',
    )
}
