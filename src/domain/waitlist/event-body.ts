import type { SnapshotBody } from '../../core/events/event-body.ts'
import type { Tag } from '../../protocol/tags.ts'
import { toEntry } from './entry.ts'
import { revivedEntry, type StoredEntry } from './stored-entry.ts'

export const entryBody =
  ({ tag }: { tag: Tag }): SnapshotBody =>
  (snapshot, { id, zone }) => {
    const entry = revivedEntry(snapshot as StoredEntry)
    return { entry_id: id, service_id: entry.service_id, data: toEntry(entry, tag, zone) }
  }
