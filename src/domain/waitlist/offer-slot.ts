import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { deadlineAt, secondsOf } from '../../infra/time/time-units.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import { allocateSlotNow } from '../availability/allocate-slot.ts'
import type { Slot } from '../availability/find-slot.ts'
import { journalEntryChange, recordEntryEvent } from './entry-events.ts'
import { entryUpdate, removeFromDeclined } from './entry-write-queries.ts'
import { notifyEntry } from './notify-entry.ts'
import type { EntryRow } from './queries.ts'
import { readAgain } from './read-and-lock-entry.ts'

const OFFER_WINDOW = 'PT30M'

/**
 * Reserves the slot for the waitlist entry, and notifies the entry's platform and buyer. Throws an error if the slot is
 * no longer free, or if the buyer would have too little time to answer. After an error, some people or rooms of the
 * slot may stay reserved. The calling code must hold the lock of the waitlist.
 */
export async function offerSlot(
  tx: UnitOfWork,
  { id: offered_slot_id, plan, time }: Slot,
  { entry, actor }: { entry: EntryRow; actor: string },
  now: Date,
): Promise<void> {
  const window = secondsOf(plan.service.waitlist?.offer_window ?? OFFER_WINDOW) * 1000
  const offer_expires_at = deadlineAt(Math.min(now.getTime() + window, time.start - plan.minAdvance))
  if (offer_expires_at <= now)
    throw new BusinessRefusal(
      'booking_window_violated',
      'It is too late to offer this slot. Choose a later one.',
      '$.slot_id',
    )
  const holder = { kind: 'offer', id: entry.id } as const
  await allocateSlotNow(tx, { plan, time, party: 1, holder, expiresAt: offer_expires_at, now })
  const [offered_from, offered_to] = [new Date(time.start), new Date(time.end)]
  const set = { offered_slot_id, offered_from, offered_to, offer_expires_at }
  await entryUpdate(tx, entry, { step: 'offer', ...set }, now)
  await removeFromDeclined(tx, entry.service_id, offered_slot_id)
  const offered = await readAgain(tx, entry.id, now)
  await recordEntryEvent(tx, 'waitlist.spot_offered', offered, now)
  notifyEntry(tx, 'waitlist.offered', offered, now)
  const detail = { slot_id: offered_slot_id, start: offered_from }
  journalEntryChange(tx, entry, { actor, action: 'offer', to: 'offered', detail }, now)
}
