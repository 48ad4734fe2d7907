import type { Change } from '../../../infra/db/change.ts'
import { waitForSlot } from '../../availability/find-slot.ts'
import { readMoment } from '../../availability/query-range.ts'
import type { SlotRequest } from './slot-request.ts'

/** The same for what the staff request, by whichever way they name it. What stays at its time is waited for by its booking. */
export async function waitForTime(tx: Change, { slot_id, start }: SlotRequest): Promise<void> {
  if (slot_id !== undefined) await waitForSlot(tx, slot_id)
  else if (start !== undefined) await tx.waitFor(`time ${readMoment('start', start)}`)
}
