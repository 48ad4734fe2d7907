import { sql } from 'kysely'
import type { Change } from '../db/change.ts'
import { journalEntryChange, recordEntryEvents, recordMoves } from './entry-events.ts'
import { after } from './lifecycle.ts'
import { offersEnd } from './offer-end.ts'
import { type EntryRow, placesInOrder } from './queries.ts'
import { tellOfEntry } from './tell-of-entry.ts'

/**
 * Expires these entries with their events; those behind them move up, with one event each. A line of hundreds ends when its
 * class begins, in few statements: everybody who joins or leaves waits meanwhile.
 */
export async function expire(tx: Change, entries: readonly EntryRow[], now: Date): Promise<void> {
  for (const [serviceId, some] of Map.groupBy(entries, ({ service_id }) => service_id)) {
    const before = await placesInOrder(tx, serviceId)
    const offered = some.filter(({ status }) => status === 'offered')
    if (offered.length > 0) await offersEnd(tx, offered)
    await entriesExpire(tx, some, now)
    for (const entry of some) {
      const status = after(entry.status, 'expire')
      journalEntryChange(tx, entry, { actor: 'system', action: status, to: status }, now)
    }
    await recordEntryEvents(tx, 'waitlist.expired', some, now)
    // What had been offered stands in the entry as it was.
    for (const entry of offered) tellOfEntry(tx, 'waitlist.lapsed', entry, now)
    await recordMoves(tx, before, serviceId, now)
  }
}

async function entriesExpire(tx: Change, entries: readonly EntryRow[], now: Date): Promise<void> {
  const positions = entries.map(({ id, position }) => ({ id, position }))
  await sql`
    update waitlist_entries e set status = 'expired', last_position = was.position, revision = revision + 1,
      updated_at = ${now}, offered_slot_id = null, offered_from = null, offered_to = null, offer_expires_at = null
    from json_to_recordset(${JSON.stringify(positions)}::json) as was (id text, position integer)
    where e.id = was.id`.execute(tx)
}
