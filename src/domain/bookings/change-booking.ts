import { changeInsert } from '../../core/records/audit-log.ts'
import type { Change } from '../../infra/db/change.ts'
import type { Database } from '../../infra/db/database.ts'
import { type Caller, isStaff, STAFF, type Stranger } from '../../protocol/caller.ts'
import { Outcome, ProtocolError } from '../../protocol/errors.ts'
import type { ChangeContext, Context } from '../../protocol/operation.ts'
import { isMeantFor } from '../../protocol/precondition.ts'
import type { Tag } from '../../protocol/tags.ts'
import { queueRefund } from '../payments/queue-refund.ts'
import { anonymized } from './anonymized.ts'
import { revisionOf } from './booking.ts'
import { allocationEnd } from './booking-allocation.ts'
import { bookingAsOf } from './booking-as-of.ts'
import { recordBookingEvents } from './booking-events.ts'
import type { BookingRow } from './booking-row.ts'
import { withEarlier } from './earlier-people.ts'
import { bookingAfterWindow } from './late-release.ts'
import { after, isOver, type Step } from './lifecycle.ts'
import { bookingFind, bookingOfReference, bookingUpdate, type Owner } from './queries.ts'
import { isReference } from './reference.ts'
import { tellOfBooking } from './tell-of-booking.ts'
import { dropMailsOfMoveBack } from './waiting-move-mails.ts'

export const bookingNotFound = () =>
  new Outcome('booking_not_found', 'There is no such booking of yours.', '$.booking_id')

/** The staff see every booking, a platform its own. */
export const ownerOf = (caller: Caller): Owner => (isStaff(caller) ? undefined : caller)

/** The staff may name a booking as the buyer does on the phone. To anybody else a reference leads nowhere. */
const idOf = async (db: Database, named: string, owner: Owner): Promise<string> =>
  (owner === undefined && isReference(named) ? await bookingOfReference(db, named) : undefined) ?? named

/** The booking as it is now, for its owner; for anybody else there is none. */
export async function readBooking({ db, caller, now }: Context, named: string): Promise<BookingRow> {
  const owner = ownerOf(caller)
  const found = await bookingFind(db, await idOf(db, named, owner), owner, { lock: false })
  if (!found) throw bookingNotFound()
  const booking = bookingAsOf(found, now)
  refuseEnded(booking, caller)
  return booking
}

/** The same, held until the transaction ends, and at the revision that the caller believes to change. */
export async function lockBooking(
  { db, caller, now, ifMatch, tag }: ChangeContext,
  named: string,
): Promise<BookingRow> {
  const owner = ownerOf(caller)
  const booking = await lockAndExpire(db, await idOf(db, named, owner), owner, now)
  if (!booking) throw bookingNotFound()
  refuseEnded(booking, caller)
  refuseStale(tag, booking, ifMatch)
  return booking
}

/** A credential ends with what it was issued for; the owner's own proofs do not. */
function refuseEnded({ status }: BookingRow, { mechanism }: Caller): void {
  if (isOver(status) && mechanism === 'booking_scoped_credential')
    throw new ProtocolError('authentication_required', 'This credential ended with its booking.')
}

export function refuseStale(tag: Tag, booking: BookingRow, ifMatch: string | undefined): void {
  if (isMeantFor(ifMatch, revisionOf(tag, booking))) return
  throw new ProtocolError('revision_mismatch', 'The booking was changed meanwhile. Read it again, then decide.')
}

/**
 * Locks a booking, for which most others wait without a connection. One that has expired by now is stored as expired first, with
 * its event and refund.
 */
export async function lockAndExpire(tx: Change, id: string, owner: Owner, now: Date): Promise<BookingRow | undefined> {
  await tx.waitFor(`booking ${id}`)
  const found = await bookingFind(tx, id, owner, { lock: true })
  if (!found) return undefined
  const booking = await bookingAfterWindow(tx, found, now)
  if (booking.status === found.status) return booking
  await allocationEnd(tx, booking)
  await bookingUpdate(tx, booking)
  const subject = `booking ${id}`
  changeInsert(tx, { actor: 'system', action: 'expire', subject, from: found.status, to: booking.status }, now)
  await recordBookingEvents(tx, found, booking, now)
  tellOfBooking(tx, { before: found, after: booking, byStaff: false }, now)
  await queueRefund(tx, found, booking, now)
  return booking
}

/** When it begins is told right now, so a reminder that was due earlier is needless. */
const isNewlyCertain = (before: BookingRow, after: BookingRow): boolean =>
  (before.status !== 'confirmed' && after.status === 'confirmed') ||
  before.starts_at.getTime() !== after.starts_at.getTime()

/** An erased booking stays erased, whatever anybody writes afterwards; another knows who stood in it before. */
const keptOfPeople = (before: BookingRow, changed: BookingRow): Partial<BookingRow> =>
  before.people.erased ? anonymized(changed) : { people: withEarlier(before.people, changed.people) }

/** Whatever is written of a booking. What it becomes follows from the step that it takes, if it takes one. */
export type BookingChange = Partial<Omit<BookingRow, 'id' | 'revision' | 'updated_at' | 'status'>> & { step?: Step }

/** Who did what; the stranger is named where it can be done again and again, and mails tell of it each time. */
interface ChangeOfBooking {
  actor: string
  action: string
  detail?: object
  stranger?: Stranger | undefined
  mailNotBefore?: Date | undefined
}

/** Writes what changed, under a new revision, and who did it. */
export async function saveBooking(
  tx: Change,
  before: BookingRow,
  { step, ...change }: BookingChange,
  { actor, action, detail, stranger, mailNotBefore }: ChangeOfBooking,
  now: Date,
): Promise<BookingRow> {
  // The clock may stand still between two changes; what was changed later is never told to be as old.
  const updated_at = now > before.updated_at ? now : new Date(before.updated_at.getTime() + 1)
  const status = step ? after(before.status, step) : before.status
  const wished = { ...before, ...change, status, revision: before.revision + 1, updated_at }
  const changed = { ...wished, ...keptOfPeople(before, wished) }
  const saved = { ...changed, ...(isNewlyCertain(before, changed) && { reminded_until: now }) }
  await bookingUpdate(tx, saved)
  const subject = `booking ${before.id}`
  const entry = { actor, action, subject, from: before.status, to: saved.status, ...(detail && { detail }) }
  changeInsert(tx, entry, now)
  await recordBookingEvents(tx, before, saved, now)
  const taken = { before, after: saved, byStaff: actor.startsWith(STAFF), stranger, mailNotBefore }
  if (!(await dropMailsOfMoveBack(tx, taken, now))) tellOfBooking(tx, taken, now)
  await queueRefund(tx, before, saved, now)
  return saved
}
