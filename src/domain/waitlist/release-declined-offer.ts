import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { planOf } from '../availability/service-scheduling-plan.ts'
import { journalEntryChange, recordPositionChanges } from './entry-events.ts'
import { withoutOffer } from './entry-response.ts'
import { endOffer, entryUpdate } from './entry-write-queries.ts'
import { type EntryRow, positionsById } from './queries.ts'
import { endEntry } from './read-and-lock-entry.ts'

/**
 * Tells whether a waitlist entry stays on the waitlist after its buyer declines an offer. It does not stay if it waits
 * only for the offered slot, or if the business removes entries that decline.
 */
export function isKeptAfterDecline(entry: EntryRow, definition: BusinessDefinition | undefined): boolean {
  const { waitlist } = planOf(definition, entry.service_id)?.service ?? {}
  return entry.slot_id !== entry.offered_slot_id && waitlist?.on_decline !== 'remove'
}

/**
 * Releases the slot of an offer that the buyer declined. The entry then moves to the end of the waitlist, or it ends.
 * The calling code must hold the lock of the waitlist.
 */
export async function decline(
  tx: UnitOfWork,
  entry: EntryRow,
  { definition, actor }: { definition: BusinessDefinition | undefined; actor: string },
  now: Date,
): Promise<void> {
  if (entry.status !== 'offered')
    throw new BusinessRefusal(
      'invalid_transition',
      `Only an offered entry can be declined; this one is ${entry.status}.`,
    )
  if (!isKeptAfterDecline(entry, definition)) {
    await endEntry(tx, entry, { step: 'leave', actor }, now)
    return
  }
  const before = await positionsById(tx, entry.service_id)
  await endOffer(tx, entry)
  const step = { step: 'decline', ...withoutOffer, toEnd: true, declined: entry.offered_slot_id } as const
  await entryUpdate(tx, entry, step, now)
  journalEntryChange(tx, entry, { actor, action: 'decline', to: 'waiting' }, now)
  await recordPositionChanges(tx, before, entry.service_id, now)
}
