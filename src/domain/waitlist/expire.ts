import type { Change } from '../../infra/db/change.ts'
import { withoutOffer } from './entry.ts'
import { journalEntryChanges, recordEntryEvents, recordMoves } from './entry-events.ts'
import { entriesExpire } from './entry-writes.ts'
import { after } from './lifecycle.ts'
import { offersEnd } from './offer-end.ts'
import { type EntryRow, placesInOrder } from './queries.ts'
import { tellOfEntry } from './tell-of-entry.ts'

/**
 * Expires these entries, and records one event for each entry that moves up. Uses few statements: when a class begins,
 * hundreds of entries expire, and all joining and leaving callers wait.
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
    // `entry` still contains the offer, which the notification names.
    for (const entry of offered) tellOfEntry(tx, 'waitlist.lapsed', entry, now)
    await recordMoves(tx, before, serviceId, now)
  }
}
