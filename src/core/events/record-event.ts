import type { Database } from '../../infra/db/database.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { eventInsert, type NewEvent, type Receiver } from './queries.ts'

/**
 * Records an event in the same transaction as the change that the event reports. The database stores both the event and
 * the change, or neither.
 */
export async function recordEvent(
  tx: Database,
  event: Omit<NewEvent, 'id'> & { id?: string },
  receivers: Receiver[],
  now: Date,
): Promise<void> {
  if (receivers.length > 0) await eventInsert(tx, { id: newId('evt'), ...event }, receivers, now)
}
