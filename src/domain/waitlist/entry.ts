import { rfc3339 } from '../../infra/time/zone.ts'
import type { Tag } from '../../protocol/tags.ts'
import type { WaitlistEntry } from '../../protocol/types.generated.ts'
import type { EntryRow } from './queries.ts'

/** An entry whose time has passed is expired, even when the database does not say so yet. */
export function entryAsOf(row: EntryRow, now: Date): EntryRow {
  if (!row.over_at || row.over_at > now) return row
  return { ...row, ...withoutOffer, status: 'expired', last_position: row.position, revision: row.revision + 1 }
}

export const withoutOffer = { offered_slot_id: null, offered_from: null, offered_to: null, offer_expires_at: null }

/** The position is part of the entry, so a new position is a new revision. */
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
