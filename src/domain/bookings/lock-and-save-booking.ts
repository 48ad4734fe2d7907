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
import { dropMailsOfReversedMove } from './drop-reversed-move-mails.ts'
import { after, isOver, type Step } from './lifecycle.ts'
import { notifyAboutBooking } from './notify-about-booking.ts'
import { anonymized, withPreviousContacts } from './people-of-booking.ts'
import { bookingFind, bookingOfReference, bookingUpdate, type Owner } from './queries.ts'
import { bookingAfterWindow } from './release-after-payment-window.ts'

export const bookingNotFound = () => new ProtocolError('booking_not_found', 'You have no such booking.')

/**
 * The caller whose bookings the query returns. Undefined for the staff, who see all bookings. A platform sees only its
 * own bookings.
 */
export const ownerOf = (caller: Caller): Owner => (isStaff(caller) ? undefined : caller)

/**
 * Finds the id of a booking by its id or its reference. Only the staff may use a reference, because buyers read
 * references to them on the phone.
 */
const idOf = async (db: Database, idOrReference: string, owner: Owner): Promise<string> =>
  (owner === undefined && isReference(idOrReference) ? await bookingOfReference(db, idOrReference) : undefined) ??
  idOrReference

/**
 * Reads the booking in its current state. If the booking belongs to another owner, the caller gets the answer "not
 * found".
 */
export async function readBooking({ db, caller, now }: Context, idOrReference: string): Promise<BookingRow> {
  const owner = ownerOf(caller)
  const found = await bookingFind(db, await idOf(db, idOrReference, owner), owner, { lock: false })
  if (!found) throw bookingNotFound()
  const booking = bookingAsOf(found, now)
  refuseEnded(booking, caller)
  return booking
}

/** Locks the booking until the transaction ends. Refuses the change if the caller expects another revision. */
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
 * Refuses a credential that gives access to one booking, if this booking is over. The owner can still authenticate in
 * another way, such as with a key.
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
 * Locks a booking. Most parallel calls for the same booking wait in memory, without a database connection. If the
 * booking has expired, the server first stores the expiry, with its event and refund.
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
 * Whether the buyer learns the start time from this change of the booking. If so, the buyer needs no reminder that was
 * due before the change.
 */
const isStartNews = (before: BookingRow, after: BookingRow): boolean =>
  (before.status !== 'confirmed' && after.status === 'confirmed') ||
  before.starts_at.getTime() !== after.starts_at.getTime()

/**
 * The personal data that the server stores with a change of a booking. An erased booking stays without personal data.
 * For other bookings, the server also stores digests of replaced email addresses.
 */
const peopleAfterChange = (before: BookingRow, changed: BookingRow): Partial<BookingRow> =>
  before.people.erased ? anonymized(changed) : { people: withPreviousContacts(before.people, changed.people) }

/** New values for the row of a booking. If `step` is set, the state machine determines the new status. */
export type BookingChange = Partial<Omit<BookingRow, 'id' | 'revision' | 'updated_at' | 'status'>> & { step?: Step }

/**
 * Describes who changes a booking, and how. `stranger` is set if the caller is unknown and could repeat the change
 * without limit. The mails about the change then count toward this stranger's mail quota.
 */
interface ChangeOfBooking {
  actor: string
  action: string
  detail?: object
  stranger?: Stranger | undefined
  mailNotBefore?: Date | undefined
}

/** Saves a change of a booking under a new revision, with its audit log entry, events, notifications and refunds. */
export async function saveBooking(
  tx: UnitOfWork,
  before: BookingRow,
  {
    change: { step, ...columns },
    by: { actor, action, detail, stranger, mailNotBefore },
  }: { change: BookingChange; by: ChangeOfBooking },
  now: Date,
): Promise<BookingRow> {
  // `updated_at` grows with every change, even if the clock stands still or goes back.
  const updated_at = now > before.updated_at ? now : new Date(before.updated_at.getTime() + 1)
  const status = step ? after(before.status, step) : before.status
  const wished = { ...before, ...columns, status, revision: before.revision + 1, updated_at }
  const changed = { ...wished, ...peopleAfterChange(before, wished) }
  const saved = { ...changed, ...(isStartNews(before, changed) && { reminded_until: now }) }
  await bookingUpdate(tx, saved)
  const subject = `booking ${before.id}`
  const entry = { actor, action, subject, from: before.status, to: saved.status, ...(detail && { detail }) }
  insertAuditEntry(tx, entry, now)
  await recordBookingEvents(tx, before, saved, now)
  const taken = { before, after: saved, byStaff: actor.startsWith(STAFF_PREFIX), stranger, mailNotBefore }
  if (!(await dropMailsOfReversedMove(tx, taken, now))) notifyAboutBooking(tx, taken, now)
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
