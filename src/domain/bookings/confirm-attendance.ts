import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { BookingRow } from './booking-row.ts'
import { lockAndExpire, saveBooking } from './lock-and-save-booking.ts'

type Attended = Pick<BookingRow, 'status' | 'record'>

/** Tells whether the buyer of a confirmed booking has confirmed that they will come. */
export const isAttending = ({ status, record }: Attended): boolean =>
  status === 'confirmed' && record.attending !== undefined

/** Tells whether the buyer can confirm now that they will come: once, and only before a confirmed booking starts. */
export const canConfirmAttendance = (
  { status, record, starts_at }: Attended & Pick<BookingRow, 'starts_at'>,
  now: Date,
) => status === 'confirmed' && record.attending === undefined && starts_at > now

/**
 * Stores that the buyer will come, and when the buyer said so. Does nothing if the buyer cannot confirm this now, for
 * example after a cancellation or a second press. The result is then undefined. The platform that made the booking gets no
 * event.
 */
export async function confirmAttendance(tx: UnitOfWork, id: string, now: Date): Promise<BookingRow | undefined> {
  const booking = await lockAndExpire(tx, id, undefined, now)
  if (!booking || !canConfirmAttendance(booking, now)) return undefined
  const record = { ...booking.record, attending: now.toISOString() }
  return saveBooking(tx, booking, { change: { record }, by: { actor: 'buyer', action: 'attend' } }, now)
}
