import type { Database } from '../db/database.ts'
import { claimEnd } from '../ledger/claims.ts'
import { seatsEnd } from '../ledger/seats.ts'
import { Outcome, ProtocolError } from '../protocol/errors.ts'
import type { Caller, Context } from '../protocol/operation.ts'
import type { Tag } from '../trust/tags.ts'
import { entryRevision, settledEntry, withoutOffer } from './entry.ts'
import { noteChange, recordEntryEvent, tellMoved } from './line.ts'
import { type EntryRow, entryFind, entryLine, entryUpdate, waitlistLock } from './queries.ts'

export const entryNotFound = () =>
  new Outcome('entry_not_found', 'There is no such waitlist entry of yours.', '$.entry_id')

/** The staff see every entry, a platform its own. */
const ownerOf = (caller: Caller) => (caller.mechanism === 'staff_token' ? undefined : caller)

export async function readEntry({ db, caller, now }: Context, id: string): Promise<EntryRow> {
  const found = await entryFind(db, id, ownerOf(caller))
  if (!found) throw entryNotFound()
  const entry = settledEntry(found, now)
  refuseEnded(entry, caller)
  return entry
}

/** The same, with the line standing still until the transaction ends, at the revision the caller believes to change. */
export async function lockEntry({ db, caller, now, ifMatch, tag }: Context, id: string): Promise<EntryRow> {
  await waitlistLock(db)
  const found = await entryFind(db, id, ownerOf(caller))
  if (!found) throw entryNotFound()
  const entry = await expireIfLapsed(db, found, now)
  refuseEnded(entry, caller)
  refuseStale(tag, entry, ifMatch)
  return entry
}

const OVER = ['accepted', 'expired', 'declined', 'removed']

/** A credential ends with the entry it was issued for. */
function refuseEnded({ status }: EntryRow, { mechanism }: Caller): void {
  if (OVER.includes(status) && mechanism === 'booking_scoped_credential')
    throw new ProtocolError('authentication_required', 'This credential ended with its waitlist entry.')
}

function refuseStale(tag: Tag, entry: EntryRow, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === entryRevision(tag, entry)) return
  throw new ProtocolError('revision_mismatch', 'The entry was changed meanwhile. Read it again, then decide.')
}

/** Writes down that an offer lapsed, and lets the next in line move up. */
export async function expireIfLapsed(tx: Database, found: EntryRow, now: Date): Promise<EntryRow> {
  return settledEntry(found, now) === found ? found : expire(tx, found, now)
}

export async function expire(tx: Database, entry: EntryRow, now: Date): Promise<EntryRow> {
  const expired = await leaveLine(tx, entry, 'expired', 'system', now)
  await recordEntryEvent(tx, 'waitlist.expired', expired, now)
  return expired
}

/** The entry ends as told, gives back what it was offered, and everybody behind it moves up. */
export async function leaveLine(
  tx: Database,
  entry: EntryRow,
  status: 'accepted' | 'expired' | 'removed',
  actor: string,
  now: Date,
  { bookingId }: { bookingId?: string } = {},
): Promise<EntryRow> {
  const before = await entryLine(tx, entry.service_id)
  await offerEnd(tx, entry)
  const gone = { ...withoutOffer, status, last_position: entry.position, ...(bookingId && { booking_id: bookingId }) }
  await entryUpdate(tx, entry.id, gone, now)
  await noteChange(tx, actor, status, entry, status, now)
  await tellMoved(tx, before, entry.service_id, now)
  return (await entryFind(tx, entry.id, undefined)) ?? entry
}

export async function offerEnd(tx: Database, { id }: EntryRow): Promise<void> {
  await claimEnd(tx, { kind: 'offer', id })
  await seatsEnd(tx, { kind: 'offer', id })
}
