import { writtenExactly } from '../availability/zone.ts'
import { type Making, toBooking } from '../bookings/booking.ts'
import { refundsOf } from '../bookings/payment.ts'
import type { BookingRow } from '../bookings/record.ts'
import { toEntry } from '../waitlist/entry.ts'
import type { EntryRow } from '../waitlist/queries.ts'
import type { Due } from './queries.ts'

/** What is sent of an event that was recorded as a snapshot. */
export function eventBody({ type, event_id, subject, at, snapshot }: Due, making: Making, zone: string): object {
  const [kind, id = ''] = subject.split(' ')
  const common = { event: type, event_id, timestamp: writtenExactly(zone, at) }
  if (kind === 'booking') {
    const booking = revived(snapshot as Stored)
    const refund = type === 'booking.refund_issued' ? refundOf(booking) : {}
    return { ...common, booking_id: id, ...refund, data: toBooking(booking, making) }
  }
  if (kind === 'entry') {
    const entry = revivedEntry(snapshot as StoredEntry)
    return { ...common, entry_id: id, service_id: entry.service_id, data: toEntry(entry, making.tag, zone) }
  }
  throw new Error(`No body can be made for an event about a ${kind}`)
}

/** How much goes back, and in all, where nobody has to look for it. */
const refundOf = ({ record: { payment } }: BookingRow) =>
  payment && { ...refundsOf(payment), currency: payment.currency }

/** A row that went through JSON, where instants are text. */
type Stored = Omit<BookingRow, Instants> & { [I in Instants]: string }
type Instants = 'starts_at' | 'ends_at' | 'created_at' | 'updated_at' | 'reminded_until'

const revived = (row: Stored): BookingRow => ({
  ...row,
  starts_at: new Date(row.starts_at),
  ends_at: new Date(row.ends_at),
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
  reminded_until: new Date(row.reminded_until),
  expires_at: row.expires_at && new Date(row.expires_at),
})

type EntryInstants = 'offered_from' | 'offered_to' | 'offer_expires_at' | 'over_at' | 'created_at' | 'updated_at'
type StoredEntry = Omit<EntryRow, EntryInstants> & { [I in EntryInstants]: string }

const revivedEntry = (row: StoredEntry): EntryRow => ({
  ...row,
  offered_from: row.offered_from ? new Date(row.offered_from) : null,
  offered_to: row.offered_to ? new Date(row.offered_to) : null,
  offer_expires_at: row.offer_expires_at ? new Date(row.offer_expires_at) : null,
  over_at: row.over_at ? new Date(row.over_at) : null,
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
})
