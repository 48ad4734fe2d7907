import { changeInsert } from '../changes.ts'
import type { Database } from '../db/database.ts'
import { ownersReceiver } from '../events/receivers.ts'
import { recordEvent } from '../events/record-event.ts'
import { type EntryRow, entryLine } from './queries.ts'

export type WaitlistEventType =
  | 'waitlist.spot_offered'
  | 'waitlist.converted'
  | 'waitlist.expired'
  | 'waitlist.position_changed'

export async function recordEntryEvent(
  tx: Database,
  type: WaitlistEventType,
  entry: EntryRow,
  now: Date,
): Promise<void> {
  const subject = `entry ${entry.id}`
  await recordEvent(tx, { type, subject, content: { snapshot: entry } }, ownersReceiver(entry), now)
}

export const noteChange = (
  tx: Database,
  actor: string,
  action: string,
  before: EntryRow,
  to: string,
  now: Date,
  detail: object = {},
) => changeInsert(tx, { actor, action, subject: `entry ${before.id}`, from: before.status, to, detail }, now)

/** Tells everybody whose place is another than before. */
export async function tellMoved(
  tx: Database,
  before: readonly EntryRow[],
  serviceId: string,
  now: Date,
): Promise<void> {
  const places = new Map(before.map(({ id, position }) => [id, position]))
  for (const entry of await entryLine(tx, serviceId))
    if (places.has(entry.id) && places.get(entry.id) !== entry.position)
      await recordEntryEvent(tx, 'waitlist.position_changed', entry, now)
}
