import type { Change } from '../../infra/db/change.ts'
import type { Database } from '../../infra/db/database.ts'
import { Outcome } from '../../protocol/errors.ts'
import type { Tag } from '../../protocol/tags.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { findScheduled, slotGone } from './allocate-slot.ts'
import type { AvailableTime } from './available-times.ts'
import { type Plan, planOf } from './plan.ts'
import { readSlotId } from './slot-id.ts'

export interface Slot {
  id: string
  plan: Plan
  time: AvailableTime
}

export const unknownService = (id: string) =>
  new Outcome('service_not_found', `There is no service with the id ${id}.`, '$.service_id')

/** For whoever asks something else before: of those who want the same slot, most wait for it without a connection. */
export const waitForSlot = (tx: Change, slotId: string): Promise<void> => tx.waitFor(`slot ${slotId}`)

/** The slot a caller names, as the schedule has it today. It says nothing of who may have taken it meanwhile. */
export async function findSlot(
  db: Database,
  definition: BusinessDefinition | undefined,
  { tag, service, id, now }: { tag: Tag; service: string; id: string; now: Date },
): Promise<Slot> {
  const plan = planOf(definition, service)
  if (!plan) throw unknownService(service)
  const key = readSlotId(tag, id)
  const time = key && (await findScheduled(db, plan, key, now))
  if (!time) throw slotGone()
  return { id, plan, time }
}

/** Not too soon and not too far ahead. The notice that the service needs does not bind the staff: they pass none. */
export function refuseOutsideWindow({ plan, time }: Slot, now: Date, notice = plan.minAdvance): void {
  const ahead = time.start - now.getTime()
  if (ahead < notice)
    throw new Outcome('booking_window_violated', 'It is too late to book this slot. Choose a later one.', '$.slot_id')
  if (ahead > plan.maxAdvance)
    throw new Outcome('booking_window_violated', 'This slot is too far ahead to be booked yet.', '$.slot_id')
}
