import type { SnapshotBody } from '../events/event-body.ts'
import type { Tag } from '../protocol/tags.ts'
import { toEntry } from './entry.ts'
import type { EntryRow } from './queries.ts'

/** What an event tells of an entry, as it was then. */
export const entryBody =
  ({ tag }: { tag: Tag }): SnapshotBody =>
  (snapshot, { id, zone }) => {
    const entry = revived(snapshot as Stored)
    return { entry_id: id, service_id: entry.service_id, data: toEntry(entry, tag, zone) }
  }

/** A row that went through JSON, where instants are text. */
type Stored = Omit<EntryRow, Instants> & { [I in Instants]: string }
type Instants = 'offered_from' | 'offered_to' | 'offer_expires_at' | 'over_at' | 'created_at' | 'updated_at'

const revived = (row: Stored): EntryRow => ({
  ...row,
  offered_from: row.offered_from ? new Date(row.offered_from) : null,
  offered_to: row.offered_to ? new Date(row.offered_to) : null,
  offer_expires_at: row.offer_expires_at ? new Date(row.offer_expires_at) : null,
  over_at: row.over_at ? new Date(row.over_at) : null,
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
})
