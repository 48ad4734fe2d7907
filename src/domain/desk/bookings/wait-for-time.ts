import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { waitForSlot } from '../../availability/find-slot.ts'
import { readMoment } from '../../availability/query-range.ts'
import type { SlotRequest } from './slot-request.ts'

/**
 * Like `waitForSlot`, for a slot id or a start that the staff request. A request without a new time waits at its
 * booking instead.
 */
export async function waitForTime(tx: UnitOfWork, { slot_id, start }: SlotRequest): Promise<void> {
  if (slot_id !== undefined) await waitForSlot(tx, slot_id)
  else if (start !== undefined) await tx.waitForSlot(`time ${readMoment('start', start)}`)
}
