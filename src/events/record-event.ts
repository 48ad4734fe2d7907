import type { Database } from '../db/database.ts'
import { newId } from '../new-id.ts'
import { eventInsert } from './queries.ts'

/** What an event tells; `event_id` and `timestamp` are added here. */
export interface Told {
  event: string
  /** What it is about, with its kind: `booking bkg_…`. */
  subject: string
  /** Ids that name the subject on the wire. */
  ids: Record<string, string>
  data?: object
}

/** Enters an event in the transaction that makes it true: neither can be without the other. */
export async function recordEvent(
  tx: Database,
  { event, subject, ids, data }: Told,
  receivers: string[],
  now: Date,
): Promise<void> {
  if (receivers.length === 0) return
  const id = newId('evt')
  const body = { event, event_id: id, ...ids, timestamp: now.toISOString(), ...(data && { data }) }
  await eventInsert(tx, { id, type: event, subject, body }, receivers, now)
}

/** Bookings and waitlist entries are told of to the platform that made them, and to nobody else. */
export const ownersReceiver = ({ profile }: { profile: string }): string[] =>
  profile === '' ? [] : [`profile ${profile}`]
