import { mailsErase } from '../../../core/mails/queries.ts'
import { clearReplies } from '../../../core/records/stored-replies.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'
import { secondsOf } from '../../../infra/time/time-units.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { changeInBatches } from '../../../protocol/change-in-batches.ts'
import type { ObjectSchema } from '../../../protocol/define-operation.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { lockAndExpire, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { anonymized, ERASED_BUYER } from '../../bookings/people-of-booking.ts'
import { journalEntryChange } from '../../waitlist/entry-events.ts'
import { entryFind } from '../../waitlist/queries.ts'
import { endEntry, isLiveEntry } from '../../waitlist/read-and-lock-entry.ts'
import {
  addressesOfNumbers,
  contactsOfDigests,
  orphanedCustomersDelete,
  ownersOf,
} from '../customers/customer-queries.ts'
import { contactsOf } from '../customers/match-customers-by-contact.ts'
import { bookingsToErase } from '../shared/booking-and-change-queries.ts'
import { entriesAnonymize, entriesOfBookings, entriesToErase } from '../waitlist/entry-queries.ts'

/**
 * Erases the personal data of these bookings, also from customer records, events, mails, stored replies and waitlist
 * entries. Returns the ids of the bookings that still had personal data.
 */
export async function eraseBookings(
  tx: UnitOfWork,
  ids: readonly string[],
  actor: string,
  now: Date,
): Promise<string[]> {
  const erased: string[] = []
  const contacts: string[] = []
  const customers: string[] = []
  for (const id of ids) {
    const booking = await lockAndExpire(tx, id, undefined, now)
    if (!booking || booking.people.erased) continue
    const contactsOfOne = [id, ...contactsOf(booking, await addressesOfNumbers(tx, [booking]))]
    contacts.push(...contactsOfOne, ...(await contactsOfDigests(tx, booking.people.earlier ?? [])))
    customers.push(...(await ownersOf(tx, contactsOfOne)).values())
    await saveBooking(tx, booking, { change: anonymized(booking), by: { actor, action: 'erase' } }, now)
    erased.push(id)
  }
  if (contacts.length > 0) await orphanedCustomersDelete(tx, contacts)
  const subjects = [...erased.map((id) => `booking ${id}`), ...customers.map((id) => `customer ${id}`)]
  await eraseFromMessages(tx, subjects, now)
  await eraseEntries(tx, await entriesOfBookings(tx, erased), actor, now)
  return erased
}

/**
 * Erases the personal data of these waitlist entries. An entry that still waits also ends, because the server can no
 * longer notify its buyer.
 */
export async function eraseEntries(tx: UnitOfWork, ids: readonly string[], actor: string, now: Date): Promise<void> {
  if (ids.length === 0) return
  for (const id of ids) {
    const entry = await entryFind(tx, id, undefined, now)
    if (!entry) continue
    const ended = isLiveEntry(entry) ? await endEntry(tx, entry, { step: 'leave', actor }, now) : entry
    journalEntryChange(tx, ended, { actor, action: 'erase', to: ended.status }, now)
  }
  await entriesAnonymize(tx, ids, ERASED_BUYER, now)
  await eraseFromMessages(
    tx,
    ids.map((id) => `entry ${id}`),
    now,
  )
}

/** Erases personal data from the events, mails and stored replies about these subjects, such as `booking bkg_1`. */
export async function eraseFromMessages(tx: UnitOfWork, subjects: readonly string[], now: Date): Promise<void> {
  if (subjects.length === 0) return
  // Writes the queued mails of this transaction to the database, so that the erasure covers them too.
  await tx.flush()
  await clearReplies(tx, subjects)
  await mailsErase(tx, subjects, now)
  const events = await tx
    .selectFrom('events')
    .select(['id', 'body', 'snapshot'])
    .where('subject', 'in', subjects)
    .orderBy('number')
    .forUpdate()
    .execute()
  const text = (value: unknown) => (value === null ? null : JSON.stringify(withoutPeople(value)))
  for (const { id, body, snapshot } of events)
    await tx
      .updateTable('events')
      .set({ body: text(body), snapshot: text(snapshot) })
      .where('id', '=', id)
      .execute()
}

const PERSONAL_MEMBERS = ['recipient', 'delivery_address', 'notes', 'answers', 'return_request', 'search_text']

function withoutPeople(stored: unknown, within = ''): unknown {
  if (Array.isArray(stored)) return stored.map((one) => withoutPeople(one, within))
  if (typeof stored !== 'object' || stored === null) return stored
  const members = Object.entries(stored).filter(
    ([name]) => !PERSONAL_MEMBERS.includes(name) && !(name === 'reason' && within === 'cancellation'),
  )
  return Object.fromEntries(
    members.map(([name, value]) => {
      if (name === 'buyer') return [name, ERASED_BUYER]
      if (name === 'messages' && Array.isArray(value))
        return [name, value.filter((one) => asRecord(one).code !== 'business_note')]
      return [name, withoutPeople(value, name)]
    }),
  )
}

export const erasedOutput: ObjectSchema = {
  type: 'object',
  required: ['booking_ids'],
  properties: {
    booking_ids: {
      type: 'array',
      items: { type: 'string' },
      description: 'The bookings whose people were erased by this call.',
    },
  },
}

export const erasedSummary = ({ booking_ids: { length } }: { booking_ids: string[] }): string =>
  length === 0
    ? 'There were no people to erase.'
    : `The people of ${length === 1 ? 'one booking' : `${length} bookings`} were erased.`

/**
 * Erases the personal data of old bookings and waitlist entries after the retention time that the business has set. If
 * the business has set no retention time, the function does nothing.
 */
export async function eraseOldPeople(
  { makeChange, business }: Dependencies<'makeChange' | 'business'>,
  now: Date,
): Promise<void> {
  const retention = (await business.get())?.privacy?.retention
  if (retention === undefined) return
  const over = new Date(now.getTime() - secondsOf(retention) * 1000)
  await changeInBatches(makeChange, {
    next: (tx, most) => bookingsToErase(tx, over, most),
    work: (tx, ids) => eraseBookings(tx, ids, 'system', now),
  })
  await changeInBatches(makeChange, {
    next: (tx, most) => entriesToErase(tx, over, ERASED_BUYER, most),
    work: async (tx, ids) => {
      await eraseEntries(tx, ids, 'system', now)
      return ids
    },
  })
}
