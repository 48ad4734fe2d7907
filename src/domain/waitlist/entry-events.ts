import { sql } from 'kysely'
import { eventsInsert } from '../../core/events/queries.ts'
import { receiversOfOwner } from '../../core/events/receivers.ts'
import { insertAuditEntries, insertAuditEntry } from '../../core/records/audit-log.ts'
import { withCustomPlans } from '../../infra/db/prepared-statements.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { type EntryRow, endedEntryEvents, movedEntryEvents } from './queries.ts'

export type WaitlistEventType =
  | 'waitlist.spot_offered'
  | 'waitlist.converted'
  | 'waitlist.expired'
  | 'waitlist.position_changed'

export async function recordEntryEvent(
  tx: UnitOfWork,
  type: WaitlistEventType,
  entry: EntryRow,
  now: Date,
): Promise<void> {
  const [receiver] = receiversOfOwner(entry)
  if (receiver === undefined) return
  const rows = sql`
    select 0 as place, ${`entry ${entry.id}`}::text as subject, ${JSON.stringify(entry)}::json as snapshot, ${receiver}::text as receiver`
  await eventsInsert(tx, { type, ids: [newId('evt')], rows, replaceable: false }, now)
}

/**
 * Stores one event for each entry that has left the waitlist. The waitlist is locked until this transaction ends, so
 * one fast SQL statement stores all events.
 */
export async function recordEntryEvents(
  tx: UnitOfWork,
  type: WaitlistEventType,
  entries: readonly EntryRow[],
  now: Date,
): Promise<void> {
  const rows = endedEntryEvents(entries.map(({ id }) => id))
  const events = { type, ids: entries.map(() => newId('evt')), rows, replaceable: false }
  await withCustomPlans(tx, () => eventsInsert(tx, events, now))
}

interface Done {
  actor: string
  action: string
  to: string
  detail?: object
}

const entryChange = ({ id, status }: EntryRow, done: Done) => ({ ...done, subject: `entry ${id}`, from: status })

/** Writes a change of a waitlist entry to the audit log. `entry` is the row before the change. */
export const journalEntryChange = (tx: UnitOfWork, entry: EntryRow, done: Done, now: Date): void =>
  insertAuditEntry(tx, entryChange(entry, done), now)

export const journalEntryChanges = (
  tx: UnitOfWork,
  entries: readonly EntryRow[],
  doneTo: (entry: EntryRow) => Done,
  now: Date,
): Promise<void> =>
  insertAuditEntries(
    tx,
    entries.map((entry) => entryChange(entry, doneTo(entry))),
    now,
  )

/**
 * Stores one event for each waitlist entry whose position changed. The waitlist is locked until this transaction ends,
 * so one fast SQL statement stores all events. A new event replaces an unsent older event about the same entry.
 */
export async function recordPositionChanges(
  tx: UnitOfWork,
  before: ReadonlyMap<string, number>,
  serviceId: string,
  now: Date,
): Promise<void> {
  const ids = Array.from(before, () => newId('evt'))
  const rows = movedEntryEvents(before, serviceId)
  const type = 'waitlist.position_changed' satisfies WaitlistEventType
  await withCustomPlans(tx, () => eventsInsert(tx, { type, ids, rows, replaceable: true }, now))
}
