import { newId } from '../basics/new-id.ts'
import type { Database } from '../db/database.ts'
import { eventInsert, eventsInsert, type NewEvent, type Receiver } from './queries.ts'

/** What is put into one statement takes memory all at once. */
const AT_ONCE = 50

/** Enters an event in the transaction that makes it true: neither can be without the other. */
export async function recordEvent(
  tx: Database,
  event: Omit<NewEvent, 'id'> & { id?: string },
  receivers: Receiver[],
  now: Date,
): Promise<void> {
  if (receivers.length > 0) await eventInsert(tx, { id: newId('evt'), ...event }, receivers, now)
}

/** Enters several, in their order: a statement for each would hold up whoever waits for this transaction. */
export async function recordEvents(
  tx: Database,
  events: readonly (Omit<NewEvent, 'id'> & { receivers: readonly string[] })[],
  now: Date,
): Promise<void> {
  const received = events
    .filter(({ receivers }) => receivers.length > 0)
    .map((event) => ({ id: newId('evt'), ...event }))
  for (let from = 0; from < received.length; from += AT_ONCE)
    await eventsInsert(tx, received.slice(from, from + AT_ONCE), now)
}
