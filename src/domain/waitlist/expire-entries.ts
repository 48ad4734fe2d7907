import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { journalEntryChanges, recordEntryEvents, recordPositionChanges } from './entry-events.ts'
import { withoutOffer } from './entry-response.ts'
import { endOffers, entriesExpire } from './entry-write-queries.ts'
import { after } from './lifecycle.ts'
import { notifyEntry } from './notify-entry.ts'
import { type EntryRow, positionsById } from './queries.ts'

/**
 * Expires these waitlist entries, and stores one event for each entry that moves up. Hundreds of entries may expire
 * when a class begins, and the waitlist is locked meanwhile. Therefore the function uses only a few SQL statements.
 */
export async function expireEntries(tx: UnitOfWork, entries: readonly EntryRow[], now: Date): Promise<void> {
  for (const [serviceId, ofService] of Map.groupBy(entries, ({ service_id }) => service_id)) {
    const before = await positionsById(tx, serviceId)
    const offered = ofService.filter(({ status }) => status === 'offered')
    if (offered.length > 0) await endOffers(tx, offered)
    await entriesExpire(tx, ofService, withoutOffer, now)
    const expired = (entry: EntryRow) => {
      const status = after(entry.status, 'expire')
      return { actor: 'system', action: status, to: status }
    }
    await journalEntryChanges(tx, ofService, expired, now)
    await recordEntryEvents(tx, 'waitlist.expired', ofService, now)
    // `entry` is the row before the expiry. This row still contains the offer, which the notification describes.
    for (const entry of offered) notifyEntry(tx, 'waitlist.lapsed', entry, now)
    await recordPositionChanges(tx, before, serviceId, now)
  }
}
