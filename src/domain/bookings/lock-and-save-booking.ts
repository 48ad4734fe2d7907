import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { type Caller, isStaff, STAFF_PREFIX, type Stranger } from '../../protocol/caller-types.ts'
import type { ChangeContext, Context } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isRevisionAllowed } from '../../protocol/expected-revision.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import { refundInsert } from '../payments/queries.ts'
import type { Payment } from '../pricing/payment-amounts.ts'
import { allocationEnd } from './allocate-booking-slot.ts'
import { recordBookingEvents } from './booking-events.ts'
import { isReference, revisionOf } from './booking-response.ts'
import { type BookingRow, bookingAsOf } from './booking-row.ts'
import { dropMailsOfReversedMove } from './drop-mails-of-undone-move.ts'
import { after, isOver, type Step } from './lifecycle.ts'
import type { MailAboutMove } from './notification-rules.ts'
import { notifyAboutBooking } from './notify-about-booking.ts'
import { anonymized, withPreviousContacts } from './people-of-booking.ts'
import { bookingFind, bookingOfReference, bookingUpdate, type Owner } from './queries.ts'
import { bookingAfterWindow } from './release-after-payment-window.ts'

export const bookingNotFound = () => new ProtocolError('booking_not_found', 'You have no such booking.')

/**
 * Returns whose bookings a query may find: those of the caller. For a staff member, the result is undefined, because
 * the staff see all bookings.
 */
export const ownerOf = (caller: Caller): Owner => (isStaff(caller) ? undefined : caller)

/**
 * Accepts the id or the reference (a short code) of a booking, and returns the id. Only the staff may use a reference,
 * because buyers name the reference when they phone the business.
 */
const idOf = async (db: Database, idOrReference: string, owner: Owner): Promise<string> =>
  (owner === undefined && isReference(idOrReference) ? await bookingOfReference(db, idOrReference) : undefined) ??
  idOrReference

/**
 * Returns the booking in its current state. If the booking belongs to another caller, the error is the same as for a
 * booking that does not exist.
 */
export async function readBooking({ db, caller, now }: Context, idOrReference: string): Promise<BookingRow> {
  const owner = ownerOf(caller)
  const found = await bookingFind(db, await idOf(db, idOrReference, owner), owner, { lock: false })
  if (!found) throw bookingNotFound()
  const booking = bookingAsOf(found, now)
  refuseEnded(booking, caller)
  return booking
}

/**
 * Locks the booking until the transaction ends. Throws an error if the booking does not have the revision that the
 * caller expects.
 */
export async function lockBooking(
  { db, caller, now, ifMatch, tag }: ChangeContext,
  idOrReference: string,
): Promise<BookingRow> {
  const owner = ownerOf(caller)
  const booking = await lockAndExpire(db, await idOf(db, idOrReference, owner), owner, now)
  if (!booking) throw bookingNotFound()
  refuseEnded(booking, caller)
  refuseStale(tag, booking, ifMatch)
  return booking
}

/**
 * Refuses a call with a booking credential (a secret that gives access to one booking) after the booking is over. The
 * owner of the booking can still authenticate in another way, for example with a key.
 */
function refuseEnded({ status }: BookingRow, { mechanism }: Caller): void {
  if (isOver(status) && mechanism === 'booking_scoped_credential')
    throw new ProtocolError('authentication_required', 'This credential ended with its booking.')
}

export function refuseStale(tag: Tag, booking: BookingRow, ifMatch: string | undefined): void {
  if (isRevisionAllowed(ifMatch, revisionOf(tag, booking))) return
  throw new ProtocolError('revision_mismatch', 'The booking was changed meanwhile. Read it again, then decide.')
}

/**
 * Locks a booking until the transaction ends. Most parallel calls for the same booking wait in memory, so they occupy
 * no database connection. If the booking has expired, the server also stores the expiry, its event and its refund.
 */
export async function lockAndExpire(
  tx: UnitOfWork,
  id: string,
  owner: Owner,
  now: Date,
): Promise<BookingRow | undefined> {
  await tx.waitForSlot(`booking ${id}`)
  const found = await bookingFind(tx, id, owner, { lock: true })
  if (!found) return undefined
  const booking = await bookingAfterWindow(tx, found, now)
  if (booking.status === found.status) return booking
  await allocationEnd(tx, booking)
  await bookingUpdate(tx, booking)
  const subject = `booking ${id}`
  insertAuditEntry(tx, { actor: 'system', action: 'expire', subject, from: found.status, to: booking.status }, now)
  await recordBookingEvents(tx, found, booking, now)
  notifyAboutBooking(tx, { before: found, after: booking, byStaff: false }, now)
  await queueRefund(tx, found, booking, now)
  return booking
}

/**
 * Tells whether the buyer learns the start time from this change of the booking. The buyer then needs no reminder that
 * was due earlier.
 */
const isStartNews = (before: BookingRow, after: BookingRow): boolean =>
  (before.status !== 'confirmed' && after.status === 'confirmed') ||
  before.starts_at.getTime() !== after.starts_at.getTime()

/** Returns the record without the buyer's confirmation to come, which was about another time. */
function unattended({ record: { attending: _, ...record } }: BookingRow): BookingRow['record'] {
  return record
}

/**
 * Returns the personal data to store with a change of a booking. If the server has erased the personal data, the new
 * personal data are left out too. Otherwise, the server also stores digests (hashes) of replaced email addresses.
 */
const peopleAfterChange = (before: BookingRow, changed: BookingRow): Partial<BookingRow> =>
  before.people.erased ? anonymized(changed) : { people: withPreviousContacts(before.people, changed.people) }

/**
 * New values for a stored booking. If `step` is set, the state machine of bookings computes the new status from this
 * step.
 */
export type BookingChange = Partial<Omit<BookingRow, 'id' | 'revision' | 'updated_at' | 'status'>> & { step?: Step }

/**
 * Describes who changes a booking, and how. `stranger` is set for a caller without a known identity, who could repeat
 * changes without limit. Therefore the mails about their changes count toward a mail quota.
 */
interface ChangeOfBooking {
  actor: string
  action: string
  detail?: object
  stranger?: Stranger | undefined
  mail?: MailAboutMove | undefined
}

/**
 * Stores a changed booking with a new revision. In the same transaction, the function stores the audit log entry, the
 * events, the notifications and the refunds.
 */
export async function saveBooking(
  tx: UnitOfWork,
  before: BookingRow,
  {
    change: { step, ...columns },
    by: { actor, action, detail, stranger, mail },
  }: { change: BookingChange; by: ChangeOfBooking },
  now: Date,
): Promise<BookingRow> {
  // `updated_at` increases with every change, even if the clock of the server stands still or goes back.
  const updated_at = now > before.updated_at ? now : new Date(before.updated_at.getTime() + 1)
  const status = step ? after(before.status, step) : before.status
  const wished = { ...before, ...columns, status, revision: before.revision + 1, updated_at }
  const changed = { ...wished, ...peopleAfterChange(before, wished) }
  const saved = {
    ...changed,
    ...(isStartNews(before, changed) && { reminded_until: now, record: unattended(changed) }),
  }
  await bookingUpdate(tx, saved)
  const subject = `booking ${before.id}`
  const entry = { actor, action, subject, from: before.status, to: saved.status, ...(detail && { detail }) }
  insertAuditEntry(tx, entry, now)
  await recordBookingEvents(tx, before, saved, now)
  const taken = { before, after: saved, byStaff: actor.startsWith(STAFF_PREFIX), stranger, mail }
  const reversal = await dropMailsOfReversedMove(tx, taken, now)
  const isWithheld = reversal === 'withheld'
  if (reversal !== 'unneeded') notifyAboutBooking(tx, isWithheld ? { ...taken, mail: { isWithheld } } : taken, now)
  await queueRefund(tx, before, saved, now)
  return saved
}

interface Paid {
  status: string
  record: { payment?: Payment }
}

async function queueRefund(tx: Database, before: Paid, after: Paid, now: Date): Promise<void> {
  const returned = new Map(before.record.payment?.received.map((receipt) => [receipt.id, receipt.returned]))
  const reason = `${before.status} to ${after.status}`
  for (const { id, returned: total } of after.record.payment?.received ?? []) {
    const amount = total - (returned.get(id) ?? 0)
    if (amount > 0) await refundInsert(tx, { payment: id, amount, reason }, now)
  }
}
