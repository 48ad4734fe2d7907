import type { Change } from '../../infra/db/change.ts'
import { Outcome } from '../../protocol/errors.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { planOf } from '../availability/plan.ts'
import { endEntry } from './change-entry.ts'
import { withoutOffer } from './entry.ts'
import { journalEntryChange, recordMoves } from './entry-events.ts'
import { entryUpdate } from './entry-writes.ts'
import { offerEnd } from './offer-end.ts'
import { type EntryRow, placesInOrder } from './queries.ts'

/**
 * Tells if an entry stays in the waitlist after a decline. It leaves when it waits for this slot only, or when the business
 * removes entries that decline.
 */
export function staysInLine(entry: EntryRow, definition: BusinessDefinition | undefined): boolean {
  const { waitlist } = planOf(definition, entry.service_id)?.service ?? {}
  return entry.slot_id !== entry.offered_slot_id && waitlist?.on_decline !== 'remove'
}

/**
 * Releases the offer of the entry. The entry moves to the end of the waitlist or leaves it. The caller holds the waitlist's
 * lock.
 */
export async function decline(
  tx: Change,
  entry: EntryRow,
  { definition, actor }: { definition: BusinessDefinition | undefined; actor: string },
  now: Date,
): Promise<void> {
  if (entry.status !== 'offered')
    throw new Outcome('invalid_transition', `Only an offered entry can be declined; this one is ${entry.status}.`)
  if (!staysInLine(entry, definition)) {
    await endEntry(tx, entry, { step: 'leave', actor }, now)
    return
  }
  const before = await placesInOrder(tx, entry.service_id)
  await offerEnd(tx, entry)
  const step = { step: 'decline', ...withoutOffer, toEnd: true, declined: entry.offered_slot_id } as const
  await entryUpdate(tx, entry, step, now)
  journalEntryChange(tx, entry, { actor, action: 'decline', to: 'waiting' }, now)
  await recordMoves(tx, before, entry.service_id, now)
}
