import type { Change } from '../../infra/db/change.ts'
import { type Caller, isStaff } from '../../protocol/caller.ts'
import { Outcome, ProtocolError } from '../../protocol/errors.ts'
import type { ChangeContext, Context } from '../../protocol/operation.ts'
import { isMeantFor } from '../../protocol/precondition.ts'
import type { Tag } from '../../protocol/tags.ts'
import { entryAsOf, entryRevision, withoutOffer } from './entry.ts'
import { journalEntryChange, recordMoves } from './entry-events.ts'
import { entryUpdate } from './entry-writes.ts'
import { expire } from './expire.ts'
import { after } from './lifecycle.ts'
import { offerEnd } from './offer-end.ts'
import { type EntryRow, entriesOver, entryFind, placesInOrder, waitlistLock } from './queries.ts'

export const entryNotFound = () =>
  new Outcome('entry_not_found', 'There is no such waitlist entry of yours.', '$.entry_id')

/** Staff members see all entries, a platform sees its own. */
const ownerOf = (caller: Caller) => (isStaff(caller) ? undefined : caller)

export async function readEntry({ db, caller, now }: Context, id: string): Promise<EntryRow> {
  const found = await entryFind(db, id, ownerOf(caller), now)
  if (!found) throw entryNotFound()
  const entry = entryAsOf(found, now)
  refuseEnded(entry, caller)
  return entry
}

export async function readAgain(tx: Change, id: string, now: Date): Promise<EntryRow> {
  const found = await entryFind(tx, id, undefined, now)
  if (!found) throw entryNotFound()
  return found
}

/** Locks the waitlist until the transaction ends, and expires entries whose time has passed. */
export async function lockWaitlist(tx: Change, now: Date): Promise<void> {
  await waitlistLock(tx)
  await expire(tx, await entriesOver(tx, now), now)
}

/** Locks the waitlist and returns an entry of any owner. */
export async function entryLocked(tx: Change, id: string, now: Date): Promise<EntryRow | undefined> {
  await lockWaitlist(tx, now)
  return entryFind(tx, id, undefined, now)
}

/** Locks the waitlist and returns an entry of the caller. Refuses when the caller expects another revision. */
export async function lockEntry({ db, caller, now, ifMatch, tag }: ChangeContext, id: string): Promise<EntryRow> {
  await lockWaitlist(db, now)
  const entry = await entryFind(db, id, ownerOf(caller), now)
  if (!entry) throw entryNotFound()
  refuseEnded(entry, caller)
  refuseStale(tag, entry, ifMatch)
  return entry
}

export const isLiveEntry = ({ status }: EntryRow): boolean => status === 'waiting' || status === 'offered'

function refuseEnded(entry: EntryRow, { mechanism }: Caller): void {
  if (!isLiveEntry(entry) && mechanism === 'booking_scoped_credential')
    throw new ProtocolError('authentication_required', 'This credential ended with its waitlist entry.')
}

function refuseStale(tag: Tag, entry: EntryRow, ifMatch: string | undefined): void {
  if (isMeantFor(ifMatch, entryRevision(tag, entry))) return
  throw new ProtocolError('revision_mismatch', 'The entry was changed meanwhile. Read it again, then decide.')
}

interface EntryEnd {
  step: 'accept' | 'leave'
  actor: string
  bookingId?: string
}

/** Ends the entry, releases its offer, and records the new positions of the entries behind it. */
export async function endEntry(tx: Change, entry: EntryRow, end: EntryEnd, now: Date): Promise<EntryRow> {
  const before = await placesInOrder(tx, entry.service_id)
  const gone = await takeOut(tx, entry, end, now)
  await recordMoves(tx, before, entry.service_id, now)
  return gone
}

async function takeOut(
  tx: Change,
  entry: EntryRow,
  { step, actor, bookingId }: EntryEnd,
  now: Date,
): Promise<EntryRow> {
  await offerEnd(tx, entry)
  const status = after(entry.status, step)
  const gone = { ...withoutOffer, last_position: entry.position, ...(bookingId && { booking_id: bookingId }) }
  await entryUpdate(tx, entry, { step, ...gone }, now)
  journalEntryChange(tx, entry, { actor, action: status, to: status }, now)
  return readAgain(tx, entry.id, now)
}
