import type { Change } from '../../infra/db/change.ts'
import { withoutOffer } from './entry.ts'
import { journalEntryChanges, recordEntryEvents, recordMoves } from './entry-events.ts'
import { entriesExpire } from './entry-writes.ts'
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
    await entriesExpire(tx, some, withoutOffer, now)
    const expired = (entry: EntryRow) => {
      const status = after(entry.status, 'expire')
      return { actor: 'system', action: status, to: status }
    }
    await journalEntryChanges(tx, some, expired, now)
    await recordEntryEvents(tx, 'waitlist.expired', some, now)
    // What had been offered stands in the entry as it was.
    for (const entry of offered) tellOfEntry(tx, 'waitlist.lapsed', entry, now)
    await recordMoves(tx, before, serviceId, now)
  }
}
