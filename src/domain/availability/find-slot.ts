import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { BusinessRefusal, invalidInput } from '../../protocol/errors.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { findScheduledSlot, slotUnavailable } from './allocate-slot.ts'
import type { AvailableTime } from './available-times.ts'
import { type Plan, planOf } from './service-scheduling-plan.ts'
import { readSlotId } from './time-slot-response.ts'

export interface Slot {
  id: string
  plan: Plan
  time: AvailableTime
}

export const unknownService = (id: string) => invalidInput(`There is no service with the id ${id}.`, '$.service_id')

/**
 * Waits while other calls change the same slot. A waiting call uses no database connection, so it does not block calls
 * for other slots. Call this function before the first query of the transaction, because the query takes a connection.
 */
export const waitForSlot = (tx: UnitOfWork, slotId: string): Promise<void> => tx.waitForSlot(`slot ${slotId}`)

/** Decodes the slot id and finds the slot in the current schedule, even if another buyer has booked it. */
export async function findSlot(
  db: Database,
  definition: BusinessDefinition | undefined,
  { tag, service, id, now }: { tag: Tag; service: string; id: string; now: Date },
): Promise<Slot> {
  const plan = planOf(definition, service)
  if (!plan) throw unknownService(service)
  const key = readSlotId(tag, id)
  const time = key && (await findScheduledSlot(db, plan, key, now))
  if (!time) throw slotUnavailable()
  return { id, plan, time }
}

/**
 * Refuses a slot that begins too soon or too far in the future. Only buyers must keep the minimum notice before the
 * start. For staff members, the calling function passes the notice 0.
 */
export function refuseOutsideWindow({ plan, time }: Slot, now: Date, notice = plan.minAdvance): void {
  const ahead = time.start - now.getTime()
  if (ahead < notice)
    throw new BusinessRefusal(
      'booking_window_violated',
      'It is too late to book this slot. Choose a later one.',
      '$.slot_id',
    )
  if (ahead > plan.maxAdvance)
    throw new BusinessRefusal('booking_window_violated', 'This slot is too far ahead to be booked yet.', '$.slot_id')
}
