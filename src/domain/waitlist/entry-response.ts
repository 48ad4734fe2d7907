import type { SnapshotBody } from '../../core/events/event-body.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import type { ObjectSchema } from '../../protocol/define-operation.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import type { WaitlistEntry } from '../../protocol/types.generated.ts'
import type { MailedEntry } from './notify-entry.ts'
import type { EntryRow } from './queries.ts'

/**
 * Returns the waitlist entry in its state at the instant `now`. An entry past its deadline counts as expired, even if
 * its stored status is still another.
 */
export function entryAsOf(row: EntryRow, now: Date): EntryRow {
  if (!row.over_at || row.over_at > now) return row
  return { ...row, ...withoutOffer, status: 'expired', last_position: row.position, revision: row.revision + 1 }
}

export const withoutOffer = { offered_slot_id: null, offered_from: null, offered_to: null, offer_expires_at: null }

/**
 * Returns the revision (version mark) of a waitlist entry that callers see. The revision also changes with the position
 * of the entry, because callers see the position.
 */
export const entryRevision = (tag: Tag, { id, revision, position }: EntryRow): string =>
  tag('revision', `${id} ${revision} ${position}`, 12)

export function toEntry(row: EntryRow, tag: Tag, zone: string): WaitlistEntry {
  const { offered_slot_id: slot_id, offered_from, offered_to, offer_expires_at } = row
  const time = (instant: Date) => rfc3339(zone, instant.getTime())
  return {
    id: row.id,
    service_id: row.service_id,
    buyer: row.buyer,
    ...(row.preferred && { preferred_slots: row.preferred }),
    status: row.status,
    position: row.position,
    ...(slot_id !== null &&
      offered_from &&
      offered_to &&
      offer_expires_at && {
        offered_slot: { slot_id, start: time(offered_from), end: time(offered_to) },
        offer_expires_at: time(offer_expires_at),
      }),
    created_at: time(row.created_at),
    revision: entryRevision(tag, row),
  }
}

export type StoredEntry = Omit<MailedEntry, Instants> & { [I in Instants]: string }
type Instants = 'offered_from' | 'offered_to' | 'offer_expires_at' | 'over_at' | 'created_at' | 'updated_at'

export const revivedEntry = (row: StoredEntry): MailedEntry => ({
  ...row,
  offered_from: row.offered_from ? new Date(row.offered_from) : null,
  offered_to: row.offered_to ? new Date(row.offered_to) : null,
  offer_expires_at: row.offer_expires_at ? new Date(row.offer_expires_at) : null,
  over_at: row.over_at ? new Date(row.over_at) : null,
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
})

export const entryBody =
  ({ tag }: { tag: Tag }): SnapshotBody =>
  (snapshot, { id, zone }) => {
    const entry = revivedEntry(snapshot as StoredEntry)
    return { entry_id: id, service_id: entry.service_id, data: toEntry(entry, tag, zone) }
  }

export const entryOutput: ObjectSchema = {
  type: 'object',
  required: ['entry'],
  properties: { entry: shape('WaitlistEntry') },
}

export const entryInput: ObjectSchema = {
  type: 'object',
  required: ['entry_id'],
  properties: { entry_id: { type: 'string', minLength: 1, description: 'Id of the entry.' } },
}

export const entrySummary = ({ entry }: { entry: WaitlistEntry }): string => {
  const { id, status, position, offered_slot, offer_expires_at } = entry
  if (offered_slot) return `Entry ${id} is offered ${offered_slot.start}, until ${offer_expires_at}.`
  return status === 'waiting' ? `Entry ${id} waits at position ${position}.` : `Entry ${id} is ${status}.`
}

export const onEntry = {
  capability: 'dev.usp-protocol.services.waitlist',
  access: 'privileged_scoped',
  resource: ({ entry_id }: { entry_id: string }) => ({ kind: 'waitlist_entry' as const, id: entry_id }),
} as const
