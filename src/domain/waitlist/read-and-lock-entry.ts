import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { type Caller, isStaff } from '../../protocol/caller-types.ts'
import type { ChangeContext, Context } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isRevisionAllowed } from '../../protocol/expected-revision.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import { journalEntryChange, recordPositionChanges } from './entry-events.ts'
import { entryAsOf, entryRevision, withoutOffer } from './entry-response.ts'
import { endOffer, entryUpdate } from './entry-write-queries.ts'
import { expireEntries } from './expire-entries.ts'
import { after } from './lifecycle.ts'
import { type EntryRow, entryFind, overdueEntries, positionsById, waitlistLock } from './queries.ts'

export const entryNotFound = () => new ProtocolError('entry_not_found', 'You have no such waitlist entry.')

/**
 * Returns the owner whose waitlist entries this caller may see. The result is undefined (no limit) for staff, because
 * they see all entries.
 */
const ownerOf = (caller: Caller) => (isStaff(caller) ? undefined : caller)

export async function readEntry({ db, caller, now }: Context, id: string): Promise<EntryRow> {
  const found = await entryFind(db, id, ownerOf(caller), now)
  if (!found) throw entryNotFound()
  const entry = entryAsOf(found, now)
  refuseEnded(entry, caller)
  return entry
}

export async function readAgain(tx: UnitOfWork, id: string, now: Date): Promise<EntryRow> {
  const found = await entryFind(tx, id, undefined, now)
  if (!found) throw entryNotFound()
  return found
}

/** Locks the waitlist until the transaction ends, and expires waitlist entries past their deadline. */
export async function lockWaitlist(tx: UnitOfWork, now: Date): Promise<void> {
  await waitlistLock(tx)
  await expireEntries(tx, await overdueEntries(tx, now), now)
}

/** Locks the waitlist until the transaction ends, and returns a waitlist entry of any owner. */
export async function lockAnyEntry(tx: UnitOfWork, id: string, now: Date): Promise<EntryRow | undefined> {
  await lockWaitlist(tx, now)
  return entryFind(tx, id, undefined, now)
}

/**
 * Locks the waitlist and returns an entry of the caller. Throws an error if the revision (version mark) of the entry is
 * not the revision that the caller expects.
 */
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
  if (isRevisionAllowed(ifMatch, entryRevision(tag, entry))) return
  throw new ProtocolError('revision_mismatch', 'The entry was changed meanwhile. Read it again, then decide.')
}

interface EntryEnd {
  step: 'accept' | 'leave'
  actor: string
  bookingId?: string
}

/** Ends a waitlist entry, releases its offer, and stores events about the new positions of the entries behind it. */
export async function endEntry(tx: UnitOfWork, entry: EntryRow, end: EntryEnd, now: Date): Promise<EntryRow> {
  const before = await positionsById(tx, entry.service_id)
  const ended = await removeEntry(tx, entry, end, now)
  await recordPositionChanges(tx, before, entry.service_id, now)
  return ended
}

async function removeEntry(
  tx: UnitOfWork,
  entry: EntryRow,
  { step, actor, bookingId }: EntryEnd,
  now: Date,
): Promise<EntryRow> {
  await endOffer(tx, entry)
  const status = after(entry.status, step)
  const changes = { ...withoutOffer, last_position: entry.position, ...(bookingId && { booking_id: bookingId }) }
  await entryUpdate(tx, entry, { step, ...changes }, now)
  journalEntryChange(tx, entry, { actor, action: status, to: status }, now)
  return readAgain(tx, entry.id, now)
}
