import type { Change } from '../../infra/db/change.ts'
import { type Payment, paidBy, type Receipt } from '../payments/payment.ts'
import { allocationKeep } from './booking-allocation.ts'
import { releaseOf } from './booking-as-of.ts'
import type { BookingRecord, BookingRow, People, Task } from './booking-row.ts'
import { cancel } from './cancel.ts'
import { saveBooking } from './change-booking.ts'
import { deadline } from './policies.ts'
import { completed, isPending } from './tasks.ts'

/** The buyer has done something; when nothing is left to do the booking stands. */
export async function completeTask(
  tx: Change,
  booking: BookingRow,
  type: Task['type'],
  { actor, change = {}, people = booking.people }: { actor: string; change?: Partial<BookingRecord>; people?: People },
  now: Date,
): Promise<BookingRow> {
  const record = { ...booking.record, ...change, tasks: completed(booking.record.tasks, type) }
  const waits = isPending(record.tasks)
  const expires_at = waits ? timeLeft(booking, record, now) : null
  const release_at = isPending(record.tasks, 'payment') ? booking.release_at : null
  // By the clock of another server it may have lapsed a moment ago: then the time is gone.
  if (!(await allocationKeep(tx, booking, releaseOf({ expires_at, release_at }), now)))
    return cancel(
      tx,
      { ...booking, record: { ...booking.record, ...change, ...asCameIn(booking, change) } },
      { by: 'system', actor: 'system', action: 'expire' },
      now,
    )
  return saveBooking(
    tx,
    booking,
    { record, people, expires_at, release_at, ...(!waits && { step: 'complete_tasks' }) },
    { actor, action: `complete_${type}` },
    now,
  )
}

/** Nothing of what comes in with this very change has gone back yet, not even what is too much: canceling returns it all. */
function asCameIn({ record }: BookingRow, { payment }: Partial<BookingRecord>): Partial<BookingRecord> {
  if (!payment) return {}
  const known = new Set(record.payment?.received.map(({ id }) => id))
  return {
    payment: {
      ...payment,
      received: payment.received.map((one) => (known.has(one.id) ? one : { ...one, returned: 0 })),
    },
  }
}

/** A payment is not given more time by what is done beside it; once it is made, what is left has a time of its own. */
function timeLeft({ expires_at, status, starts_at }: BookingRow, record: BookingRecord, now: Date): Date | null {
  const own = isPending(record.tasks, 'payment') ? null : deadline(status, { record, starts_at }, now)
  return own && expires_at && own > expires_at ? own : expires_at
}

/** What was due has been paid; or so much of it that the staff, who took it, wait for the rest. */
export const completePayment = (
  tx: Change,
  booking: BookingRow,
  { payment, receipt, rest, actor }: { payment: Payment; receipt: Receipt; rest?: number; actor: string },
  now: Date,
): Promise<BookingRow> =>
  completeTask(tx, booking, 'payment', { actor, change: { payment: paidBy(payment, receipt, rest) } }, now)
